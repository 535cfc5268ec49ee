/**
 * Traces of this process: the newest requests, with the time that each handler, query and view took. They
 * come from the diagnostics channels of the framework, so nothing is patched.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import { tracingChannel } from 'node:diagnostics_channel';
import type web from 'ristretto';
import { type Database, type Run, sqlOf } from './data/database.js';

const MOST_TRACES = 40;
const MOST_SPANS = 60;

interface Span {
  kind: 'handler' | 'view' | 'query';
  name: string;
  /** Milliseconds since the request began. */
  start: number;
  /** Milliseconds until the response or the next handler; until then undefined. */
  took?: number;
}
export interface Trace {
  method: string;
  path: string;
  route: string;
  status: number;
  at: Date;
  took: number;
  spans: Span[];
}

/** The requests in flight. */
const current = new AsyncLocalStorage<{ began: number; at: Date; spans: Span[] }>();

/** Adds a span to the current request, if there is one; returns a function that ends it. */
function begin(kind: Span['kind'], name: string): () => void {
  const request = current.getStore();
  if (!request || request.spans.length >= MOST_SPANS) return () => undefined;
  const span: Span = { kind, name, start: performance.now() - request.began };
  request.spans.push(span);
  return () => (span.took = performance.now() - request.began - span.start);
}

/** The same database, with its queries in the traces. */
export function traced(db: Database): Database {
  const query: Run = (text, values) =>
    db.query(text, values).finally(begin('query', text.trim().replaceAll(/\s+/g, ' ')));
  return {
    ...db,
    query,
    sql: sqlOf(query),
    transaction: work => db.transaction(work).finally(begin('query', 'transaction')),
  };
}

/** Starts to record. */
function observe() {
  const traces: Trace[] = [];
  const requests = tracingChannel<object, web.RequestTrace>('ristretto.request');
  const inFlight = new WeakMap<object, { began: number; at: Date; spans: Span[] }>();
  requests.start.bindStore(current, message => {
    const request = { began: performance.now(), at: new Date(), spans: [] };
    inFlight.set(message, request);
    return request;
  });
  requests.asyncEnd.subscribe(message => {
    const { req, res } = message as web.RequestTrace;
    const request = inFlight.get(message as object);
    // Streams are open for as long as their page.
    if (!request || res.get('Content-Type')?.startsWith('text/event-stream')) return;
    const { began, ...rest } = request;
    const took = performance.now() - began;
    for (const span of rest.spans) span.took ??= took - span.start;
    traces.unshift({
      method: req.method,
      path: req.originalUrl,
      route: req.matchedPath ?? '',
      status: res.statusCode,
      took,
      ...rest,
    });
    traces.length = Math.min(traces.length, MOST_TRACES);
  });

  const ends = new WeakMap<object, () => void>();
  const views = tracingChannel<object, web.RenderTrace>('ristretto.render');
  views.start.subscribe(message =>
    ends.set(message as object, begin('view', (message as web.RenderTrace).view)),
  );
  views.asyncEnd.subscribe(message => ends.get(message as object)?.());
  const handlers = tracingChannel<object, web.HandlerTrace>('express.router.request');
  handlers.start.subscribe(message => {
    const { layer, handler, route } = message as web.HandlerTrace;
    ends.set(
      message as object,
      begin('handler', `${handler.name || layer.name} ${route === '/' ? '' : String(route ?? '')}`),
    );
  });
  handlers.end.subscribe(message => ends.get(message as object)?.());
  handlers.asyncEnd.subscribe(message => ends.get(message as object)?.());

  return traces;
}

/** The newest traces of all applications of this process, the newest first. */
export const traces = observe();
