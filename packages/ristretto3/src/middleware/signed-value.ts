/** The values of signed cookies, `s:` and a text with its signature. */
import { timingSafeEqual } from 'node:crypto';
import { sign as signText } from 'cookie-signature';

const MARK = 's:';

/** Whether a value says that it is signed. */
export function isSigned(value: string): boolean {
  return value.startsWith(MARK);
}

/** The text as the value of a signed cookie. */
export function sign(text: string, secret: string): string {
  return MARK + signText(text, secret);
}

/**
 * The text of a value that is signed; false for a wrong signature. The time that it takes does not tell how much of a
 * signature is right (CVE-2016-1000236).
 *
 * @example unsign(sign('tobi', 'secret'), 'secret'); // 'tobi'
 */
export function unsign(value: string, secret: string): string | false {
  const text = value.slice(MARK.length, Math.max(MARK.length, value.lastIndexOf('.')));
  const given = Buffer.from(value);
  const right = Buffer.from(sign(text, secret));
  return given.length === right.length && timingSafeEqual(given, right) ? text : false;
}
