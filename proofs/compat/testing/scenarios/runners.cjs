/** Test runners, each of which runs the suite of a small application in fixtures. */
'use strict';

const assert = require('node:assert/strict');
const { spawn } = require('node:child_process');
const fs = require('node:fs');
const path = require('node:path');
const { commandOf } = require('../../frameworks/support/program.cjs');

const FIXTURES = path.join(__dirname, '../fixtures');

/**
 * Runs the command of a package with OBSERVED and CACHE, which are folders in the working directory.
 * @returns {Promise<{ code: number, stdout: string, stderr: string }>}
 */
function run(name, args, { env = {}, cwd } = {}) {
  for (const folder of ['observed', 'cache']) fs.mkdirSync(folder, { recursive: true });
  const own = { OBSERVED: path.resolve('observed'), CACHE: path.resolve('cache'), CI: 'true', NO_COLOR: '1' };
  const child = spawn(process.execPath, [commandOf(name, name, require), ...args], {
    cwd,
    env: { ...process.env, ...own, ...env },
  });
  const output = { stdout: '', stderr: '' };
  for (const stream of ['stdout', 'stderr']) {
    child[stream].setEncoding('utf8').on('data', text => (output[stream] += text));
  }
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', code => resolve({ code, ...output }));
  });
}

/** Returns the observations of the tests since the last call, by group, in order. */
function observed() {
  const names = fs.readdirSync('observed').sort();
  const seen = names.map(name => {
    const lines = fs.readFileSync(path.join('observed', name), 'utf8').trim().split('\n');
    return [name.replace('.jsonl', ''), lines.map(line => JSON.parse(line))];
  });
  fs.rmSync('observed', { recursive: true });
  return Object.fromEntries(seen);
}

/** Reads a JSON file in the working directory. */
function json(name) {
  return JSON.parse(fs.readFileSync(name, 'utf8'));
}

const SIDE = path.join(__dirname, '../..');
const PROGRAM = path.join(FIXTURES, 'shop/program.js');

const nycOptions = () => ['--cwd', SIDE, '--temp-dir', path.resolve('nyc'), '--cache=false'];

/** Runs the program under a tool; returns its observations and the coverage. */
async function cover(tool, options) {
  const folder = path.resolve('report');
  const report = ['--reporter', 'json-summary', tool === 'c8' ? '--reports-dir' : '--report-dir', folder];
  const include = ['--include', 'testing/fixtures/shop/**', '--include', 'node_modules/express/**'];
  const args = [...options, ...report, ...include, process.execPath, PROGRAM];
  const { code, stdout, stderr } = await run(tool, args, { cwd: SIDE });
  assert.equal(code, 0, stdout + stderr);
  const summary = Object.entries(json('report/coverage-summary.json'));
  const application = summary.filter(([file]) => file.includes(`fixtures${path.sep}shop`));
  return {
    responses: observed().program,
    application: Object.fromEntries(application.map(([file, figures]) => [path.basename(file), figures])),
    framework: summary.some(
      ([file, { lines }]) => /node_modules.express.lib/.test(file) && lines.covered > 0,
    ),
  };
}

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

/** Runs the testsOfVitest; returns their outcomes and observations. */
async function testsOfVitest(pool) {
  const config = ['run', '--config', path.join(FIXTURES, 'vitest/vitest.config.mjs'), '--pool', pool];
  const output = ['--reporter', 'json', '--outputFile', path.resolve('results.json')];
  const { code, stdout, stderr } = await run('vitest', [...config, ...output], { cwd: FIXTURES });
  const outcomes = json('results.json').testResults.flatMap(({ assertionResults, message }) =>
    assertionResults.length === 0 ? [message] : assertionResults.map(outcomeOfVitest),
  );
  assert.ok(outcomes.length > 0, stdout + stderr);
  return { code, outcomes: outcomes.sort(), observed: observed() };
}

/** Returns the outcomeOfVitest of a test with the messages of its failures, but without their locations. */
function outcomeOfVitest({ fullName, status, failureMessages }) {
  return [fullName, status, ...failureMessages.map(text => text.split('\n    at ')[0])];
}

module.exports = {
  programs: {
    /** c8 and nyc: coverage by V8, and by counters that are written into what is required. */
    coverage: {
      packages: ['c8', 'nyc', 'supertest'],
      exercised:
        'Coverage of an application and its framework as measured by V8 and by Istanbul, the same figures for the application, and the same responses; also with the framework itself instrumented',
      subprocess: true,
      timeout: 180,

      async run() {
        const record = {
          c8: await cover('c8', ['--temp-directory', path.resolve('v8')]),
          nyc: await cover('nyc', nycOptions()),
          'c8 of all': await cover('c8', [
            '--temp-directory',
            path.resolve('v8-all'),
            '--exclude-node-modules',
            'false',
          ]),
          'nyc of all': await cover('nyc', [...nycOptions(), '--exclude-node-modules', 'false']),
        };
        for (const { application } of Object.values(record))
          assert.ok(application['app.js'].lines.covered > 40);
        return record;
      },
    },

    /** Jest: each test file runs in a vm context with a separate module registry. */
    jest: {
      packages: ['jest', 'supertest', 'memfs'],
      exercised:
        'Node errors in a vm context, values of its realm, resetModules, isolateModules, doMock of local modules and of express, automock, spies of members, fs spied and replaced by memfs, fake timers and dates, all modules passed through Babel, coverage by Babel and V8',
      subprocess: true,
      timeout: 300,

      async run() {
        const plain = await tests([]);
        const transformed = await tests(['--testPathPatterns', 'shop', 'files'], { TRANSFORM_ALL: 'yes' });
        for (const { code, outcomes } of [plain, transformed])
          assert.equal(code, 0, JSON.stringify(outcomes));
        assert.match(JSON.stringify(plain.observed.shop), /ENOENT/);
        return { plain, transformed, coverage: { babel: await coverage('babel'), v8: await coverage('v8') } };
      },
    },

    /** Mocha with proxyquire and rewire, which load modules with replaced dependencies. */
    mocha: {
      packages: ['mocha', 'proxyquire', 'rewire', 'supertest'],
      exercised:
        'Requests with supertest, proxyquire with and without callThru and preserveCache for local modules, fs and express, __get__, __set__ and __with__ of rewire',
      subprocess: true,

      async run() {
        const tests = path.join(FIXTURES, 'mocha/shop.mocha.js');
        const { code, stdout, stderr } = await run('mocha', [
          '--reporter',
          'json',
          '--timeout',
          '20000',
          tests,
        ]);
        const { passes, failures } = JSON.parse(stdout.slice(stdout.indexOf('{\n  "stats"')));
        const outcomes = {
          passed: passes.map(({ fullTitle }) => fullTitle),
          failed: failures.map(({ fullTitle, err }) => [fullTitle, err.message]),
        };
        assert.equal(code, 0, JSON.stringify(outcomes.failed) + stderr);
        assert.equal(outcomes.passed.length, 9);
        return { outcomes, observed: observed() };
      },
    },

    /** Vitest; its vm pools load neither supertest nor Express 4. */
    vitest: {
      packages: ['vitest', 'supertest'],
      exercised:
        'The pools forks and threads: default and named imports, vi.mock around the actual framework, resetModules, stubEnv, spies of members, fake dates, Node errors',
      subprocess: true,
      timeout: 300,

      async run() {
        const record = {};
        for (const pool of ['forks', 'threads']) record[pool] = await testsOfVitest(pool);
        for (const { code, outcomes } of Object.values(record))
          assert.equal(code, 0, JSON.stringify(outcomes));
        return record;
      },
    },
  },
};
