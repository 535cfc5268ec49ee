/**
 * Checks the options of `web.stop` when they are passed: a mistake would otherwise appear in the last seconds of a
 * process.
 */
import { types } from 'node:util';
import { isBunServer } from '../serving/fetch/socket-hosts';
import type { Server } from 'node:net';
import { timerDuration } from '../amount';
import { checkNames, checkOption } from '../report/option-checks';
import type { HostServer, StopOnSignalsOptions, StopOptions } from '../types/stop';

const TIMEOUT = 10_000;
const DRAIN = 20;
const TIMES = ['timeout', 'delay', 'drain'] satisfies (keyof StopOptions)[];
/** The kernel lets no program handle these. */
const UNHANDLED: readonly unknown[] = ['SIGKILL', 'SIGSTOP'];
const OF_SIGNALS = [...TIMES, 'signals', 'onStop', 'uncaught'] satisfies (keyof StopOnSignalsOptions)[];

/** All in milliseconds; the timeout counts from the call. */
export interface StopTimes {
  readonly timeout: number;
  readonly delay: number;
  readonly drain: number;
}

/**
 * Returns the times from the options, or the defaults.
 * @throws TypeError if an option is not a duration or does not exist; RangeError if one is out of range, or `delay` and
 * `drain` exceed the timeout
 */
export function stopTimes(
  options: StopOptions = {},
  caller = 'web.stop()',
  names: readonly string[] = TIMES,
): StopTimes {
  checkNames(caller, options, names);
  const timeout = timerDuration(`the timeout of ${caller}`, options.timeout ?? TIMEOUT, 0);
  const delay = timerDuration(`the delay of ${caller}`, options.delay ?? 0, 0);
  const ownDrain = options.drain ?? Math.min(DRAIN, Math.max(0, timeout - delay));
  const drain = timerDuration(`the drain of ${caller}`, ownDrain, 0);
  if (delay + drain > timeout) {
    throw new RangeError(
      `${caller}: timeout (${timeout}) must be longer than delay and drain together (${delay} and ${drain} milliseconds)`,
    );
  }
  return { timeout, delay, drain };
}

/** Whether it is a server of Bun or Deno. */
export function isHostServer(server: unknown): server is HostServer {
  const given = Object(server) as Record<string, unknown>;
  const { stop, shutdown, finished } = given;
  const isOfBun = isBunServer(given) && typeof stop === 'function';
  return isOfBun || (typeof shutdown === 'function' && types.isPromise(finished));
}

/** @throws TypeError if it is not a server; a common mistake is to pass the application */
export function checkServer(server: unknown): void {
  const { close, on } = Object(server) as Partial<Server>;
  if (isHostServer(server)) return;
  if (typeof close === 'function' && typeof on === 'function') return;
  const got = typeof server === 'function' ? 'a function' : String(server);
  throw new TypeError(`Expected a server (e.g. from app.listen()), got ${got}`);
}

/**
 * Returns the times from the options of `web.stopOnSignals`.
 * @throws TypeError if a signal is unknown or can't be handled, or `onStop` is not a function; and what `stopTimes` throws
 */
export function stopTimesOnSignals(options: StopOnSignalsOptions, known: object): StopTimes {
  const caller = 'web.stopOnSignals()';
  const times = stopTimes(options, caller, OF_SIGNALS);
  const { signals = [], onStop, uncaught = false } = options;
  const isSignal = (name: unknown): boolean =>
    Object.hasOwn(known, String(name)) && !UNHANDLED.includes(name);
  const areSignals = Array.isArray(signals) && signals.every(isSignal);
  checkOption(areSignals, caller, 'signals', "an array of names such as ['SIGTERM']", signals);
  checkOption(onStop === undefined || typeof onStop === 'function', caller, 'onStop', 'a function', onStop);
  const isPolicy = typeof uncaught === 'boolean' || typeof uncaught === 'function';
  checkOption(isPolicy, caller, 'uncaught', 'true, false or a function', uncaught);
  return times;
}
