/** Vitest; its vm pools load neither supertest nor Express 4. */
'use strict';

const assert = require('node:assert/strict');
const path = require('node:path');
const { FIXTURES, json, observed, run } = require('../support/run.cjs');

module.exports = {
  packages: ['vitest', 'supertest'],
  exercised:
    'The pools forks and threads: default and named imports, vi.mock around the actual framework, resetModules, stubEnv, spies of members, fake dates, Node errors',
  subprocess: true,
  timeout: 300,

  async run() {
    const record = {};
    for (const pool of ['forks', 'threads']) record[pool] = await tests(pool);
    for (const { code, outcomes } of Object.values(record)) assert.equal(code, 0, JSON.stringify(outcomes));
    return record;
  },
};

/** Runs the tests; returns their outcomes and observations. */
async function tests(pool) {
  const config = ['run', '--config', path.join(FIXTURES, 'vitest/vitest.config.mjs'), '--pool', pool];
  const output = ['--reporter', 'json', '--outputFile', path.resolve('results.json')];
  const { code, stdout, stderr } = await run('vitest', [...config, ...output], { cwd: FIXTURES });
  const outcomes = json('results.json').testResults.flatMap(({ assertionResults, message }) =>
    assertionResults.length === 0 ? [message] : assertionResults.map(outcome),
  );
  assert.ok(outcomes.length > 0, stdout + stderr);
  return { code, outcomes: outcomes.sort(), observed: observed() };
}

/** Returns the outcome of a test with the messages of its failures, but without their locations. */
function outcome({ fullName, status, failureMessages }) {
  return [fullName, status, ...failureMessages.map(text => text.split('\n    at ')[0])];
}
