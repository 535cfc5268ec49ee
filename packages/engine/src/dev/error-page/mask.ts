/** Formats values of requests and errors as short text, with secrets masked. */
import { isError } from '../../realms';
import { inspect, types } from 'node:util';
import { cut, readProperty } from './read-error';
import type { ErrorFacts } from './read-error';

/** The text shown in place of a secret. */
export const MASK = '••••••';

/** Parts of names whose values must not be shown. */
const SECRET =
  /pass(?:word|wd|phrase|code)|secret|token|api[-_]?key|private[-_]?key|access[-_]?key|authorization|credential|cookie|session|csrf|xsrf|signature|x-amz-security|client[-_]?cert/i;

/** Whole words of names whose values must not be shown, in any spelling: `userPin`, `user_pin`, `user[pin]`. */
const SECRET_WORDS =
  /^(?:pass|pwd|pins?|otp|totp|mfa|cvv|cvc|ssn|sid|auth|jwts?|oidc|cards?|ibans?|codes?|sigs?)$/i;

/** A word, which may contain a URL. */
const WORD = /[^\s"'<>]+/g;
/** `name=value`, as in the query of a URL, in a form and in a connection string. */
const PAIR = /(?<![\w-])([\w-]{1,100})=([^&;#\s"',]+)/g;
const BEARER = /\b(Bearer|Basic) +(?=[^\s"',]*[\d=])[\w.~+/=-]{4,}/gi;
const JWT = /(?<![\w-])eyJ[\w-]{4,}\.[\w-]+\.[\w-]*/g;
const CARD = /\b[2-6](?:[ -]?\d){13,18}\b/g;
const IBAN = /\b[A-Z]{2}\d{2}(?: ?[A-Z\d]{4}){2,7}(?: ?[A-Z\d]{1,3})?\b/g;

const LONGEST_TEXT = 300;
const MOST_ENTRIES = 50;
const MOST_DETAILS = 30;
const DEEPEST = 4;

/** Whether the value of a field of this name must not be shown. */
export function isSecret(name: string): boolean {
  return SECRET.test(name) || wordsOf(name).some(word => SECRET_WORDS.test(word));
}

function wordsOf(name: string): string[] {
  return name.replace(/([a-z\d])([A-Z])/g, '$1 $2').split(/[^A-Za-z\d]+/);
}

/** Masks everything in a text that has the form of a secret. */
function maskIn(text: string): string {
  return text
    .replace(WORD, maskUserInfo)
    .replace(PAIR, (pair, name: string) => (isSecret(name) ? `${name}=${MASK}` : pair))
    .replace(BEARER, (_all, scheme: string) => `${scheme} ${MASK}`)
    .replace(JWT, MASK)
    .replace(CARD, digits => (isCard(digits) ? MASK : digits))
    .replace(IBAN, iban => (isIban(iban) ? MASK : iban));
}

/**
 * Masks names and passwords in the URLs of a word (`scheme://name:password@host`). A loop, because an expression for
 * all of them takes more than linear time.
 */
function maskUserInfo(word: string): string {
  const last = word.lastIndexOf('@');
  let masked = '';
  let done = 0;
  for (let at = word.indexOf('//'); at >= 0 && at < last; at = word.indexOf('//', at)) {
    at += 2;
    const end = endOfUserInfo(word, at, last);
    if (end <= at) continue;
    masked += word.slice(done, at) + MASK;
    done = at = end;
  }
  return masked + word.slice(done);
}

/** Where a URL's authority begins with a name or password, the position of the `@` behind it; otherwise -1. */
function endOfUserInfo(word: string, begin: number, last: number): number {
  DELIMITER.lastIndex = begin;
  const found = DELIMITER.exec(word)?.index ?? begin;
  if (word[found] === '@') return found;
  if (word[found] !== ':') return -1;
  // A password may contain characters that are invalid in a URL, so it ends with the last `@`.
  PORT.lastIndex = found + 1;
  return PORT.test(word) ? -1 : last;
}

const DELIMITER = /[/?#@:]/g;
const PORT = /\d{1,5}[/?#]/y;

/** The check of ISO/IEC 7812, without which other long numbers would be masked. */
function isCard(text: string): boolean {
  const digits = Array.from(text.replace(/\D/g, ''), Number).reverse();
  const sum = digits.reduce((total, digit, i) => total + (i % 2 === 0 ? digit : (digit * 2) % 9 || digit), 0);
  return sum % 10 === 0;
}

/** The check of ISO 13616. */
function isIban(text: string): boolean {
  const compact = text.replaceAll(' ', '');
  const digits = (compact.slice(4) + compact.slice(0, 4)).replace(/[A-Z]/g, letter =>
    String(letter.charCodeAt(0) - 55),
  );
  return BigInt(digits) % BigInt(97) === BigInt(1);
}

/** Returns the facts about an error and its causes, with the secrets in its texts masked. */
export function maskError(error: ErrorFacts): ErrorFacts {
  const { message, stack, causes } = error;
  const masked = maskIn(message);
  return {
    ...error,
    message: masked,
    // Masks the message first: next to the text that follows it, its end could be masked differently
    stack: maskIn(message === '' ? stack : stack.replace(message, () => masked)),
    causes: causes.map(({ relation, error: cause }) => ({ relation, error: maskError(cause) })),
  };
}

/** Returns a URL with the values of secret parameters masked. */
export function maskUrl(url: string): string {
  const masked = url.replace(/([?&;#]|^)([^?&;#=]+)=([^&;#]*)/g, (pair, before: string, name: string) =>
    isSecret(name) ? `${before}${name}=${MASK}` : pair,
  );
  return cut(maskIn(masked), 2000);
}

/** Formats a value as text, truncated, with secrets masked. @param name the name of the field that holds it */
export function show(value: unknown, name = ''): string {
  if (isSecret(name) && value !== undefined) return MASK;
  const masked = maskValue(value, 0);
  if (typeof masked === 'string') return masked;
  return inspect(masked, { depth: DEEPEST + 1, customInspect: false, breakLength: 72 });
}

/** Formats the properties of an error. An error's `code` is not a secret, unlike the `code` of a request. */
export function showDetails(details: Record<string, unknown>): [name: string, value: string][] {
  const entries = Object.entries(details).slice(0, MOST_DETAILS);
  return entries.map(([name, value]) => [cut(name, 100), show(value, name === 'code' ? '' : name)]);
}

/** Returns a copy with plain values only, so that inspecting it runs no code of the program. */
function maskValue(value: unknown, depth: number): unknown {
  if (typeof value === 'string') return cut(maskIn(value), LONGEST_TEXT);
  if (typeof value === 'function') return '[Function]';
  if (typeof value !== 'object' || value === null) return value;
  if (ArrayBuffer.isView(value)) return `<${value.byteLength} bytes>`;
  if (types.isProxy(value)) return '[Proxy]';
  if (types.isDate(value)) return new Date(value.getTime());
  if (isError(value)) return `[${String(readProperty(value, 'message'))}]`;
  if (depth >= DEEPEST) return Array.isArray(value) ? '[Array]' : '[Object]';
  if (Array.isArray(value)) return value.slice(0, MOST_ENTRIES).map(one => maskValue(one, depth + 1));
  return maskObject(value, depth);
}

function maskObject(value: object, depth: number): unknown {
  const copy: Record<string, unknown> = {};
  const names = Object.keys(value);
  for (const name of names.slice(0, MOST_ENTRIES)) {
    const masked = isSecret(name) ? MASK : maskValue(readProperty(value, name), depth + 1);
    Object.defineProperty(copy, name, { value: masked, enumerable: true });
  }
  if (names.length > MOST_ENTRIES) copy['…'] = `${names.length - MOST_ENTRIES} more`;
  return copy;
}
