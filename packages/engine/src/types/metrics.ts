/** The options of `web.metrics`, and what it returns. */
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
}

/** The handler from `web.metrics()`, which sends the metrics. */
export interface MetricsHandler extends RequestHandler {
  /**
   * Returns the metrics as text.
   * @param openMetrics whether as OpenMetrics 1.0, by default as the text format of Prometheus
   */
  text(openMetrics?: boolean): Promise<string>;
  /** Stops measuring. */
  close(): void;
}
