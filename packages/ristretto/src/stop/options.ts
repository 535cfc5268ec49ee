/** The options of stopping, checked when they are given: a mistake would otherwise show in the last seconds of a process. */
import type { Server } from 'node:net';
import type { StopOnSignalsOptions, StopOptions } from '../types/stop';

const DEADLINE = 10_000;
const DRAIN = 20;
/** The longest time that Node's timers support. */
const LONGEST = 2 ** 31 - 1;

/** All in milliseconds; the deadline counts from the call. */
export interface StopTimes {
  readonly deadline: number;
  readonly delay: number;
  readonly drain: number;
}

/**
 * The times that the options name, or the usual ones.
 * @throws TypeError or RangeError when an option is no time, or the deadline comes before the server is closed
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

/** @throws TypeError when it is no server; an application is what is passed by mistake */
export function checkServer(server: unknown): void {
  const { close, on } = Object(server) as Partial<Server>;
  if (typeof close === 'function' && typeof on === 'function') return;
  const got = typeof server === 'function' ? 'a function' : String(server);
  throw new TypeError(`Expected a server (e.g. from app.listen()), got ${got}`);
}

/** @throws TypeError when a signal is none, or `onStop` no function */
export function checkSignals({ signals, onStop }: StopOnSignalsOptions, known: object): void {
  for (const signal of signals ?? []) {
    if (!Object.hasOwn(known, signal)) throw new TypeError(`Expected the name of a signal, got ${signal}`);
  }
  if (onStop !== undefined && typeof onStop !== 'function') {
    throw new TypeError('option onStop must be a function');
  }
}
