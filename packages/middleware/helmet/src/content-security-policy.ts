/** The `Content-Security-Policy` header: https://www.w3.org/TR/CSP3/ */
import { types } from 'node:util';
import { format } from 'node:util';
import type { IncomingMessage, ServerResponse } from 'node:http';

type ValueFunction = (req: IncomingMessage, res: ServerResponse) => string;
type Value = string | ValueFunction;

/** Used as the value of `default-src`, omits that directive. */
const dangerouslyDisableDefaultSrc: unique symbol = Symbol('dangerouslyDisableDefaultSrc');

type Directives = Record<string, null | Iterable<Value> | typeof dangerouslyDisableDefaultSrc>;

export type ContentSecurityPolicyOptions = {
  /** Send `Content-Security-Policy-Report-Only` instead. @default false */
  reportOnly?: boolean;
} & (
  | {
      /** Add the directives of the default policy that `directives` does not have. @default true */
      useDefaults?: true;
      /** The directives by name, in camel case or with dashes; null removes one of the defaults. */
      directives?: Directives;
    }
  | { useDefaults: false; directives: Directives }
);

/** The precomputed part of a policy: a header value, or functions that compute parts of it. */
export interface Policy {
  header: string;
  /** The whole value, if no directive has a function. */
  value: string | undefined;
  /** Returns the value for a request; throws what a function throws. */
  compute(req: IncomingMessage, res: ServerResponse): string;
}

const DEFAULTS: Record<string, string[]> = {
  'default-src': ["'self'"],
  'base-uri': ["'self'"],
  'font-src': ["'self'", 'https:', 'data:'],
  'form-action': ["'self'"],
  'frame-ancestors': ["'self'"],
  'img-src': ["'self'", 'data:'],
  'object-src': ["'none'"],
  'script-src': ["'self'"],
  'script-src-attr': ["'none'"],
  'style-src': ["'self'", 'https:', "'unsafe-inline'"],
  'upgrade-insecure-requests': [],
};

function getDefaultDirectives(): Record<string, Iterable<Value>> {
  return Object.fromEntries(Object.entries(DEFAULTS).map(([name, values]) => [name, [...values]]));
}

const HEADER = 'Content-Security-Policy';

/** Keywords that browsers ignore without quotes. */
const UNQUOTED =
  /^(?:none|self|strict-dynamic|report-sample|inline-speculation-rules|unsafe-(?:inline|eval|hashes)|wasm-unsafe-eval)$|^(?:nonce|sha(?:256|384|512))-/;

function invalidValue(name: string, advice = ''): Error {
  return new Error(`${HEADER} received an invalid directive value for ${JSON.stringify(name)}${advice}`);
}

/** Throws if a value would end the directive or the policy: it could add others. */
function assertInside(name: string, value: string): void {
  if (value.includes(';') || value.includes(',')) throw invalidValue(name);
}

function assertQuoted(name: string, entry: string): void {
  if (UNQUOTED.test(entry)) throw invalidValue(name, `. ${JSON.stringify(entry)} should be quoted`);
}

function isIterable(value: unknown): value is Iterable<unknown> {
  return typeof (Object(value) as Partial<Iterable<unknown>>)[Symbol.iterator] === 'function';
}

/** Returns the parts of a directive's value: strings, and functions of the request. */
function entriesOf(name: string, given: Directives[string] | undefined): Value[] {
  if (given === undefined || (given as unknown) === false) throw invalidValue(name);
  if (typeof given !== 'string' && !isIterable(given))
    throw new TypeError(
      `${HEADER}: expected the value of ${JSON.stringify(name)} to be a string or an array of strings and functions, got ${format(given)}`,
    );
  const entries: unknown[] = typeof given === 'string' ? [given] : [...given];
  return entries.map(entry => {
    if (typeof entry === 'function') return entry as ValueFunction;
    const text = String(entry);
    assertInside(name, text);
    assertQuoted(name, text);
    return text;
  });
}

/** Returns the name of a directive with dashes; throws if it is not one. */
function dashed(name: string): string {
  const result = name.replace(/[A-Z]/g, letter => `-${letter.toLowerCase()}`);
  if (!/^[a-z](?:[a-z0-9-]*[a-z0-9])?$/.test(result))
    throw new Error(`${HEADER} received an invalid directive name ${JSON.stringify(name)}`);
  return result;
}

/** Returns the parts of each directive by its name, in the order of the header. */
function directivesOf({
  useDefaults = true,
  directives,
}: ContentSecurityPolicyOptions): Map<string, Value[]> {
  const result = new Map<string, Value[]>(useDefaults ? Object.entries(DEFAULTS) : []);
  const seen = new Set<string>();
  let isDefaultDisabled = false;
  for (const [given, value] of Object.entries(directives ?? {})) {
    const name = dashed(given);
    if (seen.has(name)) throw new Error(`${HEADER} received a duplicate directive ${JSON.stringify(name)}`);
    seen.add(name);
    if (value === null) {
      if (name === 'default-src')
        throw new Error(
          `${HEADER} needs a default-src but it was set to \`null\`. If you really want to disable it, set it to \`contentSecurityPolicy.dangerouslyDisableDefaultSrc\`.`,
        );
      result.delete(name);
    } else if (value === dangerouslyDisableDefaultSrc) {
      if (name !== 'default-src')
        throw new Error(
          `${HEADER}: tried to disable ${JSON.stringify(name)} as if it were default-src; simply omit the key`,
        );
      isDefaultDisabled = true;
      result.delete(name);
    } else {
      result.set(name, entriesOf(name, value));
    }
  }
  if (result.size === 0)
    throw new Error(`${HEADER} has no directives. Either set some or disable the header`);
  if (!result.has('default-src') && !isDefaultDisabled)
    throw new Error(
      `${HEADER} needs a default-src but none was provided. If you really want to disable it, set it to \`contentSecurityPolicy.dangerouslyDisableDefaultSrc\`.`,
    );
  return result;
}

/** Calls a function of the application. Passes on errors as they are, and wraps other thrown values. */
function callValue(name: string, entry: ValueFunction, req: IncomingMessage, res: ServerResponse): string {
  let value: unknown;
  try {
    value = entry(req, res);
  } catch (thrown) {
    throw types.isNativeError(thrown) ? thrown : new Error(String(thrown));
  }
  if (typeof value !== 'string')
    throw new TypeError(
      `${HEADER}: expected the function of ${JSON.stringify(name)} to return a string, got ${String(value)}`,
    );
  assertQuoted(name, value);
  return value;
}

/** Returns the policy that the options describe; throws for values that browsers would reject. */
export function policyOf(options: Readonly<ContentSecurityPolicyOptions> = {}): Policy {
  const header = options.reportOnly ? `${HEADER}-Report-Only` : HEADER;
  const directives = [...directivesOf(options)];
  // The text to send, interleaved with the directives that contain functions.
  const pieces: (string | [name: string, entries: Value[]])[] = [];
  directives.forEach(([name, entries], index) => {
    const separator = index === 0 ? '' : ';';
    const isComputed = entries.some(entry => typeof entry === 'function');
    const value = isComputed ? '' : entries.join(' ');
    const text = `${separator}${name}${isComputed || value !== '' ? ' ' : ''}${value}`;
    const last = pieces.length - 1;
    if (typeof pieces[last] === 'string') pieces[last] += text;
    else pieces.push(text);
    if (isComputed) pieces.push([name, entries]);
  });
  const [first, ...others] = pieces;
  return {
    header,
    value: others.length === 0 ? (first as string) : undefined,
    compute(req, res) {
      let result = '';
      for (const piece of pieces) {
        if (typeof piece === 'string') {
          result += piece;
          continue;
        }
        const [name, entries] = piece;
        let value = '';
        for (let index = 0; index < entries.length; index++) {
          const entry = entries[index]!;
          const text = typeof entry === 'string' ? entry : callValue(name, entry, req, res);
          value += index === 0 ? text : ` ${text}`;
        }
        assertInside(name, value);
        result += value;
      }
      return result;
    },
  };
}

export { dangerouslyDisableDefaultSrc, getDefaultDirectives };
