/** The spans of OpenTelemetry's instrumentations, and of `web.openTelemetry` beside them. */
'use strict';

const assert = require('node:assert/strict');
const { register } = require('node:module');
const { pathToFileURL } = require('node:url');

/** Ports and addresses differ from run to run. */
const RANDOM = new Set(['net.host.port', 'net.peer.port', 'server.port', 'client.port', 'network.peer.port']);

/** A span without times and ids; its parent is named. */
function plain(span, all) {
  const parentId = span.parentSpanContext?.spanId;
  const attributes = Object.entries(span.attributes).map(([name, value]) => [
    name,
    RANDOM.has(name) ? '<port>' : value,
  ]);
  return {
    name: span.name,
    kind: span.kind,
    parent: parentId && (all.find(other => other.spanContext().spanId === parentId)?.name ?? '<not ended>'),
    attributes: Object.fromEntries(attributes),
    status: span.status,
    events: span.events.map(({ name, attributes }) => [
      name,
      { ...attributes, 'exception.stacktrace': undefined },
    ]),
  };
}

/** Starts the SDK. `take` returns the spans that have ended since the last time. */
function startSdk() {
  const { AsyncLocalStorageContextManager } = require('@opentelemetry/context-async-hooks');
  const { InMemorySpanExporter, SimpleSpanProcessor } = require('@opentelemetry/sdk-trace-base');
  const { NodeTracerProvider } = require('@opentelemetry/sdk-trace-node');
  const exporter = new InMemorySpanExporter();
  const provider = new NodeTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] });
  provider.register({ contextManager: new AsyncLocalStorageContextManager() });
  return async function take() {
    // The server's span ends with the response, which the client may see first.
    await new Promise(resolve => setTimeout(resolve, 5));
    const spans = exporter.getFinishedSpans();
    const ended = spans.map(span => plain(span, spans));
    exporter.reset();
    return ended;
  };
}

/** Starts tracing with the instrumentations of http and of express, or of a package `router`, or of nothing else: null. */
function start(options, of = 'Express') {
  const take = startSdk();
  const { registerInstrumentations } = require('@opentelemetry/instrumentation');
  const { HttpInstrumentation } = require('@opentelemetry/instrumentation-http');
  const http = new HttpInstrumentation();
  if (of === null) {
    registerInstrumentations({ instrumentations: [http] });
    return { instrumentation: http, take };
  }
  const instrumentations = require(`@opentelemetry/instrumentation-${of.toLowerCase()}`);
  const instrumentation = new instrumentations[`${of}Instrumentation`](options);
  registerInstrumentations({ instrumentations: [http, instrumentation] });
  return { instrumentation, take };
}

const NOT_THE_SAME = [
  {
    places: /^\.seen\.GET \/users\/(?:bad|%zz)\./,
    reason: 'The instrumentation does not know the route of a request whose parameter is rejected',
  },
  {
    places: /^\.seen\.GET \/(?:array\/|several\/|places\.)/,
    reason: 'Of an array of paths, the one that has matched is the route, not all of them',
  },
  {
    places: /^\.seen\.GET \/(?:api|admin)\/missing\./,
    reason: 'A request that no route has responded to has no route, not the path of the last middleware',
  },
  {
    places: /^\.seen\.GET \/fail\/text\./,
    reason: 'What is thrown is recorded in the span of the request, even if it is no Error',
  },
];

/** What is compared of a span, as one line. The span of the request is that of the server. */
const shown =
  isOn4 =>
  ({ name, kind, parent, status, events }, _index, all) => {
    const isServer = kind === 1;
    const isInRequest = parent === all.find(span => span.kind === 1)?.name;
    // On Express 5, the instrumentation does not know the paths of handlers.
    const title = isOn4 ? name : name.replace(/^request handler.*/, 'request handler');
    const exceptions = events.map(([event, { 'exception.message': message }]) => `, ${event} ${message}`);
    const place = isServer ? '' : ` in ${isInRequest ? 'the request' : parent}`;
    return `${title}${place}, status ${status.code}${exceptions.join('')}`;
  };

/** Without that of exceptions, which are not compared. */
const KNOWN = NOT_THE_SAME.slice(0, 3);

const isOfServer = ({ kind }) => kind === 1;
const shownOfOpentelemetryHttp = ({ name, attributes, status }) =>
  `${name}, ${attributes['http.route']}, status ${status.code}`;

module.exports = {
  programs: {
    /** OpenTelemetry in an application of ES modules: the framework is loaded with `import`. */
    'import-opentelemetry': {
      packages: ['@opentelemetry/instrumentation', '@opentelemetry/instrumentation-express'],
      exercised:
        'An application of ES modules, `import express, { Router, json } from "express"`, with the loader hook: the spans of routes.',
      quick: true,

      async run(tools) {
        register('@opentelemetry/instrumentation/hook.mjs', pathToFileURL(__filename));
        const { take } = start({});
        const { drive } = await import('../fixtures/module.mjs');
        const record = await drive(tools, take);
        const handler = record['/things/5'].recorded.find(
          span => span.attributes['express.type'] === 'request_handler',
        );
        assert.equal(handler.attributes['http.route'], '/things/:id');
        assert.ok(record['/things/5'].recorded.some(span => span.name === 'GET /things/:id'));
        return record;
      },
    },

    /** The spans that OpenTelemetry records for the application: names, attributes, parents, exceptions. */
    opentelemetry: {
      packages: ['@opentelemetry/instrumentation-express', '@opentelemetry/instrumentation-http'],
      exercised:
        'All spans of 43 requests (names, parents, attributes, exceptions): routes, arrays, expressions, nested routers, ' +
        'mounted applications, errors, 404, next("route") and next("router"); requestHook, spanNameHook, ignoreLayers, ' +
        'ignoreLayersType; a trace context in the handlers; disable.',
      quick: [4, 5],

      async run({ listen, request, note }) {
        const { instrumentation, take } = start({
          requestHook: (span, { route, layerType }) => span.setAttribute('hook', `${layerType} ${route}`),
          spanNameHook: ({ layerType, route }, name) => (route === '/chain' ? `${layerType}: ${name}` : name),
          ignoreLayers: [name => name === '/places'],
        });
        const express = require('express');
        const { context, trace } = require('@opentelemetry/api');
        const { application, drive } = require('../fixtures/application.cjs');
        const app = application(express, {
          before: it =>
            it.use((req, res, next) => {
              note(req.url, trace.getSpan(context.active())?.attributes['express.name']);
              next();
            }),
        });
        const server = await listen(app);
        const record = await drive(server, request, take);
        const spansOf = title => record[title].recorded;
        const item = spansOf('GET /api/acme/items/5');
        const main = item.find(span => span.kind === 1);
        assert.equal(main.name, 'GET /api/:tenant/items/:item');
        assert.equal(main.attributes['http.route'], '/api/:tenant/items/:item');
        const handler = item.find(span => span.attributes['express.type'] === 'request_handler');
        assert.equal(handler.attributes['http.route'], '/api/:tenant/items/:item');
        assert.ok(item.some(span => span.name === 'middleware - inItems'));
        assert.ok(spansOf('GET /fail/throw').some(span => span.events.length > 0));

        instrumentation.disable();
        const plainApp = express();
        plainApp.get('/after', (req, res) => res.send('after'));
        const after = await request(await listen(plainApp), { path: '/after' });
        return {
          record,
          after,
          patched: Object.keys(express.Router).filter(name => express.Router[name].__original),
        };
      },
    },

    /** The spans of `web.openTelemetry` beside those that OpenTelemetry's instrumentations record for Express. */
    'opentelemetry-unpatched': {
      packages: ['@opentelemetry/instrumentation-express', '@opentelemetry/instrumentation-http'],
      exercised:
        'Spans of 43 requests: those of the instrumentations on Express, and those of `web.openTelemetry` without any here. Names, ' +
        'parents, statuses, exceptions.',
      known: NOT_THE_SAME,
      knownOn5: NOT_THE_SAME,

      async run({ listen, request }) {
        process.env.OTEL_SEMCONV_STABILITY_OPT_IN = 'http';
        // Instrumentations patch what is loaded after them.
        const isOurs = JSON.stringify(require('express/package.json')).includes('ristretto');
        const take = isOurs ? startSdk() : start().take;
        const express = require('express');
        if (isOurs) express.openTelemetry({ api: require('@opentelemetry/api') });
        const { application, drive, isOn4 } = require('../fixtures/application.cjs');
        const record = await drive(await listen(application(express)), request, take);
        const names = record['GET /api/acme/items/5'].recorded.map(({ name }) => name);
        assert.ok(names.includes('GET /api/:tenant/items/:item'), names.join());
        return Object.fromEntries(
          Object.entries(record).map(([title, { recorded }]) => [title, recorded.map(shown(isOn4)).sort()]),
        );
      },
    },

    /**
     * The spans of OpenTelemetry's instrumentation of http, to which that of Express, or `web.openTelemetry`, adds
     * the route.
     */
    'opentelemetry-http': {
      packages: ['@opentelemetry/instrumentation-express', '@opentelemetry/instrumentation-http'],
      exercised:
        'The spans of the server for 43 requests, which are those of the instrumentation of http on both sides: names, routes, ' +
        'statuses. Beside it, the instrumentation of Express there, and `web.openTelemetry` here.',
      known: KNOWN,
      knownOn5: KNOWN,

      async run({ listen, request }) {
        process.env.OTEL_SEMCONV_STABILITY_OPT_IN = 'http';
        const isOurs = JSON.stringify(require('express/package.json')).includes('ristretto');
        const { take } = start({}, isOurs ? null : 'Express');
        const express = require('express');
        if (isOurs) express.openTelemetry({ api: require('@opentelemetry/api') });
        const { application, drive } = require('../fixtures/application.cjs');
        const record = await drive(await listen(application(express)), request, take);
        const seen = Object.fromEntries(
          Object.entries(record).map(([title, { recorded }]) => [
            title,
            recorded.filter(isOfServer).map(shownOfOpentelemetryHttp),
          ]),
        );
        assert.deepEqual(seen['GET /api/acme/items/5'], [
          'GET /api/:tenant/items/:item, /api/:tenant/items/:item, status 0',
        ]);
        return seen;
      },
    },

    /** The spans that OpenTelemetry records for the package `router`, which Express 5 is built on. */
    'opentelemetry-router': {
      packages: ['@opentelemetry/instrumentation-router', '@opentelemetry/instrumentation-http'],
      exercised:
        'All spans of 43 requests by the instrumentation of the package `router` (names, parents, attributes, exceptions).',
      quick: [5],
      express: [5],

      async run({ listen, request }) {
        const { take } = start({}, 'Router');
        const { application, drive } = require('../fixtures/application.cjs');
        const server = await listen(application(require('express')));
        const record = await drive(server, request, take);
        const item = record['GET /api/acme/items/5'].recorded;
        assert.ok(item.some(({ name }) => name === 'middleware - inItems'));
        assert.ok(item.some(({ attributes }) => attributes['http.route']?.endsWith('/:item')));
        return record;
      },
    },
  },
};
