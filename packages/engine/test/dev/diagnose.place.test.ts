// runs: slow, twice
/** Finds the caller of the framework in stack traces. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { describe, test } from 'node:test';
import { buildSync } from 'esbuild';
import { noteVersionRoot } from '@ristretto/private-engine/lib/report/development';
import { callerPlace, captureStack, placeOf } from '@ristretto/private-engine/lib/dev/place';
import { ownFolder } from '../support/folder.js';

const home = ownFolder();

const load = createRequire(__filename);
const own = load.resolve('@ristretto/private-engine/lib/dev/place');
const lib = path.dirname(path.dirname(own));

/** Writes a file and creates its folders. */
function write(name: string, text: string): string {
  const file = path.join(home, name);
  fs.mkdirSync(path.dirname(file), { recursive: true });
  fs.writeFileSync(file, text);
  return file;
}

/** Runs a file and parses its output as JSON. */
function run(file: string): unknown {
  return JSON.parse(execFileSync(process.execPath, [file], { encoding: 'utf8' }));
}

/** Returns a stack trace with these calls after the module's own. */
function traceOf(...calls: string[]): { stack: string } {
  return { stack: ['Error', `captureStack (${own}:1:1)`, ...calls].join('\n    at ') };
}

describe('diagnose.place', () => {
  test('caller: is the line of the program in its own source', () => {
    const place = callerPlace();
    const line = fs.readFileSync(__filename, 'utf8').split('\n')[(place?.line ?? 0) - 1];
    assert.equal(place?.file, __filename);
    assert.match(line ?? '', /const place = callerPlace\(\);/);
  });

  test('caller: can be read from a trace that was captured earlier', () => {
    const trace = captureStack();
    const { line } = callerPlace()!;
    assert.equal(placeOf(trace)?.line, line - 1);
  });

  test('caller: does not change the stack trace limit that the program has set', () => {
    const { stackTraceLimit } = Error;
    Error.stackTraceLimit = 0;
    try {
      assert.equal(callerPlace()?.file, __filename);
      assert.equal(Error.stackTraceLimit, 0);
    } finally {
      Error.stackTraceLimit = stackTraceLimit;
    }
  });

  test('ES modules: the file is a path', () => {
    const file = write(
      'a module.mjs',
      `import { createRequire } from 'node:module';
       const { callerPlace } = createRequire(import.meta.url)(${JSON.stringify(own)});
       await null;
       console.log(JSON.stringify(callerPlace()));`,
    );
    assert.deepEqual(run(file), { file, line: 4, column: 35 });
  });

  test('frames: skips frames of the framework and of Node', () => {
    noteVersionRoot(path.join(`${path.dirname(lib)}3`, 'lib'));
    const trace = traceOf(
      `Function.use (${path.join(lib, 'router', 'index.js')}:1:1)`,
      `Application.use (${path.join(`${path.dirname(lib)}3`, 'lib', 'application.js')}:1:1)`,
      'Array.forEach (<anonymous>)',
      'emit (node:events:1:1)',
      'eval (eval at run (/app/eval.js:1:1), <anonymous>:1:1)',
      'main (/app (copy)/main.js:7:9)',
    );
    assert.deepEqual(placeOf(trace), { file: '/app (copy)/main.js', line: 7, column: 9 });
  });

  test('frames: skips frames of installed packages that the program called', () => {
    const patched = '/app/node_modules/tracer/patch.js';
    assert.equal(placeOf(traceOf(`use (${patched}:1:1)`, 'async /app/main.mjs:2:3'))?.file, '/app/main.mjs');
  });

  test('frames: an installed package is the caller while it is being loaded', () => {
    const trace = traceOf(
      '/app/node_modules/plugin/index.js:3:5',
      '/app/node_modules/plugin/other.js:3:5',
      'Module._compile (node:internal/modules/cjs/loader:1:1)',
      '/app/main.js:1:1',
    );
    assert.deepEqual(placeOf(trace), { file: '/app/node_modules/plugin/index.js', line: 3, column: 5 });
  });

  test('bundles: the caller is unknown', () => {
    const outfile = path.join(home, 'bundle.cjs');
    const contents = `console.log(JSON.stringify([require(${JSON.stringify(own)}).callerPlace()]));`;
    buildSync({ stdin: { contents, resolveDir: __dirname }, bundle: true, platform: 'node', outfile });
    assert.deepEqual(run(outfile), [null]);
    assert.equal(placeOf({ stack: 'Error\n    at main (/app/bundle.js:1:2)' }), undefined);
  });

  test('traces: have no caller in a tool’s custom format', () => {
    assert.equal(placeOf({ stack: [{ frame: 1 }] }), undefined);
    assert.equal(placeOf({}), undefined);
  });
});
