/** Jest: each test file runs in a vm context with a separate module registry. */
'use strict';

const assert = require('node:assert/strict');
const path = require('node:path');
const { FIXTURES, json, observed, run } = require('../support/run.cjs');

module.exports = {
  packages: ['jest', 'supertest', 'memfs'],
  exercised:
    'Node errors in a vm context, values of its realm, resetModules, isolateModules, doMock of local modules and of express, automock, spies of members, fs spied and replaced by memfs, fake timers and dates, all modules passed through Babel, coverage by Babel and V8',
  subprocess: true,
  timeout: 300,

  async run() {
    const plain = await tests([]);
    const transformed = await tests(['--testPathPatterns', 'shop', 'files'], { TRANSFORM_ALL: 'yes' });
    for (const { code, outcomes } of [plain, transformed]) assert.equal(code, 0, JSON.stringify(outcomes));
    assert.match(JSON.stringify(plain.observed.shop), /ENOENT/);
    return { plain, transformed, coverage: { babel: await coverage('babel'), v8: await coverage('v8') } };
  },
};

/** Runs the tests; returns their outcomes and observations. */
async function tests(args, env) {
  const output = ['--json', '--outputFile', path.resolve('results.json')];
  const config = ['--config', path.join(FIXTURES, 'jest/jest.config.cjs'), '--runInBand'];
  const { code, stderr } = await run('jest', [...config, ...output, ...args], { env, cwd: FIXTURES });
  const outcomes = json('results.json').testResults.flatMap(({ assertionResults, message }) =>
    assertionResults.length === 0 ? [message] : assertionResults.map(outcome),
  );
  assert.ok(outcomes.length > 0, stderr);
  return { code, outcomes: outcomes.sort(), observed: observed() };
}

/** Returns the outcome of a test with the messages of its failures, but without their locations. */
function outcome({ fullName, status, failureMessages }) {
  return [fullName, status, ...failureMessages.map(text => text.split('\n    at ')[0])];
}

/** Returns how much of the shop its tests cover. */
async function coverage(provider) {
  const args = ['--coverage', '--coverageProvider', provider, '--coverageDirectory', path.resolve(provider)];
  await tests(['--testPathPatterns', 'shop.jest', ...args, '--coverageReporters', 'json-summary']);
  const summary = json(`${provider}/coverage-summary.json`);
  assert.ok(summary.total.lines.covered > 0);
  return Object.fromEntries(Object.entries(summary).map(([file, figures]) => [path.basename(file), figures]));
}
