/** Checks the options of the functions that Express does not have. A misspelt option would otherwise do nothing. */
import { shown } from '../shown';

/**
 * @param caller the function, for messages: `web.health()`
 * @param given undefined stands for no options
 * @param names the options that the function has
 * @param kind what the names stand for
 * @throws TypeError unless it is an object with these names only
 */
export function checkNames(caller: string, given: unknown, names: readonly string[], kind = 'option'): void {
  if (given === undefined) return;
  if (typeof given !== 'object' || given === null || Array.isArray(given)) {
    throw new TypeError(`${caller}: expected an object with ${kind}s, got ${shown(given)}`);
  }
  const unknown = Object.keys(given).find(name => !names.includes(name));
  if (unknown === undefined) return;
  throw new TypeError(`${caller}: unknown ${kind} ${shown(unknown)}; the ${kind}s are ${names.join(', ')}`);
}

/** @throws TypeError if the value of an option is not what is wanted */
export function checkOption(
  isRight: boolean,
  caller: string,
  name: string,
  wanted: string,
  value: unknown,
): void {
  if (!isRight) throw new TypeError(`${caller}: ${name} must be ${wanted}, got ${shown(value)}`);
}

/** What the value of an option must be, in words for messages, and the test. */
export type Kind = readonly [wanted: string, test: (value: unknown) => boolean];
/** The kinds of a function's options. */
export type Kinds<Options> = Readonly<Record<keyof Options, Kind>>;

export const TEXT: Kind = ['a string', value => typeof value === 'string'];
export const FLAG: Kind = ['true or false', value => typeof value === 'boolean'];
export const FUNCTION: Kind = ['a function', value => typeof value === 'function'];
export const OBJECT: Kind = [
  'an object',
  value => typeof value === 'object' && value !== null && !Array.isArray(value),
];
/** A time, size or other value that the function that reads it checks. */
export const READ: Kind = ['', () => true];

export function listOf(what: string, test: Kind[1]): Kind {
  return [`an array of ${what}`, value => Array.isArray(value) && value.every(test)];
}

/** An object whose members, by any name, are of a kind. */
export function recordOf(what: string, test: Kind[1]): Kind {
  return [`an object of ${what}`, value => OBJECT[1](value) && Object.values(value as object).every(test)];
}

/** Tests for an object with a text of this name, beside any other members. */
export function hasText(name: string): Kind[1] {
  return value => OBJECT[1](value) && typeof (value as Record<string, unknown>)[name] === 'string';
}

/** Security Requirement Objects of OpenAPI. */
export const SECURITY = listOf('objects such as { bearer: [] }', recordOf('arrays', Array.isArray)[1]);
/** An External Documentation Object of OpenAPI. */
export const LINK: Kind = ['an object with a url', hasText('url')];

/** @throws TypeError unless it is an object with these options only, of these kinds or undefined */
export function checkOptions(caller: string, given: unknown, kinds: Readonly<Record<string, Kind>>): void {
  checkNames(caller, given, Object.keys(kinds));
  for (const [name, value] of Object.entries(given ?? {})) {
    const [wanted, test] = kinds[name]!;
    checkOption(value === undefined || test(value), caller, name, wanted, value);
  }
}
