/** The traces that Datadog's tracer reports of the application. */
'use strict';

const assert = require('node:assert/strict');

module.exports = {
  packages: ['dd-trace'],
  exercised:
    'The traces of 43 requests as sent to an agent: the request with resource and http.route, a span for each ' +
    'middleware, router and handler, errors, context in handlers and param callbacks.',
  known: [
    {
      places:
        /^\.seen\.GET \/(?:array\/|several|places)[^.]*\.recorded\.\d+\.(?:resource|parent|meta\.http\.route)$/,
      reason:
        'the route of layers with an array of paths is not named, since the tracer compiles the paths with the ' +
        '`path-to-regexp` that the application has loaded (`require("path-to-regexp")` before the framework helps)',
    },
  ],
  quick: true,

  async run({ listen, request, note, collector }) {
    const { start } = require('../fixtures/datadog.cjs');
    const { tracer, spans } = await start(collector);
    const express = require('express');
    const { application, drive } = require('../fixtures/application.cjs');
    const app = application(express, {
      before: it => {
        it.param('tenant', (req, res, next) => {
          note('param', tracer.scope().active()?.context()._name);
          next();
        });
        it.use((req, res, next) => {
          note(req.url, tracer.scope().active()?.context()._name);
          next();
        });
      },
    });
    const server = await listen(app);
    const record = await drive(server, request, spans);
    const at = title => record[title].recorded;
    const root = at('GET /api/acme/items/5').find(span => span.name === 'express.request');
    assert.equal(root.resource, 'GET /api/:tenant/items/:item');
    assert.equal(root.meta['http.route'], '/api/:tenant/items/:item');
    assert.ok(at('GET /api/acme/items/5').some(span => span.resource === 'inItems'));
    assert.ok(at('GET /fail/throw').some(span => span.meta['error.message'] === 'thrown'));
    return record;
  },
};
