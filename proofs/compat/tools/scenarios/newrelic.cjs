/**
 * The transactions that New Relic's agent records for the application. The agent runs without its service: what it
 * would send is read from its own events.
 */
'use strict';

const assert = require('node:assert/strict');

const FILES = [
  {
    places: /^\.seen\.GET \/(?:file|static\/[^.]+(?:\.txt)?)\.recorded\.0\.segments\./,
    reason: 'files are opened first and then examined by their descriptor: other `Filesystem/…` segments',
  },
];

module.exports = {
  packages: ['newrelic'],
  exercised:
    'The agent without its backend: names, segments (Route Path, Router, Mounted App, middleware, param handlers, ' +
    'view rendering), attributes and errors of the transactions of 43 requests; it rewrites the functions `use`, ' +
    '`route` and `param` of lib/router/index.js and `render` of lib/response.js while they are loaded.',
  known: FILES,
  knownOn5: FILES,
  quick: [4, 5],

  async run({ listen, request }) {
    const { take } = require('../fixtures/newrelic.cjs').start();
    const express = require('express');
    const { application, drive } = require('../fixtures/application.cjs');
    const server = await listen(application(express));
    const record = await drive(server, request, take);
    const [item] = record['GET /api/acme/items/5'].recorded;
    assert.equal(item.name, 'WebTransaction/Expressjs/GET//api/:tenant/items/:item');
    assert.ok(item.segments.some(name => name.includes('Expressjs/Router: /api')));
    assert.ok(record['GET /admin'].recorded[0].segments.some(name => name.includes('Mounted App: /admin')));
    assert.ok(
      record['GET /users/7?x=1'].recorded[0].segments.some(name => name.includes('[param handler :id]')),
    );
    assert.ok(
      record['GET /view'].recorded[0].segments.some(name => name.includes('View/hello.txt/Rendering')),
    );
    assert.deepEqual(record['GET /fail/throw'].recorded[0].errors, ['thrown']);
    return record;
  },
};
