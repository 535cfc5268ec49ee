/** OpenTelemetry in an application of ES modules: the framework is loaded with `import`. */
'use strict';

const assert = require('node:assert/strict');
const { register } = require('node:module');
const { pathToFileURL } = require('node:url');

module.exports = {
  packages: ['@opentelemetry/instrumentation', '@opentelemetry/instrumentation-express'],
  exercised:
    'An application of ES modules, `import express, { Router, json } from "express"`, with the loader hook: the spans of routes.',
  quick: true,

  async run(tools) {
    register('@opentelemetry/instrumentation/hook.mjs', pathToFileURL(__filename));
    const { take } = require('../fixtures/opentelemetry.cjs').start({});
    const { drive } = await import('../fixtures/module.mjs');
    const record = await drive(tools, take);
    const handler = record['/things/5'].recorded.find(
      span => span.attributes['express.type'] === 'request_handler',
    );
    assert.equal(handler.attributes['http.route'], '/things/:id');
    assert.ok(record['/things/5'].recorded.some(span => span.name === 'GET /things/:id'));
    return record;
  },
};
