/**
 * The code that the session and cookie middleware share: finding one cookie in a header (RFC 6265, section 5.4), and
 * signatures in the format of the package cookie-signature: the value, a dot, and its HMAC-SHA256 in base64 without
 * padding.
 */
import { types } from 'node:util';
import * as crypto from 'node:crypto';

/** What `crypto.createHmac` accepts as a key. */
export type Secret = crypto.CipherKey;

const SEMICOLON = 0x3b;
const EQUALS = 0x3d;
const QUOTE = 0x22;
const isBlank = (code: number): boolean => code === 0x20 || code === 0x09;

/**
 * Returns the decoded value of the first cookie of a name, as `cookie.parse(header)[name]` does, without parsing the
 * others.
 */
export function findCookie(header: string, name: string): string | undefined {
  for (let at = header.indexOf(name); at >= 0; at = header.indexOf(name, at + 1)) {
    let before = at;
    while (before > 0 && isBlank(header.charCodeAt(before - 1))) before--;
    if (before > 0 && header.charCodeAt(before - 1) !== SEMICOLON) continue;
    let start = at + name.length;
    while (isBlank(header.charCodeAt(start))) start++;
    if (header.charCodeAt(start) !== EQUALS) continue;
    const end = header.indexOf(';', start);
    return decode(unquote(header, start + 1, end < 0 ? header.length : end));
  }
  return undefined;
}

function unquote(header: string, from: number, to: number): string {
  let start = from;
  let end = to;
  while (start < end && isBlank(header.charCodeAt(start))) start++;
  while (start < end && isBlank(header.charCodeAt(end - 1))) end--;
  if (header.charCodeAt(start) === QUOTE && header.charCodeAt(end - 1) === QUOTE && start < end) {
    start++;
    end--;
  }
  return header.slice(start, end);
}

/** Returns a value unchanged if it is not valid percent-encoding. */
function decode(text: string): string {
  if (!text.includes('%')) return text;
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Exists in Node since 20.12; a call takes a third of the time of a `Hash` or `Hmac` object. */
const hash = (crypto as { hash?: (algorithm: string, data: Uint8Array, encoding: string) => string }).hash;
/** The block size of SHA-1 and SHA-256 in bytes (RFC 2104, section 2). */
const BLOCK = 64;
/** Longer texts are processed in the usual way. */
const LONGEST = 1024;

/**
 * Creates keyed hashes with one secret. RFC 2104 defines an HMAC as two hashes, and the two one-shot calls take half the
 * time of `crypto.createHmac`.
 */
export class Keyed {
  private readonly algorithm: string;
  private readonly key: crypto.KeyObject;
  /** The padded key followed by the text. */
  private readonly inner = Buffer.alloc(BLOCK + LONGEST);
  /** The padded key followed by the inner hash. */
  private readonly outer: Buffer;
  /** The signature being checked, in a buffer as long as a valid one. */
  private readonly given: Buffer;
  private readonly expected: Buffer;

  /** @throws TypeError for a secret that is not a string, bytes or a key */
  constructor(secret: Secret, algorithm: 'sha1' | 'sha256' = 'sha256') {
    this.algorithm = algorithm;
    this.key = keyOf(secret);
    const exported = this.key.export();
    const key = exported.length > BLOCK ? crypto.createHash(algorithm).update(exported).digest() : exported;
    const length = algorithm === 'sha1' ? 20 : 32;
    this.outer = Buffer.alloc(BLOCK + length);
    for (let index = 0; index < BLOCK; index++) {
      this.inner[index] = (key[index] ?? 0) ^ 0x36;
      this.outer[index] = (key[index] ?? 0) ^ 0x5c;
    }
    this.given = Buffer.alloc(Math.ceil((length * 4) / 3));
    this.expected = Buffer.alloc(this.given.length);
  }

  /** Returns the HMAC of a text without padding. */
  digest(text: string, encoding: 'base64' | 'base64url' = 'base64'): string {
    // A character takes at most three bytes.
    if (hash === undefined || text.length * 3 > LONGEST) {
      const digest = crypto.createHmac(this.algorithm, this.key).update(text).digest(encoding);
      return digest.replace(/==?$/, '');
    }
    const length = BLOCK + this.inner.write(text, BLOCK);
    this.outer.write(hash(this.algorithm, this.inner.subarray(0, length), 'latin1'), BLOCK, 'latin1');
    return hash(this.algorithm, this.outer, encoding).slice(0, this.given.length);
  }

  /** Returns whether a signature is that of the text, in constant time. */
  verify(text: string, signature: string, encoding: 'base64' | 'base64url' = 'base64'): boolean {
    const given = this.given;
    // A truncated signature would be compared together with the rest of the previous one.
    if (signature.length !== given.length || given.write(signature) !== given.length) return false;
    this.expected.write(this.digest(text, encoding), 'latin1');
    return crypto.timingSafeEqual(given, this.expected);
  }

  /** Returns a value with its signature. */
  sign(value: string): string {
    return `${value}.${this.digest(value)}`;
  }
}

/** The error that `createHmac` would throw at the first cookie. */
function keyOf(secret: unknown): crypto.KeyObject {
  if (secret instanceof crypto.KeyObject) return secret;
  if (typeof secret === 'string') return crypto.createSecretKey(secret, 'utf8');
  if (ArrayBuffer.isView(secret) || types.isAnyArrayBuffer(secret)) {
    return crypto.createSecretKey(secret as Uint8Array);
  }
  throw new TypeError(
    `Expected a secret to sign cookies with (a string, a Buffer or a KeyObject), got ${secret === null ? 'null' : typeof secret}`,
  );
}

/** Returns the value of a signed text if one of the keys has signed it, else false. */
export function unsign(text: string, keys: readonly Keyed[]): string | false {
  const dot = text.lastIndexOf('.');
  if (dot < 0) return false;
  const value = text.slice(0, dot);
  const signature = text.slice(dot + 1);
  for (let index = 0; index < keys.length; index++) {
    if (keys[index]!.verify(value, signature)) return value;
  }
  return false;
}
