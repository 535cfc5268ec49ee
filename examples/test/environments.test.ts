// runs: built, once, ci
/** The examples under the values of NODE_ENV: their tests pass, and in development they cause no warnings. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { describe, test } from 'node:test';

const TRACING = 'examples.tracing.test.ts';
/** The tests of the small examples. They run in one process, which starts in a fraction of the time of seven. */
const files = fs
  .readdirSync(__dirname)
  .filter(name => name.startsWith('examples.'))
  // Its metrics count the requests of the whole process.
  .sort((a, b) => Number(b === TRACING) - Number(a === TRACING))
  .map(name => path.join(__dirname, name));

describe('examples', () => {
  for (const env of ['development', 'production']) {
    test(`NODE_ENV=${env}: their tests pass, without warnings of the framework`, async () => {
      const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'environments-'));
      const warningsFile = path.join(folder, 'warnings');
      const loader = path.join(__dirname, '../../scripts/typescript.cjs');
      const inherited = { ...process.env };
      // The runner of this file sets it
      delete inherited.NODE_TEST_CONTEXT;
      delete inherited.RISTRETTO_WARNINGS;
      const program = files.map(file => `require(${JSON.stringify(file)});`).join('');
      const child = spawn(process.execPath, ['--require', loader, '--test-reporter=tap', '--eval', program], {
        cwd: path.join(__dirname, '..'),
        env: { ...inherited, NODE_ENV: env, NODE_REDIRECT_WARNINGS: warningsFile },
        stdio: ['ignore', 'pipe', 'pipe'],
      });
      let output = '';
      child.stdout.on('data', chunk => (output += String(chunk)));
      child.stderr.on('data', chunk => (output += String(chunk)));
      const [code] = (await once(child, 'close')) as [number];
      const warnings = fs.existsSync(warningsFile) ? fs.readFileSync(warningsFile, 'utf8') : '';
      fs.rmSync(folder, { recursive: true });
      assert.equal(code, 0, output);
      assert.deepEqual(warnings.match(/\[RISTRETTO_.*(?:\n {4}at .*)?/g) ?? [], []);
      assert.equal(path.basename(files[0]!), TRACING);
      assert.ok(files.length > 5);
    });
  }
});
