// runs: slow, built
/**
 * The package inside a bundle, where `require` is limited as in a single executable application: it loads only Node's
 * own modules and has no `main`, `cache` or `resolve`; there is no `__filename`, as in an ES module. `proofs/bundles/` runs
 * the output of real bundlers.
 */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { after, before, describe, test } from 'node:test';
import { buildSync } from 'esbuild';

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'ristretto-bundle-'));
const bundle = path.join(folder, 'bundle.cjs');

before(() => {
  const contents = "module.exports = require('ristretto');";
  const options = { bundle: true, platform: 'node', outfile: bundle, logLevel: 'silent' } as const;
  const { warnings } = buildSync({ stdin: { contents, resolveDir: __dirname }, ...options });
  assert.deepEqual(warnings, []);
});
after(() => fs.rmSync(folder, { recursive: true }));

/** Runs a program that has `web` and `app` from the bundle, in a folder without packages; returns its output. */
function run(program: string, before = ''): unknown {
  const main = path.join(folder, 'main.cjs');
  const load = `
    const code = require('node:fs').readFileSync('bundle.cjs', 'utf8');
    const bundle = { exports: {} };
    const ownModules = name => {
      if (!require('node:module').isBuiltin(name)) throw new Error(\`No such built-in module: \${name}\`);
      return require(name);
    };
    new Function('require', 'module', code)(ownModules, bundle);
    const web = bundle.exports;
    const app = web();`;
  fs.writeFileSync(main, `${before}\n${load}\n${program}`);
  return JSON.parse(execFileSync(process.execPath, [main], { cwd: folder, encoding: 'utf8' }));
}

function write(file: string, text: string): void {
  fs.mkdirSync(path.dirname(path.join(folder, file)), { recursive: true });
  fs.writeFileSync(path.join(folder, file), text);
}

const print = '(error, html) => console.log(JSON.stringify([error?.code ?? null, html]))';

describe('package: bundled', () => {
  test('app.engine: registers an engine that is part of the bundle', () => {
    write('views/page.inside', '');
    const seen = run(`app.engine('inside', (file, locals, done) => done(null, locals.text));
      app.render('page.inside', { text: 'rendered' }, ${print});`);
    assert.deepEqual(seen, [null, 'rendered']);
  });

  test('view engine: is found by the extension if its package is installed beside the program', () => {
    write('views/page.beside', '');
    write('node_modules/beside/index.js', `exports.__express = (f, o, done) => done(null, 'beside');`);
    assert.deepEqual(run(`app.render('page.beside', ${print});`), [null, 'beside']);
  });

  test('view engine missing: the error names it and says how to add it to a bundle', () => {
    write('views/page.absent', '');
    const seen = run(`try { app.render('page.absent', ${print}); } catch ({ code, message }) {
      console.log(JSON.stringify([code, message.split('\\nRequire stack')[0]])); }`);
    const hint =
      "Register the engine in the bundled program: app.engine('absent', require('absent').__express)";
    assert.deepEqual(seen, ['MODULE_NOT_FOUND', `Cannot find module 'absent'\n${hint}`]);
  });

  test('tracer: receives the function for paths if it is installed beside the bundle', () => {
    write('datadog-instrumentations/src/helpers/hooks.js', `module.exports = { 'path-to-regexp': 1 };`);
    const tracer = `
      const names = [];
      require('./datadog-instrumentations/src/helpers/hooks.js');
      require('node:diagnostics_channel').subscribe('dd-trace:bundler:load', message => names.push(message.package));`;
    assert.deepEqual(run('console.log(JSON.stringify(names));', tracer), ['path-to-regexp']);
  });
});
