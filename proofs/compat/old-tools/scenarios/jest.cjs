/** Versions of Jest that resolve no `node:` specifiers and ignore `exports` maps. */
'use strict';

const assert = require('node:assert/strict');
const { execFile } = require('node:child_process');
const { createRequire } = require('node:module');
const path = require('node:path');

/** Returns the scenario for one major version; `name` is that of its dependency in package.json. */
const jest = name => ({
  packages: [name, 'supertest'],
  exercised:
    'The suite of a small application with supertest: parameters, bodies, files, errors, mocks, modules loaded anew for each test',
  subprocess: true,

  async run() {
    const { numTotalTests, testResults } = await run(name);
    const results = testResults[0].assertionResults.map(({ title, status, failureMessages }) => ({
      title,
      status,
      failureMessages,
    }));
    assert.deepEqual(
      results.filter(({ status }) => status !== 'passed'),
      [],
      testResults[0].message,
    );
    assert.equal(numTotalTests, 8);
    return results;
  },
});

/** Runs Jest in a separate process; resolves with its report. */
function run(name) {
  const cli = createRequire(require.resolve(`${name}/package.json`)).resolve('jest-cli/package.json');
  const config = createRequire(cli).resolve('jest-config/package.json');
  const ofConfig = createRequire(config);
  const settings = {
    rootDir: path.join(__dirname, '../fixtures/jest'),
    // Uses the path: by name, Jest resolves whichever major version is at the top of node_modules.
    testEnvironment: ofConfig.resolve('jest-environment-node'),
    runner: createRequire(createRequire(cli).resolve('@jest/core/package.json')).resolve('jest-runner'),
    cacheDirectory: path.resolve('cache'),
    transform: {},
  };
  const bin = path.join(path.dirname(require.resolve(`${name}/package.json`)), 'bin/jest.js');
  const args = [bin, '--config', JSON.stringify(settings), '--runInBand', '--json', '--ci', '--no-watchman'];
  return new Promise((resolve, reject) => {
    execFile(process.execPath, args, { maxBuffer: 1e8 }, (error, stdout, stderr) => {
      try {
        resolve(JSON.parse(stdout));
      } catch {
        reject(new Error(`${error?.message}\n${stdout}${stderr}`));
      }
    });
  });
}

module.exports = {
  programs: { 'jest-24': jest('jest24'), 'jest-25': jest('jest25'), 'jest-26': jest('jest26') },
};
