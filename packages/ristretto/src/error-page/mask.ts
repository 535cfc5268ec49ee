/** Formats values of requests and errors as short text, with secrets masked. */
import { inspect, types } from 'node:util';
import { cut, readProperty } from './read-error';

/** The text shown in place of a secret. */
export const MASK = '••••••';

/** Names whose values must not be shown. */
const SECRET =
  /pass(?:word|wd|phrase|code)|^(?:pass|pwd|pin|otp|cvv|cvc|ssn|sid|auth|jwt)$|secret|token|api[-_]?key|private[-_]?key|access[-_]?key|authorization|credential|cookie|session|csrf|xsrf|signature|card[-_]?number|x-amz-security|client[-_]?cert/i;

const LONGEST_TEXT = 300;
const MOST_ENTRIES = 50;
const MOST_DETAILS = 30;
const DEEPEST = 4;

/** Whether the value of a field of this name must not be shown. */
export function isSecret(name: string): boolean {
  return SECRET.test(name);
}

/** Returns a URL with the values of secret parameters masked. */
export function maskUrl(url: string): string {
  const masked = url.replace(/([?&;#]|^)([^?&;#=]+)=([^&;#]*)/g, (pair, before: string, name: string) =>
    isSecret(name) ? `${before}${name}=${MASK}` : pair,
  );
  return cut(masked.replace(/\/\/[^/@\s]*@/, `//${MASK}@`), 2000);
}

/** Formats a value as text, truncated, with secrets masked. @param name the name of the field that holds it */
export function show(value: unknown, name = ''): string {
  if (isSecret(name) && value !== undefined) return MASK;
  const masked = maskValue(value, 0);
  if (typeof masked === 'string') return masked;
  return inspect(masked, { depth: DEEPEST + 1, customInspect: false, breakLength: 72 });
}

/** Formats the properties of an error. */
export function showDetails(details: Record<string, unknown>): [name: string, value: string][] {
  const entries = Object.entries(details).slice(0, MOST_DETAILS);
  return entries.map(([name, value]) => [cut(name, 100), show(value, name)]);
}

/** Returns a copy with plain values only, so that inspecting it runs no code of the program. */
function maskValue(value: unknown, depth: number): unknown {
  if (typeof value === 'string') return cut(value, LONGEST_TEXT);
  if (typeof value === 'function') return '[Function]';
  if (typeof value !== 'object' || value === null) return value;
  if (ArrayBuffer.isView(value)) return `<${value.byteLength} bytes>`;
  if (types.isProxy(value)) return '[Proxy]';
  if (types.isDate(value)) return new Date(value.getTime());
  if (value instanceof Error) return `[${String(readProperty(value, 'message'))}]`;
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
