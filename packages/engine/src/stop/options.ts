/**
 * Checks the options of `web.stop` when they are passed: a mistake would otherwise appear in the last seconds of a
 * process.
 */
import type { Server } from 'node:net';
import type { StopOnSignalsOptions, StopOptions } from '../types/stop';

const DEADLINE = 10_000;
const DRAIN = 20;
/** The longest delay that Node's timers support. */
const LONGEST = 2 ** 31 - 1;

/** All in milliseconds; the deadline counts from the call. */
export interface StopTimes {
  readonly deadline: number;
  readonly delay: number;
  readonly drain: number;
}

/**
 * Returns the times from the options, or the defaults.
 * @throws TypeError if an option is not a number; RangeError if one is out of range, or `delay` and `drain` exceed the
 * deadline
 */
export function stopTimes(options: StopOptions = {}): StopTimes {
  const deadline = milliseconds('deadline', options.deadline ?? DEADLINE);
  const delay = milliseconds('delay', options.delay ?? 0);
  const drain = milliseconds('drain', options.drain ?? Math.min(DRAIN, Math.max(0, deadline - delay)));
  if (delay + drain > deadline) {
    throw new RangeError(
      `option deadline (${deadline}) must be longer than delay and drain together (${delay} and ${drain} milliseconds)`,
    );
  }
  return { deadline, delay, drain };
}

function milliseconds(name: string, value: unknown): number {
  if (typeof value !== 'number') {
    throw new TypeError(`option ${name} must be a number of milliseconds, not ${String(value)}`);
  }
  if (value >= 0 && value <= LONGEST) return value;
  throw new RangeError(`option ${name} must be from 0 to ${LONGEST} milliseconds, not ${value}`);
}

/** @throws TypeError if it is not a server; a common mistake is to pass the application */
export function checkServer(server: unknown): void {
  const { close, on } = Object(server) as Partial<Server>;
  if (typeof close === 'function' && typeof on === 'function') return;
  const got = typeof server === 'function' ? 'a function' : String(server);
  throw new TypeError(`Expected a server (e.g. from app.listen()), got ${got}`);
}

/** @throws TypeError if a signal is unknown, or `onStop` is not a function */
export function checkSignals({ signals, onStop }: StopOnSignalsOptions, known: object): void {
  for (const signal of signals ?? []) {
    if (!Object.hasOwn(known, signal)) throw new TypeError(`Expected the name of a signal, got ${signal}`);
  }
  if (onStop !== undefined && typeof onStop !== 'function') {
    throw new TypeError('option onStop must be a function');
  }
}
