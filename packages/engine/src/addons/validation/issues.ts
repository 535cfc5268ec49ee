/** Creates the issues that clients see: the location of the problem, and the message of the schema's library. */
import type { RequestPart, StandardIssue, ValidationIssue } from '../../types/validation';

/** The maximum length of a path or a message. Both may contain client input: keys and values of any length. */
const LONGEST = 300;

/** Returns the keys that lead to the value of an issue. */
export function keysOf({ path = [] }: StandardIssue): PropertyKey[] {
  return path.map(segment => (typeof segment === 'object' ? segment.key : segment));
}

/** Creates an issue from one that a library reports. @param input the validated value */
export function makeIssue(
  location: RequestPart,
  found: StandardIssue,
  input: unknown,
  withValue: boolean,
): ValidationIssue {
  const keys = keysOf(found);
  const issue: ValidationIssue = { location, path: cut(pointer(keys)), message: cut(found.message) };
  const value = valueAt(input, keys);
  if (withValue) issue.value = value;
  else issue.message = cut(withoutValue(found.message, value));
  return issue;
}

/** Returns a JSON Pointer (RFC 6901, section 3). */
function pointer(keys: readonly PropertyKey[]): string {
  return keys.map(key => `/${String(key).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
}

function cut(text: string): string {
  return text.length > LONGEST ? `${text.slice(0, LONGEST - 1)}…` : text;
}

/**
 * Returns the value at a path, undefined if there is none. Only own properties count, because the path may contain
 * client input.
 */
function valueAt(input: unknown, keys: readonly PropertyKey[]): unknown {
  let value = input;
  for (const key of keys) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined;
    value = (value as Record<PropertyKey, unknown>)[key];
  }
  return value;
}

/** Removes the value from a message, as some libraries quote it: it may be a password. */
function withoutValue(message: string, value: unknown): string {
  if (typeof value !== 'string' && typeof value !== 'number' && typeof value !== 'bigint') return message;
  const text = String(value);
  if (text.trim() === '') return message;
  const quoted = [JSON.stringify(text), `'${text}'`, `\`${text}\``];
  // Punctuation alone is part of many messages, and no password: `"name"|"price"`
  if (!/[\p{L}\p{N}]/u.test(text)) return withoutParts(message, SPACES, [...quoted, text]);
  const masked = quoted.reduce((rest, form) => rest.replaceAll(form, '…'), message);
  // A single word is only replaced between word boundaries: "a" is in most messages
  return /^\w+$/.test(text) ? withoutParts(masked, WORDS, [text]) : masked.replaceAll(text, '…');
}

const SPACES = /(?<=\s)|(?=\s)/;
const WORDS = /\b/;

function withoutParts(message: string, boundary: RegExp, removed: readonly string[]): string {
  return message
    .split(boundary)
    .map(part => (removed.includes(part) ? '…' : part))
    .join('');
}
