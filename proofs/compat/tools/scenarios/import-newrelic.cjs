/** New Relic's agent in an application of ES modules: the framework is loaded with `import`. */
'use strict';

const assert = require('node:assert/strict');
const { register } = require('node:module');
const { pathToFileURL } = require('node:url');

module.exports = {
  packages: ['newrelic'],
  exercised:
    'An application of ES modules, `import express, { Router, json } from "express"`, with the loader hook: transactions by route.',
  express: [4, 5],

  async run({ listen, request }) {
    register('newrelic/esm-loader.mjs', pathToFileURL(__filename));
    const { take } = require('../fixtures/newrelic.cjs').start();
    const { application, traffic } = await import('../fixtures/module.mjs');
    const server = await listen(application());
    const record = {};
    for (const wanted of traffic) {
      record[wanted.path] = { answer: await request(server, wanted), transactions: await take() };
    }
    assert.equal(record['/things/5'].transactions[0].name, 'WebTransaction/Expressjs/GET//things/:id');
    return record;
  },
};
