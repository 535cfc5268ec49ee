// runs: slow, built, twice
/** Warnings about the directories passed to `web.static`, and what the checks load in production. */
import assert from 'node:assert/strict';
import path from 'node:path';
import { describe, test } from 'node:test';
import { warnOfDirectory } from '@ristretto/private-engine/lib/dev/directory';
import { runProgram, warningsOf } from '../support/warnings.js';

/** Keeps a program running until its directories have been checked. */
const WAIT = 'setTimeout(() => undefined, 1200);';

describe('warnings', () => {
  test('missing directory: warns with the place in the program, but not if the path is a file', () => {
    const program = `
      web.static('nowhere');
      web.static('tsconfig.json');
      web.static('tsconfig.json/below');
      web.static('support');
      require('ristretto3').static('nowhere');
      ${WAIT}`;
    const home = path.join(__dirname, '..');
    const later = 'Ignore this if it is created later, for example by a build.';
    assert.deepEqual(
      warningsOf(program)
        .map(({ code, message, detail }) => [code, message, detail])
        .sort(),
      [
        [`web.static() got '${home}/nowhere', which does not exist. ${later}`, '    at [eval]:2:11'],
        [`web.static() got '${home}/nowhere', which does not exist. ${later}`, '    at [eval]:6:29'],
        [
          `web.static() got '${home}/tsconfig.json/below', which does not exist. ${later}`,
          '    at [eval]:4:11',
        ],
      ]
        .map(row => ['RISTRETTO_STATIC_ROOT', ...row])
        .sort(),
    );
  });

  test('missing views: an explicit setting warns, the default does not', () => {
    const program = `
      const app = web();
      app.set('views', 'nowhere');
      app.set('views', ['support', 'nowhere2', 7]);
      app.set('views', 'tsconfig.json');
      web().set('env', 'test').set('views', 'nowhere');
      ${WAIT}`;
    const warned = warningsOf(program).map(({ code, message, detail }) => `${code} ${message}${detail!}`);
    const later = 'Ignore this if it is created later, for example by a build.';
    assert.deepEqual(warned.sort(), [
      `RISTRETTO_VIEWS_ROOT app.set('views') got 'nowhere', which does not exist. ${later}    at [eval]:3:11`,
      `RISTRETTO_VIEWS_ROOT app.set('views') got 'nowhere2', which does not exist. ${later}    at [eval]:4:11`,
      `RISTRETTO_VIEWS_ROOT app.set('views') got 'tsconfig.json', which is not a directory. ${later}    at [eval]:5:11`,
    ]);
  });

  test('missing directory: does not warn if it is created within a second or the program exits before', () => {
    const program = `
      const fs = require('node:fs');
      const root = require('node:path').join(require('node:os').tmpdir(), 'static-' + process.pid);
      web.static(root);
      setTimeout(() => fs.mkdirSync(root), 100);
      process.on('exit', () => fs.rmdirSync(root));`;
    assert.deepEqual(warningsOf(program + WAIT), []);
    assert.deepEqual(warningsOf("web.static('nowhere');"), []);
  });

  test('missing directory: does not warn about a name that the file system rejects', () => {
    assert.deepEqual(warningsOf(`web.static('${'x'.repeat(5000)}'); ${WAIT}`), []);
  });

  test('missing directory: is not checked if there are no timers, as in workers outside a request', context => {
    const setTimer = context.mock.method(globalThis, 'setTimeout', () => {
      throw new Error('Disallowed operation called within global scope');
    });
    assert.doesNotThrow(() => {
      warnOfDirectory('/nowhere', 'web.static()', 'RISTRETTO_STATIC_ROOT');
    });
    assert.equal(setTimer.mock.callCount(), 1);
  });

  test('production: emits no warnings and loads none of these modules', () => {
    const program = `
      const app = web();
      app.set('veiws', 'x').get('users', () => {}).use('/*splat', web.static('nowhere'));
      seen.push(...Object.keys(require.cache).filter(file => /engine.(?:lib|src).dev\\b/.test(file)).map(file => file.split(/[\\\\/]/).pop()));`;
    const { warnings, seen } = runProgram(program, { env: { NODE_ENV: 'production' } });
    assert.deepEqual([warnings, seen], [[], []]);
  });
});
