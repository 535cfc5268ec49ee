/** Sizes and durations, for every option and setting: numbers are bytes and milliseconds, and text has a unit. */
import { deferred } from './deferred';
import { shown } from './shown';

const ms = deferred(() => require('ms') as (text: string) => number | undefined);

/** The notation of the package `bytes`, which itself reads `'10 megs'` as 10 bytes. */
const SIZE = /^\+?(\d+(?:\.\d+)?) *([kmgtp]?b)?$/i;
const UNITS = ['b', 'kb', 'mb', 'gb', 'tb', 'pb'];

/** The longest delay of Node's timers, in milliseconds. */
const LONGEST = 2 ** 31 - 1;

/**
 * @returns bytes, or undefined if it is neither a number from 0 nor the text of a size
 * @example readSize('1.5kb'); // 1536
 */
export function readSize(given: unknown): number | undefined {
  if (typeof given === 'number') return given >= 0 ? given : undefined;
  const found = typeof given === 'string' ? SIZE.exec(given.trim()) : null;
  if (found === null) return undefined;
  return Math.floor(Number(found[1]) * 1024 ** UNITS.indexOf((found[2] ?? 'b').toLowerCase()));
}

/**
 * @returns milliseconds, or undefined if it is neither a number nor the text of a duration, in the notation of the package `ms`
 * @example readDuration('1.5h'); // 5400000
 */
export function readDuration(given: unknown): number | undefined {
  const value = typeof given === 'string' && given !== '' ? ms()(given) : given;
  return typeof value === 'number' && !Number.isNaN(value) ? value : undefined;
}

/**
 * Reads an option that limits a number of bytes.
 * @param caller the function, for messages: `app.ws()`
 * @param given a number of bytes, or text such as `'1mb'`
 * @param least the minimum
 * @throws TypeError for anything else
 * @example sizeOption('app.ws()', 'maxPayload', '100kb'); // 102400
 */
export function sizeOption(caller: string, name: string, given: unknown, least = 1): number {
  const value = readSize(given);
  if (value === Infinity || (Number.isInteger(value) && value! >= least)) return value!;
  const message = `${caller}: ${name} must be a number of bytes, or text such as '1mb', got ${shown(given)}`;
  throw new TypeError(message);
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
  const value = readDuration(given);
  const text = shown(given);
  // Without a unit, a number often means seconds, as in environment variables; `ms` would read milliseconds.
  const lacksUnit = typeof given === 'string' && /^[\s\d.+-]*\d\s*$/.test(given);
  if (lacksUnit || (value === undefined && typeof given !== 'number')) {
    const hint = lacksUnit ? ': add a unit, or pass a number' : '';
    throw new TypeError(`Expected milliseconds or a string such as '10s' for ${what}, got ${text}${hint}`);
  }
  if (value !== undefined && value >= least && value <= LONGEST) return value;
  throw new RangeError(`Expected ${what} of ${least} to ${LONGEST} milliseconds, got ${text}`);
}

/**
 * Reads the option `retryAfter`.
 * @returns the header's whole seconds; undefined for false
 * @throws like `timerDuration`; also for less than a second other than 0, because a small number means seconds
 */
export function retryAfterOf(caller: string, given: unknown): string | undefined {
  if (given === false) return undefined;
  const least = given === 0 ? 0 : 1000;
  return String(Math.ceil(timerDuration(`the retryAfter of ${caller}`, given, least) / 1000));
}
