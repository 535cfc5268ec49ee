/** The spans that OpenTelemetry records for the application: names, attributes, parents, exceptions. */
'use strict';

const assert = require('node:assert/strict');

module.exports = {
  packages: ['@opentelemetry/instrumentation-express', '@opentelemetry/instrumentation-http'],
  exercised:
    'All spans of 43 requests (names, parents, attributes, exceptions): routes, arrays, expressions, nested routers, ' +
    'mounted applications, errors, 404, next("route") and next("router"); requestHook, spanNameHook, ignoreLayers, ' +
    'ignoreLayersType; a trace context in the handlers; disable.',
  quick: [4, 5],

  async run({ listen, request, note }) {
    const { instrumentation, take } = require('../fixtures/opentelemetry.cjs').start({
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
};
