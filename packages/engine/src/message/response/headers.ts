/** Headers of a response: methods to set, get and append them, and for Content-Type, Vary, Link and Content-Disposition. */
import depd = require('depd');
import { charsetOf, contentTypeOf } from '../../protocol/mime';
import { appendVary } from '../../protocol/vary';
import type { Response } from '../../types/core';
import { mistakesOf } from './mistakes';
import { extname } from 'node:path';
import { versionOf } from '../../version';

const deprecate = depd('express');

/**
 * Sets one header, or several given as an object. `Content-Type` gets `charset=utf-8` if a text type has no charset.
 */
export function header(this: Response, field: string | Record<string, unknown>, val?: unknown): Response {
  // An explicit undefined is a value (and is sent as such), so only the number of arguments distinguishes the forms.
  if (arguments.length === 2) {
    setField(this, field as string, val);
    return this;
  }
  for (const name in field as Record<string, unknown>) {
    this.set(name, (field as Record<string, string>)[name]);
  }
  return this;
}

function setField(res: Response, name: string, val: unknown): void {
  if (val === undefined) mistakesOf(res)?.warnOfUndefined(`res.set('${name}')`);
  let value = Array.isArray(val) ? val.map(String) : String(val);
  if (name.toLowerCase() === 'content-type') {
    if (Array.isArray(value)) throw new TypeError('Content-Type cannot be set to an Array');
    value = withCharset(value);
  }
  res.setHeader(name, value);
}

let lastType = '';
let lastWithCharset = '';

/** Adds the charset to a text type. Applications use few types, so the last one is cached. */
function withCharset(type: string): string {
  if (type !== lastType) {
    const charset = /;\s*charset\s*=/.test(type) ? undefined : charsetOf(type);
    lastWithCharset = charset ? `${type}; charset=${charset.toLowerCase()}` : type;
    lastType = type;
  }
  return lastWithCharset;
}

/** Returns the value of a header that has been set; its name is case-insensitive. */
export function get(this: Response, field: string): ReturnType<Response['getHeader']> {
  return this.getHeader(field);
}

/** Adds a value to a header, or sets it if it is not set; a later `res.set` replaces it. */
export function append(this: Response, field: string, val?: string | readonly string[]): Response {
  const previous = this.get(field) as string | string[] | undefined;
  return this.set(field, previous ? ([] as string[]).concat(previous, val as string | string[]) : val);
}

/**
 * Sets `Content-Type`: to the type itself if it contains a '/', otherwise to the type of the extension; for an unknown
 * one, to `application/octet-stream`.
 */
export function contentType(this: Response, type: string): Response {
  return this.set('Content-Type', !type.includes('/') ? contentTypeOf(type) : type);
}

/** Adds a header name to `Vary` unless it is already listed (RFC 9110 section 12.5.5). */
export function vary(this: Response, field: string | string[]): Response {
  if (!field || (Array.isArray(field) && field.length === 0)) {
    deprecate('res.vary(): Provide a field name');
    return this;
  }
  const present = this.getHeader('Vary') ?? '';
  const value = appendVary(Array.isArray(present) ? present.join(', ') : String(present), field);
  if (value) this.setHeader('Vary', value);
  return this;
}

/** Adds links to the `Link` header. */
export function links(this: Response, links: Record<string, string>): Response {
  const previous = this.get('Link');
  const added = Object.keys(links).map(relation => linkTo(links[relation]!, relation));
  return this.set('Link', (previous ? previous + ', ' : '') + added.join(', '));
}

/** Formats a link for the header. */
function linkTo(url: string, relation: string): string {
  return `<${url}>; rel="${relation}"`;
}

/**
 * Sets `Content-Disposition` to 'attachment'; with a name also its `filename`, and `Content-Type` from its extension.
 */
export function attachment(this: Response, filename?: string): Response {
  const { contentDisposition, nameOfFile } = versionOf(this).responses;
  const name = filename === undefined ? undefined : nameOfFile(filename);
  if (name) this.type(extname(name));
  return this.set('Content-Disposition', contentDisposition(name));
}
