/** Sentry in an application of ES modules: the framework is loaded with `import`. */
'use strict';

const assert = require('node:assert/strict');

module.exports = {
  packages: ['@sentry/node'],
  exercised:
    'An application of ES modules, `import express, { Router, json } from "express"`, with the loader hook that it registers when it is imported: ' +
    'transactions and errors by route.',

  async run(harness) {
    const { Sentry, take } = await require('../fixtures/sentry.cjs').start(
      () => import('@sentry/node'),
      harness,
    );
    const { application, drive } = await import('../fixtures/module.mjs');
    const app = application();
    Sentry.setupExpressErrorHandler(app);
    const record = await drive(harness, take, app);
    assert.equal(record['/things/5'].recorded.transactions[0].name, 'GET /things/:id');
    await Sentry.close(1000);
    return record;
  },
};
