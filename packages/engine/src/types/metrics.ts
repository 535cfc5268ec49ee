/** The options of `web.metrics`, and what it returns. */
import type { Server } from 'node:http';
import type { ListenOptions } from 'node:net';
import type { RequestHandler } from 'express-serve-static-core';

/** A registry of `prom-client`. */
export interface MetricsRegistry {
  /** Returns the text of all metrics. */
  metrics(): Promise<string> | string;
  /** The media type of the text. */
  readonly contentType: string;
  /** Returns a metric if the registry has it. */
  getSingleMetric(name: string): unknown;
}

/** What `web.metrics` measures. */
export interface MetricsOptions {
  /**
   * The upper bounds of the histogram of durations, in seconds.
   * @default those of the semantic conventions of OpenTelemetry, from 5 ms to 10 s
   */
  buckets?: readonly number[] | undefined;
  /** How many combinations of method, route and status are counted; further ones have the route `_other`. @default 2000 */
  maxSeries?: number | undefined;
  /** Whether memory, the event loop and other resources of the process are included. @default true */
  process?: boolean | undefined;
  /** A registry of `prom-client` whose metrics are included. @default none */
  register?: MetricsRegistry | undefined;
  /**
   * A port of 127.0.0.1, or options of `server.listen` such as `{ path }`, for a server of its own that sends the metrics at
   * `/metrics`, and responds to `/livez` and `/readyz` as `web.health()` does. It doesn't keep the process
   * running, and its requests are not measured.
   * @default no server
   */
  listen?: number | ListenOptions | undefined;
}

/** The handler from `web.metrics()`, which sends the metrics. */
export interface MetricsHandler extends RequestHandler {
  /**
   * Returns the metrics as text.
   * @param openMetrics whether as OpenMetrics 1.0, by default as the text format of Prometheus
   */
  text(openMetrics?: boolean): Promise<string>;
  /** The server of the option `listen`. */
  readonly server?: Server;
  /** Stops measuring, and closes the server. */
  close(): void;
}
