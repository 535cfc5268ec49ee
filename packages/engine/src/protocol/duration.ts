/** Durations as text, such as `'10s'`, in the notation of the package `ms`. */

import { deferred } from '../deferred';

const ms = deferred(() => require('ms') as (text: string) => number | undefined);

/** The longest delay of Node's timers, in milliseconds. */
const LONGEST = 2 ** 31 - 1;

/**
 * @returns milliseconds, or undefined if the text is not a duration
 * @example parseDuration('1.5h'); // 5400000
 */
export function parseDuration(text: string): number | undefined {
  return text === '' ? undefined : ms()(text);
}

/**
 * Reads a duration for a timer.
 * @param what the purpose with its article, for error messages
 * @param given milliseconds, or text such as `'10s'`
 * @param least the minimum in milliseconds
 * @returns milliseconds
 * @throws TypeError for an invalid duration; RangeError for one that is less than `least` or too long for a timer
 * @example timerDuration('a deadline', '10s', 1); // 10000
 */
export function timerDuration(what: string, given: unknown, least: number): number {
  const value = typeof given === 'string' ? parseDuration(given) : given;
  const shown = typeof given === 'string' ? `'${given}'` : String(given);
  // Without a unit, a number often means seconds, as in environment variables; `ms` would read milliseconds.
  const lacksUnit = typeof given === 'string' && /^[\s\d.+-]*\d\s*$/.test(given);
  if (typeof value !== 'number' || lacksUnit) {
    const hint = lacksUnit ? ': add a unit, or pass a number' : '';
    throw new TypeError(`Expected milliseconds or a string such as '10s' for ${what}, got ${shown}${hint}`);
  }
  if (value >= least && value <= LONGEST) return value;
  throw new RangeError(`Expected ${what} of ${least} to ${LONGEST} milliseconds, got ${shown}`);
}
