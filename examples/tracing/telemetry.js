/** OpenTelemetry spans and prom-client metrics from diagnostics channels: nothing is patched. */
'use strict';
const { AsyncLocalStorage } = require('node:async_hooks');
const { tracingChannel } = require('node:diagnostics_channel');
const { ROOT_CONTEXT, SpanKind, SpanStatusCode, context, trace } = require('@opentelemetry/api');
const { Histogram, Registry } = require('prom-client');

// A store holds the current context. With the SDK for Node.js, its own context manager does this.
const storage = new AsyncLocalStorage();
const contextManager = {
  active: () => storage.getStore() ?? ROOT_CONTEXT,
  with: (active, fn, thisArg, ...args) => storage.run(active, () => fn.apply(thisArg, args)),
  bind: (active, fn) => storage.run(active, () => AsyncLocalStorage.bind(fn)),
  enable: () => contextManager,
  disable: () => contextManager,
};
context.setGlobalContextManager(contextManager);

/**
 * Creates a span for everything that a tracing channel reports.
 * @param begin returns the name and the options of the span
 * @param isOver returns whether the span ends with the synchronous part
 * @param finish sets the attributes that are known at the end
 */
function spansOf(name, begin, isOver, finish) {
  const channel = tracingChannel(name);
  const spans = new WeakMap();
  const end = message => {
    const span = spans.get(message);
    if (!span) return;
    spans.delete(message);
    finish?.(span, message);
    span.end();
  };
  // Everything that runs or starts in this store has the span as its parent.
  channel.start.bindStore(storage, message => {
    const span = trace.getTracer('example').startSpan(...begin(message));
    spans.set(message, span);
    return trace.setSpan(context.active(), span);
  });
  channel.error.subscribe(message => {
    const span = spans.get(message);
    span?.recordException(message.error instanceof Error ? message.error : String(message.error));
    span?.setStatus({ code: SpanStatusCode.ERROR });
  });
  channel.end.subscribe(message => isOver(message) && end(message));
  channel.asyncEnd.subscribe(end);
}

/** Creates spans for requests, handlers and views. They go to OpenTelemetry's global provider. */
exports.startTracing = function startTracing() {
  spansOf(
    'ristretto.request',
    ({ req }) => [
      req.method,
      { kind: SpanKind.SERVER, attributes: { 'http.request.method': req.method, 'url.path': req.path } },
    ],
    () => false,
    (span, { req, res, aborted }) => {
      span.setAttribute('http.response.status_code', res.statusCode);
      if (aborted) span.setAttribute('aborted', true);
      if (req.matchedPath === undefined) return;
      span.updateName(`${req.method} ${req.matchedPath}`);
      span.setAttribute('http.route', req.matchedPath);
    },
  );
  // Without a result or an error the span continues: the handler has returned a promise.
  const isOver = message => 'result' in message || 'error' in message;
  spansOf(
    'express.router.request',
    ({ handler, param }) => [`${param === undefined ? 'handler' : 'param'} ${handler.name || 'anonymous'}`],
    isOver,
  );
  spansOf('ristretto.render', ({ view }) => [`render ${view}`], isOver);
};

/** Measures requests; returns a registry, whose `metrics()` returns the text for Prometheus. */
exports.startMetrics = function startMetrics() {
  const registry = new Registry();
  const duration = new Histogram({
    name: 'http_server_request_duration_seconds',
    help: 'Time from the request to the end of its response',
    labelNames: ['method', 'route', 'status'],
    registers: [registry],
  });
  const begun = new WeakMap();
  const { start, asyncEnd } = tracingChannel('ristretto.request');
  start.subscribe(message => begun.set(message, performance.now()));
  asyncEnd.subscribe(message => {
    const { req, res, aborted } = message;
    // The pattern, not the path: clients can request any number of paths.
    const labels = {
      method: req.method,
      route: req.matchedPath ?? '',
      status: aborted ? 'aborted' : res.statusCode,
    };
    duration.observe(labels, (performance.now() - begun.get(message)) / 1000);
  });
  return registry;
};
