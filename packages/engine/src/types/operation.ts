/** Options of the functions of `web` that operate an application: deadlines, health checks, metrics, overload, ids, traces. */
import type { IncomingMessage, Server } from 'node:http';
import type { ListenOptions } from 'node:net';
import type { RequestHandler, Request, Response } from 'express-serve-static-core';

/** Options for what happens when the deadline of a request passes. */
export interface DeadlineOptions {
  /**
   * The time after which the client may retry, for `Retry-After`, in milliseconds or as a string; false to omit the
   * header.
   * @default '10s'
   */
  retryAfter?: number | string | false | undefined;
  /** Whether to destroy a response that has already started. @default false */
  destroy?: boolean | undefined;
}

/**
 * Checks whether a dependency of the application is available.
 * @param signal aborted when the time for the check is over
 * @returns nothing or a result, or a promise of it, if it is available. It is not if the check throws or rejects, or
 * returns `false`, `null`, another falsy value except undefined, an error, or an object whose `ok` is false, such as a
 * `Response` of `fetch`
 */
export type HealthCheck = (signal: AbortSignal) => unknown;

/** The paths that report health, and the checks they run. */
export interface HealthOptions {
  /** The checks that must succeed before requests can be served, by name. @default none */
  checks?: Readonly<Record<string, HealthCheck>> | undefined;
  /**
   * The path of the liveness endpoint, which reports whether the process is alive; false for none.
   * @default '/livez'
   */
  live?: string | false | undefined;
  /**
   * The path of the readiness endpoint, which reports whether requests can be served; false for none.
   * @default '/readyz'
   */
  ready?: string | false | undefined;
  /** The timeout of each check, in milliseconds or as a string. @default '2s' */
  timeout?: number | string | undefined;
  /** How long the result of the checks is cached, in milliseconds or as a string; 0 disables caching. @default '1s' */
  maxAge?: number | string | undefined;
  /** Whether the response lists the checks and their results. @default true */
  details?: boolean | undefined;
}

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

/**
 * How important a request is: a `critical` one is never rejected, a `low` one sooner than others.
 */
export type OverloadPriority = 'critical' | 'normal' | 'low';

/**
 * Why a request was rejected: the event loop is late (`delay`), too many requests wait for a response (`requests`), or
 * memory is short (`memory`).
 */
export type OverloadReason = 'delay' | 'requests' | 'memory';

/** When requests are rejected, and which. */
export interface OverloadOptions {
  /**
   * How long requests may wait for the event loop, in milliseconds or as a string. They may wait longer for a fifth of a
   * second, as after a burst.
   * @default '20ms'
   */
  maxDelay?: number | string | undefined;
  /** How many requests may wait for a response at the same time. @default what the process can handle, as measured */
  maxRequests?: number | undefined;
  /** The share of V8's limit of the heap that may be in use. @default 0.9 */
  maxHeap?: number | undefined;
  /** The memory of the process, in bytes or text such as `'512mb'`. @default no limit */
  maxRss?: number | string | undefined;
  /**
   * The value of `Retry-After`, in milliseconds or as a string such as '10s', rounded up to seconds; false sends none.
   * @default '1s'
   */
  retryAfter?: number | string | false | undefined;
  /** Returns the priority of a request. Health checks of `web.health` are always critical. @default 'normal' */
  priority?: ((req: Request) => OverloadPriority) | undefined;
}

/** A request that `web.overload` has rejected, published on the channel `ristretto.overload`. */
export interface OverloadReport {
  /** The request. */
  req: Request;
  /** The response, which has been sent. */
  res: Response;
  /** Why it was rejected. */
  reason: OverloadReason;
}

/** The source of a request's ID, and the header for it. */
export interface RequestIdOptions {
  /** The header that is read from trusted proxies and set in the response. @default 'X-Request-Id' */
  header?: string | undefined;
  /** The proxies whose IDs are accepted: a value of the setting `trust proxy`. @default the setting itself */
  trust?:
    boolean | number | string | string[] | ((address: string | undefined, hop: 0) => boolean) | undefined;
  /** A function that generates an ID if none is accepted. @default `crypto.randomUUID` */
  generate?: ((req: IncomingMessage) => string) | undefined;
  /** Whether to set the header in the response. @default true */
  respond?: boolean | undefined;
}

/** What is reported to OpenTelemetry. */
export interface OpenTelemetryOptions {
  /** The package `@opentelemetry/api`. @default the one that the application depends on */
  api?: object | undefined;
  /** Whether each call of middleware, routers and route handlers has a span, too. @default true */
  handlers?: boolean | undefined;
}

/** The connection to OpenTelemetry. */
export interface OpenTelemetryBridge {
  /** Reports nothing from now on. */
  close(): void;
}
