/** The spans of `web.openTelemetry` beside those that OpenTelemetry's instrumentations record for Express. */
'use strict';

const assert = require('node:assert/strict');

const KNOWN = [
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

module.exports = {
  packages: ['@opentelemetry/instrumentation-express', '@opentelemetry/instrumentation-http'],
  exercised:
    'Spans of 43 requests: those of the instrumentations on Express, and those of `web.openTelemetry` without any here. Names, ' +
    'parents, statuses, exceptions.',
  known: KNOWN,
  knownOn5: KNOWN,

  async run({ listen, request }) {
    process.env.OTEL_SEMCONV_STABILITY_OPT_IN = 'http';
    const { start, startSdk } = require('../fixtures/opentelemetry.cjs');
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
};

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
