/** c8 and nyc: coverage by V8, and by counters that are written into what is required. */
'use strict';

const assert = require('node:assert/strict');
const path = require('node:path');
const { FIXTURES, json, observed, run } = require('../support/run.cjs');

const SIDE = path.join(__dirname, '../..');
const PROGRAM = path.join(FIXTURES, 'shop/program.js');

module.exports = {
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
    for (const { application } of Object.values(record)) assert.ok(application['app.js'].lines.covered > 40);
    return record;
  },
};

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
