/** Datadog's tracer in an application of ES modules: the framework is loaded with `import`. */
'use strict';

const assert = require('node:assert/strict');
const { register } = require('node:module');
const { pathToFileURL } = require('node:url');

module.exports = {
  packages: ['dd-trace'],
  exercised:
    'An application of ES modules, `import express, { Router, json } from "express"`, with the loader hook: the spans of routes.',
  quick: true,

  async run(tools) {
    register('dd-trace/loader-hook.mjs', pathToFileURL(__filename));
    const { spans } = await require('../fixtures/datadog.cjs').start(tools.collector);
    const { drive } = await import('../fixtures/module.mjs');
    const record = await drive(tools, spans);
    const root = record['/things/5'].recorded.find(span => span.name === 'express.request');
    assert.equal(root.resource, 'GET /things/:id');
    assert.ok(record['/things/5'].recorded.some(span => span.resource === 'show'));
    return record;
  },
};
