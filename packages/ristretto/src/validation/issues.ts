/** What is wrong with a request, as clients may see it: where, and what the schema's library says of it. */
import type { RequestPart, StandardIssue, ValidationIssue } from '../types/validation';

/** Characters of a path or a message. Both can be made of what a client sent: keys and values of any length. */
const LONGEST = 300;

/** Makes an issue of what a library reports. @param input what was checked */
export function makeIssue(
  location: RequestPart,
  { message, path = [] }: StandardIssue,
  input: unknown,
  withValue: boolean,
): ValidationIssue {
  const keys = path.map(segment => (typeof segment === 'object' ? segment.key : segment));
  const issue: ValidationIssue = { location, path: cut(pointer(keys)), message: cut(message) };
  const value = valueAt(input, keys);
  if (withValue) issue.value = value;
  else issue.message = cut(withoutValue(message, value));
  return issue;
}

/** A JSON Pointer (RFC 6901, section 3). */
function pointer(keys: readonly PropertyKey[]): string {
  return keys.map(key => `/${String(key).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
}

function cut(text: string): string {
  return text.length > LONGEST ? `${text.slice(0, LONGEST - 1)}…` : text;
}

/** What was sent there; undefined where nothing was. Only own properties count: a path is made of what clients send. */
function valueAt(input: unknown, keys: readonly PropertyKey[]): unknown {
  let value = input;
  for (const key of keys) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined;
    value = (value as Record<PropertyKey, unknown>)[key];
  }
  return value;
}

/** A message that does not quote the value, as those of some libraries do: it may be a password. */
function withoutValue(message: string, value: unknown): string {
  if (typeof value !== 'string' && typeof value !== 'number' && typeof value !== 'bigint') return message;
  const text = String(value);
  if (text === '') return message;
  const quoted = [JSON.stringify(text), `'${text}'`, `\`${text}\``];
  const masked = quoted.reduce((rest, form) => rest.replaceAll(form, '…'), message);
  if (!isWord(text)) return masked.replaceAll(text, '…');
  return masked
    .split(WORDS)
    .map(part => (part === text ? '…' : part))
    .join('');
}

/** Between words and what is no word. */
const WORDS = /\b/;

/** Such a value is looked for between other characters: "a" is in most messages. */
function isWord(text: string): boolean {
  return /^\w+$/.test(text);
}
