/** Mocha with proxyquire and rewire, which load modules with replaced dependencies. */
'use strict';

const assert = require('node:assert/strict');
const path = require('node:path');
const { FIXTURES, observed, run } = require('../support/run.cjs');

module.exports = {
  packages: ['mocha', 'proxyquire', 'rewire', 'supertest'],
  exercised:
    'Requests with supertest, proxyquire with and without callThru and preserveCache for local modules, fs and express, __get__, __set__ and __with__ of rewire',
  subprocess: true,

  async run() {
    const tests = path.join(FIXTURES, 'mocha/shop.mocha.js');
    const { code, stdout, stderr } = await run('mocha', ['--reporter', 'json', '--timeout', '20000', tests]);
    const { passes, failures } = JSON.parse(stdout.slice(stdout.indexOf('{\n  "stats"')));
    const outcomes = {
      passed: passes.map(({ fullTitle }) => fullTitle),
      failed: failures.map(({ fullTitle, err }) => [fullTitle, err.message]),
    };
    assert.equal(code, 0, JSON.stringify(outcomes.failed) + stderr);
    assert.equal(outcomes.passed.length, 9);
    return { outcomes, observed: observed() };
  },
};
