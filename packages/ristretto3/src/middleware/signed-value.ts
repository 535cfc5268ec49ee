/** The values of signed cookies: `s:`, a text and its signature. */
import { timingSafeEqual } from 'node:crypto';
import { sign as signText } from 'cookie-signature';

const MARK = 's:';

/** Whether a value is marked as signed. */
export function isSigned(value: string): boolean {
  return value.startsWith(MARK);
}

/** Returns the text as the value of a signed cookie. */
export function sign(text: string, secret: string): string {
  return MARK + signText(text, secret);
}

/**
 * Returns the text of a signed value; false for a wrong signature. Compares in constant time, so that the duration does
 * not reveal how much of the signature is right (CVE-2016-1000236).
 *
 * @example unsign(sign('tobi', 'secret'), 'secret'); // 'tobi'
 */
export function unsign(value: string, secret: string): string | false {
  const text = value.slice(MARK.length, Math.max(MARK.length, value.lastIndexOf('.')));
  const given = Buffer.from(value);
  const right = Buffer.from(sign(text, secret));
  return given.length === right.length && timingSafeEqual(given, right) ? text : false;
}
