/**
 * Lets `node --require ./scripts/typescript.cjs` run the TypeScript of the tests: each file is compiled once by esbuild
 * (without type checks) and cached in node_modules/.cache by the hash of its content, so that test processes start
 * without a compiler. Stack traces and coverage show the lines of the .ts file.
 */
'use strict';
const crypto = require('node:crypto');
const fs = require('node:fs');
const Module = require('node:module');
const path = require('node:path');

const cache = path.join(__dirname, '../node_modules/.cache/typescript');

/** Returns the JavaScript of a TypeScript file, from the cache or freshly compiled into it. */
function compiled(/** @type {string} */ filename) {
  const source = fs.readFileSync(filename, 'utf8');
  const key = crypto.createHash('sha1').update(filename).update('\0').update(source).digest('hex');
  const stored = path.join(cache, `${key}.js`);
  try {
    return fs.readFileSync(stored, 'utf8');
  } catch {
    const { code } = require('esbuild').transformSync(source, {
      loader: 'ts',
      format: 'cjs',
      platform: 'node',
      target: 'node20',
      sourcefile: filename,
      sourcemap: 'inline',
      sourcesContent: false,
    });
    fs.mkdirSync(cache, { recursive: true });
    // Written and then renamed, because another process may be reading the same file.
    const partial = `${stored}.${process.pid}`;
    fs.writeFileSync(partial, code);
    fs.renameSync(partial, stored);
    return code;
  }
}

Module._extensions['.ts'] = function loadTypeScript(module, filename) {
  module._compile(compiled(filename), filename);
};

// TypeScript imports name the output file: './http.js' is http.ts here.
const resolveFilename = Module._resolveFilename;
Module._resolveFilename = function resolveTypeScript(request, parent, ...rest) {
  if (/^\.{1,2}\/.*\.js$/.test(request) && parent?.filename?.endsWith('.ts')) {
    const typescript = path.resolve(path.dirname(parent.filename), request.slice(0, -3) + '.ts');
    if (fs.existsSync(typescript)) return typescript;
  }
  return resolveFilename.call(this, request, parent, ...rest);
};

process.setSourceMapsEnabled(true);

// Tests make every possible mistake. Those that test warnings start their own processes.
process.env.RISTRETTO_WARNINGS ??= 'off';

module.exports = { compiled };
