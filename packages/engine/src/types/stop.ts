/** The options and reports of `web.stop` and `web.stopOnSignals`. */
import type { HostServer } from 'express-serve-static-core';

declare module 'express-serve-static-core' {
  /** A server of Bun or Deno, returned by `Bun.serve` or `Deno.serve`. */
  type HostServer =
    | {
        stop(closeActiveConnections?: boolean): Promise<void>;
        upgrade(...args: never[]): boolean;
        requestIP(...args: never[]): unknown;
      }
    | { shutdown(): Promise<void>; readonly finished: Promise<void> };
}

export type { HostServer };

/** Options for stopping a server. */
export interface StopOptions {
  /**
   * The time from the call until connections with in-flight requests are cut off, whether or not the client is reading,
   * in milliseconds or as a string such as '10s'.
   * @default '10s'
   */
  timeout?: number | string | undefined;
  /**
   * The time for which the server continues as before, so that load balancers can react, in milliseconds or as a string.
   * @default 0
   */
  delay?: number | string | undefined;
  /**
   * The time after `delay`, in milliseconds or as a string, for which keep-alive connections may still send requests, whose responses have
   * `Connection: close`, before idle ones are closed. A proxy that uses each of its connections within this time loses
   * no request.
   * @default 20
   */
  drain?: number | string | undefined;
}

/** Options for stopping servers on signals. */
export interface StopOnSignalsOptions extends StopOptions {
  /** The signals on which to stop. @default SIGTERM and SIGINT */
  signals?: readonly NodeJS.Signals[] | undefined;
  /**
   * Called with the signal after the stop has started: use it to end responses that `web.stop` does not know about,
   * such as long polls. Its errors are reported as those of `uncaught`, and do not end the stop.
   * @default none
   */
  onStop?: ((signal: NodeJS.Signals | 'uncaughtException') => void) | undefined;
  /**
   * Whether to stop on uncaught errors and unhandled rejections, too: the error is written to standard error, or
   * passed to the function, and the process exits with code 1, at the latest one second after the timeout.
   * @default false
   */
  uncaught?: boolean | ((error: unknown) => void) | undefined;
}

/** How the connections of a stopped server ended, each counted once, and the number of late requests. */
export interface StopReport {
  /** Connections that were closed after the response to their last request was complete. */
  completed: number;
  /** Connections that were closed without an in-flight request. */
  idle: number;
  /** Connections that the client closed before the response was complete. */
  aborted: number;
  /** Connections, including upgraded ones, that were cut off after the timeout. */
  forced: number;
  /** WebSockets of `app.ws` that were closed with 1001; absent if there were none. */
  sockets?: number;
  /** Requests that arrived too late, on a connection that was still busy, and got a 503. */
  refused: number;
}

/** The report of a stop, with the signal that triggered it. */
export interface SignalReport extends StopReport {
  /** The signal that was received, or `'uncaughtException'`. */
  signal: NodeJS.Signals | 'uncaughtException';
}
