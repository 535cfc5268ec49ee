/** `web.stopOnSignals`: stops servers when the process receives a signal. */
import type { Server } from 'node:net';
import { constants } from 'node:os';
import { performance } from 'node:perf_hooks';
import { inspect } from 'node:util';
import { isPromise } from '../realms';
import type { HostServer, SignalReport, StopOnSignalsOptions, StopReport } from '../types/stop';
import { checkServer, isHostServer, stopTimesOnSignals } from './stop-options';
import { noteStop } from '../serving/process-state';
import { watchSessions } from '../serving/http2/sessions';
import { forceStop, stop } from './stop';

const SIGNALS: readonly NodeJS.Signals[] = ['SIGTERM', 'SIGINT'];

/**
 * Milliseconds within which further signals count as the same one: a terminal signals every process of a group, and npm
 * forwards the signals it receives.
 */
const SAME = 500;

/** Milliseconds after the timeout until a process exits that an uncaught error has stopped. */
const GRACE = 1000;

type Reason = NodeJS.Signals | 'uncaughtException';

/**
 * Stops one or more servers, as `web.stop` does, on the first of the signals. Another signal, at least half a second
 * later, cuts off the connections that are left. The process is not exited: it ends by itself when nothing else keeps
 * it alive, and the signals do not end it before the stop is complete. With `uncaught`, an error that nothing catches stops
 * the servers, too, and the process exits with code 1.
 *
 * @param servers servers returned by `app.listen`, `http.createServer` and similar functions
 * @param options those of `web.stop`, `signals` to stop on, and `onStop`, called on the first signal
 * @returns a promise of the signal and of the number of connections by how they ended; it never rejects
 * @throws TypeError if a server is not one, or an option is invalid; RangeError if a time is out of range
 * @example
 * const server = app.listen(3000);
 * web.stopOnSignals(server, { timeout: 8000 }).then(() => database.end());
 */
export function stopOnSignals(
  servers: Server | HostServer | readonly (Server | HostServer)[],
  options: StopOnSignalsOptions = {},
): Promise<SignalReport> {
  const all = [servers].flat() as readonly (Server | HostServer)[];
  const times = stopTimesOnSignals(options, constants.signals);
  for (const server of all) {
    checkServer(server);
    if (!isHostServer(server)) watchSessions(server);
  }
  const { signals = SIGNALS, onStop, uncaught = false } = options;
  return new Promise(resolve => {
    let begun: number | undefined;
    const receive = (signal: Reason): void => {
      if (begun !== undefined) {
        if (performance.now() - begun >= SAME) all.forEach(forceStop);
        return;
      }
      begun = performance.now();
      // This is never reverted: the process is ending.
      noteStop();
      const stops = all.map(server => stop(server, times));
      void Promise.all(stops).then(reports => {
        for (const name of signals) process.off(name, receive);
        resolve({ signal, ...sum(reports) });
      });
      try {
        const stopped: unknown = onStop?.(signal);
        if (isPromise(stopped)) stopped.then(undefined, report);
      } catch (error) {
        report(error);
      }
    };
    const report = (error: unknown): void => {
      process.exitCode = 1;
      if (typeof uncaught === 'function') uncaught(error);
      else process.stderr.write(`${inspect(error)}\n`);
    };
    const fail = (error: unknown): void => {
      report(error);
      // Further errors are only reported: the connections that are left may still get their responses.
      if (begun !== undefined) return;
      receive('uncaughtException');
      // Something else may keep the process running.
      setTimeout(() => process.exit(1), times.timeout + GRACE).unref();
    };
    for (const signal of signals) process.on(signal, receive);
    if (uncaught !== false) process.on('uncaughtException', fail);
  });
}

function sum(reports: readonly StopReport[]): StopReport {
  const total: StopReport = { completed: 0, idle: 0, aborted: 0, forced: 0, refused: 0 };
  for (const report of reports) {
    for (const name of Object.keys(report) as (keyof StopReport)[]) {
      total[name] = (total[name] ?? 0) + (report[name] ?? 0);
    }
  }
  return total;
}
