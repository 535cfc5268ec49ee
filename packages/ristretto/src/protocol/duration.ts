/** Durations as text, such as `'10s'`, in the notation of the package `ms`. */

/** What Node's timers can wait for. */
const LONGEST = 2 ** 31 - 1;

/**
 * @returns milliseconds; undefined for text that is no duration
 * @example parseDuration('1.5h'); // 5400000
 */
export function parseDuration(text: string): number | undefined {
  // Loaded only for text: most applications give none, or a number.
  return text === '' ? undefined : (require('ms') as (text: string) => number | undefined)(text);
}

/**
 * Reads a duration that a timer is set by.
 * @param what it is for, with its article: part of the error messages
 * @param least in milliseconds
 * @returns milliseconds
 * @throws TypeError for what is no duration, and RangeError for one that a timer can't wait for
 * @example timerDuration('a deadline', '10s', 1); // 10000
 */
export function timerDuration(what: string, given: unknown, least: number): number {
  const value = typeof given === 'string' ? parseDuration(given) : given;
  const shown = typeof given === 'string' ? `'${given}'` : String(given);
  if (typeof value !== 'number') {
    throw new TypeError(`Expected milliseconds or a string such as '10s' for ${what}, got ${shown}`);
  }
  if (value >= least && value <= LONGEST) return value;
  throw new RangeError(`Expected ${what} of ${least} to ${LONGEST} milliseconds, got ${shown}`);
}
