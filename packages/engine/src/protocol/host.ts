/** Gets the host name from a `Host` or `X-Forwarded-Host` header, and compares it with a list. */
import { inspect } from 'node:util';

const COLON = 0x3a;
const OPEN = 0x5b;
const CLOSE = 0x5d;
const ZERO = 0x30;
const NINE = 0x39;

/**
 * Returns the host of an authority, without its port. The authority must have the form `uri-host [ ":" port ]`:
 * anything that a browser or a proxy would read as another host (user information, a path, a port that is not a number)
 * is not accepted, so that a check of the name cannot be bypassed with a different name (CVE-2026-27959).
 * @param authority the value of the header
 * @returns the name, or an IPv6 address with its brackets; undefined if the text is not a host
 * @see RFC 9110, section 7.2
 * @example
 * hostnameOf('example.com:8080'); // 'example.com'
 * hostnameOf('[::1]:8080'); // '[::1]'
 * hostnameOf('evil.com:fake@example.com'); // undefined
 */
export function hostnameOf(authority: string): string | undefined {
  const end = authority.charCodeAt(0) === OPEN ? literalEnd(authority) : nameEnd(authority);
  if (end < 0 || !isPort(authority, end)) return undefined;
  return end === authority.length ? authority : authority.slice(0, end);
}

/**
 * Returns the index of the colon before the port, or of the end; -1 if a character before it is not allowed in a host.
 */
function nameEnd(text: string): number {
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code === COLON) return i;
    if (!isHostCharacter(code)) return -1;
  }
  return text.length;
}

/**
 * Returns the index after the bracket that closes an IPv6 address; -1 if it is not closed, empty, or contains other
 * characters.
 */
function literalEnd(text: string): number {
  for (let i = 1; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code === CLOSE) return i > 1 ? i + 1 : -1;
    if (code !== COLON && !isHostCharacter(code)) return -1;
  }
  return -1;
}

/** Whether the text from the index on is empty, or a colon and digits. */
function isPort(text: string, from: number): boolean {
  if (from === text.length) return true;
  if (text.charCodeAt(from) !== COLON) return false;
  for (let i = from + 1; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code < ZERO || code > NINE) return false;
  }
  return true;
}

const HOST_PUNCTUATION = "-._~%!$&'()*+,;=";

/** Whether it is a letter, a digit or the punctuation that RFC 3986, section 3.2.2, allows in a registered name. */
function isHostCharacter(code: number): boolean {
  const lower = code | 0x20;
  if (lower >= 0x61 && lower <= 0x7a) return true;
  if (code >= ZERO && code <= NINE) return true;
  return HOST_PUNCTUATION.includes(String.fromCharCode(code));
}

/**
 * Compiles a list of host names to a function that returns whether a host, without its port, is in it.
 * @param value names without scheme and port; one that begins with a dot includes the names below it
 * @throws TypeError if it is not an array of host names
 * @example compileHosts(['.example.com'])!('api.example.com'); // true
 */
export function compileHosts(value: unknown): ((host: string) => boolean) | undefined {
  if (value === undefined || value === null) return undefined;
  if (!Array.isArray(value) || !value.every(isHostName)) {
    throw new TypeError(
      "Expected the setting 'error page hosts' to be an array of host names such as 'shop.test' or '.example.com', " +
        `got ${inspect(value)}`,
    );
  }
  const names = value.map(name => name.toLowerCase());
  return host => {
    const lower = host.toLowerCase();
    return names.some(name => (name.startsWith('.') ? `.${lower}`.endsWith(name) : lower === name));
  };
}

function isHostName(value: unknown): value is string {
  return typeof value === 'string' && value !== '' && hostnameOf(value) === value;
}
