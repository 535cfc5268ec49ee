/** Entity tags (RFC 9110 section 8.8.3) of bodies and of files, and the functions that the `etag` setting selects. */
import { Buffer } from 'node:buffer';
import crypto = require('node:crypto');

/** Computes the entity tag of a body; a string is hashed as `encoding` (UTF-8 by default). May return undefined. */
export type ETagFunction = (body: string | Buffer, encoding?: BufferEncoding) => string | undefined;

const EMPTY = '"0-2jmj7l5rSw0yVb/vlWAYkK/YBwk"';

/** The longest string body whose tag is cached: comparing longer ones with the next body would cost too much. */
const REMEMBERED_LENGTH = 1024;
let lastBody = '';
let lastTag = EMPTY;
let lastWeakTag = 'W/' + EMPTY;

// The one-shot function was added in Node 20.12 and takes half the time of a Hash object.
const hash = crypto.hash as typeof crypto.hash | undefined;
const sha1 =
  hash === undefined
    ? (body: string | Buffer) => crypto.createHash('sha1').update(body).digest('base64')
    : (body: string | Buffer) => hash('sha1', body, 'base64');

/**
 * Computes the entity tag of a body: its length in hexadecimal and 27 characters of its SHA-1.
 * @param body text (hashed as UTF-8) or bytes
 * @param weak marks the tag as weak (`W/`): equivalent, but not byte for byte identical
 * @example entityTag('', true); // 'W/"0-2jmj7l5rSw0yVb/vlWAYkK/YBwk"'
 */
export function entityTag(body: string | Buffer, weak: boolean): string {
  // Many bodies equal the previous one (health checks, constants), and comparing is far cheaper than hashing.
  if (body === lastBody) return weak ? lastWeakTag : lastTag;
  const length = typeof body === 'string' ? Buffer.byteLength(body) : body.length;
  const tag = '"' + length.toString(16) + '-' + sha1(body).slice(0, 27) + '"';
  const weakTag = 'W/' + tag;
  if (typeof body === 'string' && body.length <= REMEMBERED_LENGTH) {
    lastBody = body;
    lastTag = tag;
    lastWeakTag = weakTag;
  }
  return weak ? weakTag : tag;
}

/**
 * Computes the weak entity tag of a file: its size in bytes and its modification time, both hexadecimal.
 * @example statTag({ size: 11, mtime: new Date(0) }); // 'W/"b-0"'
 */
export function statTag(stat: { size: number; mtime: Date }): string {
  return 'W/"' + stat.size.toString(16) + '-' + stat.mtime.getTime().toString(16) + '"';
}

/** Implements the setting 'strong'. */
export function strongETag(body: string | Buffer, encoding?: BufferEncoding): string {
  return entityTag(textOrBytes(body, encoding), false);
}

/** Implements the setting 'weak'. */
export function weakETag(body: string | Buffer, encoding?: BufferEncoding): string {
  return entityTag(textOrBytes(body, encoding), true);
}

/** In an encoding other than UTF-8, text has different bytes and therefore a different tag. */
function textOrBytes(body: string | Buffer, encoding: BufferEncoding | undefined): string | Buffer {
  const utf8 = encoding === undefined || encoding === 'utf8' || encoding === 'utf-8';
  return typeof body === 'string' && !utf8 ? Buffer.from(body, encoding) : body;
}

/**
 * Returns the function for a value of the `etag` setting, or undefined if tags are disabled.
 * @param setting true or 'weak', 'strong', false, or a custom function, which gets the body as a Buffer
 * @throws TypeError for any other value
 * @example compileETag('strong') // strongETag
 */
export function compileETag(setting: unknown): ETagFunction | undefined {
  if (typeof setting === 'function') return setting as ETagFunction;
  switch (setting) {
    case true:
    case 'weak':
      return weakETag;
    case false:
      return undefined;
    case 'strong':
      return strongETag;
    default:
      throw new TypeError('unknown value for etag function: ' + String(setting));
  }
}
