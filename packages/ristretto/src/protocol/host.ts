/** The host name in a `Host` or `X-Forwarded-Host` field. */

const COLON = 0x3a;
const OPEN = 0x5b;
const CLOSE = 0x5d;
const ZERO = 0x30;
const NINE = 0x39;

/**
 * The host of an authority, without its port. It is one only in the form `uri-host [ ":" port ]`: what a browser or a
 * proxy would read as another host (user information, a path, a port that is no number) makes none, so that no check
 * of the name can be passed by a name that is not the one asked for (CVE-2026-27959).
 *
 * @param authority the value of the field
 * @returns the name, an address of IPv6 with its brackets; undefined where the text is not a host
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

/** The index of the colon before the port, or of the end; -1 if a character before it can't be part of a host. */
function nameEnd(text: string): number {
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code === COLON) return i;
    if (!isHostCharacter(code)) return -1;
  }
  return text.length;
}

/** The index behind the bracket that closes an address of IPv6; -1 if there is none or another address inside. */
function literalEnd(text: string): number {
  for (let i = 1; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code === CLOSE) return i > 1 ? i + 1 : -1;
    if (code !== COLON && !isHostCharacter(code)) return -1;
  }
  return -1;
}

/** Whether the text from the index on is nothing, or a colon and digits. */
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

/** Letters, digits and the punctuation that RFC 3986, section 3.2.2, has in a registered name. */
function isHostCharacter(code: number): boolean {
  const lower = code | 0x20;
  if (lower >= 0x61 && lower <= 0x7a) return true;
  if (code >= ZERO && code <= NINE) return true;
  return HOST_PUNCTUATION.includes(String.fromCharCode(code));
}
