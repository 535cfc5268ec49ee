/** What stopping a server takes and reports. */

/** How a server is to be stopped. */
export interface StopOptions {
  /**
   * Milliseconds from the call until connections that still have a request in flight are cut off, whether or not the
   * client reads.
   * @default 10_000
   */
  deadline?: number | undefined;
  /**
   * Milliseconds for which the server goes on as before, while load balancers take notice.
   * @default 0
   */
  delay?: number | undefined;
  /**
   * Milliseconds after that for which keep-alive connections may bring a request, whose response has
   * `Connection: close`, before those that bring none are closed. A proxy that keeps its connections in
   * use loses no request if each is used in this time.
   * @default 20
   */
  drain?: number | undefined;
}

/** How a server is to be stopped, and when. */
export interface StopOnSignalsOptions extends StopOptions {
  /** The signals that stop the server. @default SIGTERM and SIGINT */
  signals?: readonly NodeJS.Signals[] | undefined;
  /**
   * Called when the signal has come and the stop has begun: the time to fail health checks and to end WebSockets.
   * @default none
   */
  onStop?: ((signal: NodeJS.Signals) => void) | undefined;
}

/** What became of the connections of a stopped server, each counted once, and of late requests. */
export interface StopReport {
  /** Connections that were closed after the response to their last request was complete. */
  completed: number;
  /** Connections that were closed with no request in flight. */
  idle: number;
  /** Connections that the client closed before its response was complete. */
  aborted: number;
  /** Connections, upgraded ones among them, that were cut off at the deadline. */
  forced: number;
  /** Requests that came too late, on a connection that was still busy, and got a 503. */
  refused: number;
}

/** The same, with the signal that began it. */
export interface SignalReport extends StopReport {
  /** The signal that came. */
  signal: NodeJS.Signals;
}
