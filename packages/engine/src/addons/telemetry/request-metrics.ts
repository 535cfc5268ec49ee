/** Counts requests and their durations, from the channel `ristretto.request`. */
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { METHODS } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { performance } from 'node:perf_hooks';
import { requests, rejectedRequests } from '../../report/channels';
import type { Family, Labels, Sample } from './exposition';
import { formatNumber } from './exposition';
import { counter, gauge } from './process-metrics';

interface Message {
  req: IncomingMessage & { matchedPath?: string | undefined };
  res: ServerResponse;
  aborted?: boolean;
  [begun: symbol]: number | undefined;
}

/** The durations of requests with the same labels. */
class Series {
  readonly counts: Float64Array;
  sum = 0;

  constructor(
    readonly labels: Labels,
    size: number,
  ) {
    this.counts = new Float64Array(size + 1);
  }
}

const OTHER = '_other';
const KNOWN = new Set(METHODS);

export class RequestMetrics {
  /** When a request began, on the message that all of its events share; other instances began to measure earlier. */
  private readonly begun = Symbol('begun');
  private readonly buckets: readonly number[];
  private readonly maxSeries: number;
  /** The series by route, then by status, then by method. */
  private readonly routes = new Map<string, Map<number, Map<string, Series>>>();
  private readonly all: Series[] = [];
  private active = 0;
  private errors = 0;
  private aborted = 0;
  private received = 0;
  private sent = 0;
  private readonly rejected = new Map<string, number>();

  constructor(buckets: readonly number[], maxSeries: number) {
    this.buckets = buckets;
    this.maxSeries = maxSeries;
    for (const [name, listener] of this.listeners()) subscribe(name, listener);
  }

  close(): void {
    for (const [name, listener] of this.listeners()) unsubscribe(name, listener);
  }

  private listeners(): [name: string | symbol, listener: (message: unknown) => void][] {
    return [
      [requests.start.name, this.begin],
      [requests.asyncEnd.name, this.end],
      [requests.error.name, this.fail],
      [rejectedRequests.name, this.reject],
    ];
  }

  private readonly begin = (message: unknown): void => {
    this.active++;
    (message as Message)[this.begun] = performance.now();
  };

  private readonly fail = (): void => {
    this.errors++;
  };

  private readonly reject = (message: unknown): void => {
    const { reason } = message as { reason: string };
    this.rejected.set(reason, (this.rejected.get(reason) ?? 0) + 1);
  };

  private readonly end = (message: unknown): void => {
    const { req, res, aborted, [this.begun]: begun } = message as Message;
    // The request began before the subscription.
    if (begun === undefined) return;
    const seconds = (performance.now() - begun) / 1000;
    this.active--;
    if (aborted === true) this.aborted++;
    const method = req.method!;
    this.countBytes(method, req, res);
    this.record(method, req.matchedPath ?? '', res.statusCode, seconds);
  };

  /** Nothing catches what a subscriber throws, and the program may have replaced `res.getHeader`. */
  private countBytes(method: string, req: Message['req'], res: Message['res']): void {
    try {
      if (method !== 'GET' && method !== 'HEAD') this.received += lengthOf(req.headers['content-length']);
      if (method !== 'HEAD') this.sent += lengthOf(res.getHeader('content-length'));
    } catch {
      // These bytes are not counted
    }
  }

  /** Adds a duration to the series of its labels. */
  record(method: string, route: string, status: number, seconds: number): void {
    const series = this.routes.get(route)?.get(status)?.get(method) ?? this.create(method, route, status);
    const { buckets } = this;
    let i = 0;
    while (i < buckets.length && seconds > buckets[i]!) i++;
    series.counts[i]!++;
    series.sum += seconds;
  }

  private create(given: string, path: string, status: number): Series {
    // Clients can send any method over HTTP/2.
    const method = KNOWN.has(given) ? given : '_OTHER';
    const isFull = this.all.length >= this.maxSeries;
    const route = isFull ? OTHER : path;
    const statuses = child(this.routes, route);
    const methods = child(statuses, status);
    let series = methods.get(method);
    if (series !== undefined) return series;
    const labels = {
      http_request_method: method,
      http_route: route,
      http_response_status_code: status,
    };
    series = new Series(labels, this.buckets.length);
    methods.set(method, series);
    this.all.push(series);
    return series;
  }

  families(): Family[] {
    return [
      {
        name: 'http_server_request_duration_seconds',
        type: 'histogram',
        help: 'Time from the request to the end of its response',
        samples: this.all.flatMap(series => this.samplesOf(series)),
      },
      gauge('http_server_active_requests', 'Requests whose response has not ended', this.active),
      counter('http_server_unhandled_errors', 'Errors that no handler handled', this.errors),
      counter(
        'http_server_aborted_requests',
        'Requests whose client disconnected before the end of the response',
        this.aborted,
      ),
      counter('http_server_request_body_bytes', 'Bytes of request bodies, by Content-Length', this.received),
      counter('http_server_response_body_bytes', 'Bytes of response bodies, by Content-Length', this.sent),
      {
        name: 'ristretto_overload_requests',
        type: 'counter',
        help: 'Requests that web.overload has rejected, by reason',
        samples: ['delay', 'requests', 'memory'].map(reason => ({
          labels: { reason },
          value: this.rejected.get(reason) ?? 0,
        })),
      },
    ];
  }

  private samplesOf({ labels, counts, sum }: Series): Sample[] {
    let count = 0;
    const bounds = [...this.buckets, Infinity];
    const samples = bounds.map((bound, i) => {
      count += counts[i]!;
      return { suffix: '_bucket', labels: { ...labels, le: formatNumber(bound) }, value: count };
    });
    return [...samples, { suffix: '_sum', labels, value: sum }, { suffix: '_count', labels, value: count }];
  }
}

/** Returns the inner map of a key, which is created if there is none. */
function child<Outer, Key, Value>(parent: Map<Outer, Map<Key, Value>>, key: Outer): Map<Key, Value> {
  let map = parent.get(key);
  if (map === undefined) parent.set(key, (map = new Map<Key, Value>()));
  return map;
}

function lengthOf(value: unknown): number {
  return value === undefined ? 0 : Number(value) || 0;
}
