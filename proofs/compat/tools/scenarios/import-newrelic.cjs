/** New Relic's agent in an application of ES modules: the framework is loaded with `import`. */
'use strict';

const assert = require('node:assert/strict');
const { register } = require('node:module');
const { pathToFileURL } = require('node:url');

module.exports = {
  packages: ['newrelic'],
  exercised:
    'An application of ES modules, `import express, { Router, json } from "express"`, with the loader hook: transactions by route.',

  async run(tools) {
    register('newrelic/esm-loader.mjs', pathToFileURL(__filename));
    const { take } = require('../fixtures/newrelic.cjs').start();
    const { drive } = await import('../fixtures/module.mjs');
    const record = await drive(tools, take);
    assert.equal(record['/things/5'].recorded[0].name, 'WebTransaction/Expressjs/GET//things/:id');
    return record;
  },
};
