/** The spans that OpenTelemetry records for the package `router`, which Express 5 is built on. */
'use strict';

const assert = require('node:assert/strict');

module.exports = {
  packages: ['@opentelemetry/instrumentation-router', '@opentelemetry/instrumentation-http'],
  exercised:
    'All spans of 43 requests by the instrumentation of the package `router` (names, parents, attributes, exceptions).',
  quick: [5],
  express: [5],

  async run({ listen, request }) {
    const { take } = require('../fixtures/opentelemetry.cjs').start({}, 'Router');
    const { application, drive } = require('../fixtures/application.cjs');
    const server = await listen(application(require('express')));
    const record = await drive(server, request, take);
    const item = record['GET /api/acme/items/5'].recorded;
    assert.ok(item.some(({ name }) => name === 'middleware - inItems'));
    assert.ok(item.some(({ attributes }) => attributes['http.route']?.endsWith('/:item')));
    return record;
  },
};
