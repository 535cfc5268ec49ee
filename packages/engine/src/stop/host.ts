/**
 * Stops servers of Bun and Deno, which serve an application through `app.fetch`: these wait for their own requests, and
 * the WebSockets of `app.ws` are closed as on Node.js.
 */
import { socketServerOf } from '../serving/fetch/socket-hosts';
import { endLongLived, restart } from '../serving/long-lived';
import { noteStop, noteStopped } from '../serving/process-state';
import type { HostServer, StopReport } from '../types/stop';
import type { StopTimes } from './stop-options';

/** The stops that have not ended. */
const stopping = new WeakMap<object, { done: Promise<StopReport>; force: () => void }>();

/** Stops a server once. */
export function stopHost(server: HostServer, times: StopTimes): Promise<StopReport> {
  let running = stopping.get(server);
  if (running === undefined) {
    let force = (): void => undefined;
    const forced = new Promise<void>(resolve => {
      force = resolve;
    });
    const timer = setTimeout(force, times.timeout);
    noteStop();
    const done = stopNow(server, times.delay, forced).finally(() => {
      clearTimeout(timer);
      stopping.delete(server);
      noteStopped();
    });
    stopping.set(server, (running = { done, force }));
  }
  return running.done;
}

/** Ends the wait for the rest of a stop. */
export function forceHost(server: HostServer): void {
  stopping.get(server)?.force();
}

async function stopNow(server: HostServer, delay: number, forced: Promise<void>): Promise<StopReport> {
  const report: StopReport = { completed: 0, idle: 0, aborted: 0, forced: 0, refused: 0 };
  if (delay > 0) {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const delayed = new Promise(resolve => {
      timer = setTimeout(resolve, delay);
    });
    await Promise.race([delayed, forced]);
    clearTimeout(timer);
  }
  const key = socketServerOf(server);
  const ends = endLongLived(key, report);
  // Bun first stops listening, and then waits for its sockets. Deno would end them without their handshake.
  const closed = 'shutdown' in server ? ends.then(() => server.shutdown()) : server.stop();
  const isOver = await Promise.race([
    Promise.allSettled([ends, closed]).then(() => true),
    forced.then(() => false),
  ]);
  if (!isOver) void ('shutdown' in server ? server.shutdown() : server.stop(true));
  restart(key);
  return report;
}
