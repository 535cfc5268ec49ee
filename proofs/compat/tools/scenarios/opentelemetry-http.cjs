/** The spans of OpenTelemetry's instrumentation of http, to which that of Express, or `web.openTelemetry`, adds the route. */
'use strict';

const assert = require('node:assert/strict');
const unpatched = require('./opentelemetry-unpatched.cjs');

/** Without that of exceptions, which are not compared. */
const KNOWN = unpatched.known.slice(0, 3);

module.exports = {
  packages: ['@opentelemetry/instrumentation-express', '@opentelemetry/instrumentation-http'],
  exercised:
    'The spans of the server for 43 requests, which are those of the instrumentation of http on both sides: names, routes, ' +
    'statuses. Beside it, the instrumentation of Express there, and `web.openTelemetry` here.',
  known: KNOWN,
  knownOn5: KNOWN,

  async run({ listen, request }) {
    process.env.OTEL_SEMCONV_STABILITY_OPT_IN = 'http';
    const isOurs = JSON.stringify(require('express/package.json')).includes('ristretto');
    const { take } = require('../fixtures/opentelemetry.cjs').start({}, isOurs ? null : 'Express');
    const express = require('express');
    if (isOurs) express.openTelemetry({ api: require('@opentelemetry/api') });
    const { application, drive } = require('../fixtures/application.cjs');
    const record = await drive(await listen(application(express)), request, take);
    const seen = Object.fromEntries(
      Object.entries(record).map(([title, { recorded }]) => [title, recorded.filter(isOfServer).map(shown)]),
    );
    assert.deepEqual(seen['GET /api/acme/items/5'], [
      'GET /api/:tenant/items/:item, /api/:tenant/items/:item, status 0',
    ]);
    return seen;
  },
};

const isOfServer = ({ kind }) => kind === 1;
const shown = ({ name, attributes, status }) => `${name}, ${attributes['http.route']}, status ${status.code}`;
