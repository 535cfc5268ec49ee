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
