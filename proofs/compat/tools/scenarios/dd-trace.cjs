/** The traces that Datadog's tracer reports for the application. */
'use strict';

const assert = require('node:assert/strict');

module.exports = {
  packages: ['dd-trace'],
  exercised:
    'The traces of 49 requests as sent to an agent: the request with resource and http.route (nested arrays of paths ' +
    'too), a span for each middleware, router and handler, errors, context in handlers and param callbacks.',
  quick: [4, 5],

  async run({ listen, request, note, collector }) {
    const { start } = require('../fixtures/datadog.cjs');
    const { tracer, spans } = await start(collector);
    const express = require('express');
    const { application, drive, isOn4 } = require('../fixtures/application.cjs');
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
      after: it => {
        const router = express.Router();
        router.get(['/list', ['/user/:id', ['/:a-:b', /^\/re(\d)$/]]], (req, res) => res.json(req.params));
        it.use(['/app', ['/other/:place']], router);
      },
    });
    const server = await listen(app);
    const record = await drive(server, request, spans);
    for (const path of ['/app/list', '/app/user/1', '/other/x/user/1', '/app/a-b', '/app/re7', '/app/none']) {
      record[`GET ${path}`] = { answer: await request(server, { path }), recorded: await spans() };
    }
    const at = title => record[title].recorded;
    const root = at('GET /api/acme/items/5').find(span => span.name === 'express.request');
    assert.equal(root.resource, 'GET /api/:tenant/items/:item');
    assert.equal(root.meta['http.route'], '/api/:tenant/items/:item');
    const nested = at('GET /app/user/1').find(span => span.name === 'express.request');
    // On Express 5, it does not name routes that have arrays of paths.
    assert.equal(nested.resource, isOn4 ? 'GET /app/user/:id' : 'GET');
    assert.ok(at('GET /api/acme/items/5').some(span => span.resource === 'inItems'));
    assert.ok(at('GET /fail/throw').some(span => span.meta['error.message'] === 'thrown'));
    return record;
  },
};
