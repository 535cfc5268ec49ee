// runs: slow, built
/** The package inside a bundle. `proofs/bundles/` runs the output of real bundlers. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { describe, test } from 'node:test';
import { buildSync } from 'esbuild';

/** Bundles a program, runs it in a folder without packages, and returns its output. */
function run(contents: string): unknown {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'ristretto3-bundle-'));
  const outfile = path.join(folder, 'bundle.cjs');
  // The packages used by web.directory and web.errorHandler read files from their own folders.
  const external = ['serve-index', 'errorhandler'];
  try {
    const options = { bundle: true, platform: 'node', outfile, external, logLevel: 'silent' } as const;
    const { warnings } = buildSync({ stdin: { contents, resolveDir: __dirname }, ...options });
    assert.deepEqual(warnings, []);
    return JSON.parse(execFileSync(process.execPath, [outfile], { cwd: folder, encoding: 'utf8' }));
  } finally {
    fs.rmSync(folder, { recursive: true });
  }
}

describe('package: bundled', () => {
  test('notices: every deprecated middleware is reported, not only the first', () => {
    const seen = run(`
      const names = [];
      process.on('deprecation', ({ message }) => names.push(message.split(':')[0]));
      const web = require('ristretto3');
      web.bodyParser();
      web.methodOverride();
      web.compress();
      web.responseTime();
      console.log(JSON.stringify(names));`);
    assert.deepEqual(seen, ['bodyParser', 'methodOverride', 'compress', 'responseTime']);
  });
});
