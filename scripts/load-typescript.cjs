/**
 * Lets Node load TypeScript: each file is compiled once (without type checks) and cached in
 * node_modules/.cache by the hash of its content, so that test processes start without a compiler. Stack traces and
 * coverage show the lines of the .ts file.
 *
 * If the environment variable RISTRETTO_SOURCES is set, the packages of this repository are loaded from their `src`
 * instead of their `lib`: a saved change is tested without a build.
 */
'use strict';
const crypto = require('node:crypto');
const fs = require('node:fs');
const Module = require('node:module');
const path = require('node:path');

const packages = path.join(__dirname, '../packages');
const cache = path.join(__dirname, '../node_modules/.cache/typescript');

/**
 * Compiles the source of a package as the build does, with the names of functions that logs and tools show, which esbuild
 * changes.
 */
function compileSource(/** @type {string} */ source, /** @type {string} */ fileName) {
  const ts = require('typescript');
  return ts.transpileModule(source, {
    fileName,
    compilerOptions: {
      target: ts.ScriptTarget.ES2022,
      module: ts.ModuleKind.CommonJS,
      esModuleInterop: true,
      isolatedModules: true,
      useDefineForClassFields: false,
      inlineSourceMap: true,
    },
  }).outputText;
}

/** Compiles a test. Tests stay as lenient as the programs that they imitate: they may assign to read-only properties. */
function compileTest(/** @type {string} */ source, /** @type {string} */ sourcefile) {
  return require('esbuild').transformSync(source, {
    loader: 'ts',
    format: 'cjs',
    platform: 'node',
    target: 'node20',
    sourcefile,
    sourcemap: 'inline',
    sourcesContent: false,
  }).code;
}

/** Returns the JavaScript of a TypeScript file, from the cache or freshly compiled into it. */
function compiled(/** @type {string} */ filename) {
  const source = fs.readFileSync(filename, 'utf8');
  const isSource = /[\\/]packages[\\/](?:middleware[\\/])?[\w-]+[\\/]src[\\/]/.test(filename);
  const compile = isSource ? compileSource : compileTest;
  const key = crypto.createHash('sha1').update(`${compile}${filename}\0${source}`).digest('hex');
  const stored = path.join(cache, `${key}.js`);
  try {
    return fs.readFileSync(stored, 'utf8');
  } catch {
    const code = compile(source, filename);
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

const resolveFilename = Module._resolveFilename;
Module._resolveFilename = function resolveTypeScript(request, parent, ...rest) {
  const own = process.env.RISTRETTO_SOURCES === undefined ? undefined : ownSource(request, parent);
  if (own !== undefined) return own;
  // TypeScript imports name the output file: './http.js' is http.ts here.
  if (/^\.{1,2}\/.*\.js$/.test(request) && parent?.filename?.endsWith('.ts')) {
    const typescript = path.resolve(path.dirname(parent.filename), request.slice(0, -3) + '.ts');
    if (fs.existsSync(typescript)) return typescript;
  }
  const found = resolveFilename.call(this, request, parent, ...rest);
  return process.env.RISTRETTO_SOURCES === undefined ? found : (sourceOf(found) ?? found);
};

/** Returns the directory of one of the packages, and its main module in `src`. */
function placeOf(/** @type {string} */ name) {
  if (name === '@ristretto/private-engine') return ['engine', ''];
  if (name === '@ristretto/migrate') return ['migrate', 'main'];
  return name.startsWith('@')
    ? [`middleware/${name.slice('@ristretto/'.length)}`, 'index']
    : [name, 'express'];
}

/** Returns the source file of this repository that a specifier means; undefined for all others. */
function ownSource(/** @type {string} */ request, /** @type {NodeModule | undefined} */ parent) {
  const [, name, file] =
    /^(@ristretto\/[\w-]+|ristretto[35]?)(?:\/lib\/(.+?)(?:\.js)?)?$/.exec(request) ?? [];
  if (name !== undefined) {
    const [home = '', main = ''] = placeOf(name);
    return sourceAt(path.join(packages, home, 'src', file ?? main));
  }
  const from = parent?.filename ?? '';
  if (!request.startsWith('.') || !from.startsWith(packages)) return undefined;
  const target = path.resolve(path.dirname(from), request.replace(/\.js$/, ''));
  if (from.slice(packages.length).includes(`${path.sep}src${path.sep}`)) return sourceAt(target);
  // The files of ristretto5 that tracers look for are not compiled, and load `lib`.
  return from.includes(`${path.sep}traced${path.sep}`) ? sourceOf(`${target}.js`) : undefined;
}

/** Returns the source of a compiled file, which a program may name by its path. */
function sourceOf(/** @type {string} */ file) {
  const [, name = '', rest = ''] = COMPILED.exec(file) ?? [];
  return file.startsWith(packages) ? sourceAt(path.join(packages, name, 'src', rest)) : undefined;
}

const COMPILED =
  /[\\/]packages[\\/](engine|migrate|ristretto[35]?|middleware[\\/][\w-]+)[\\/]lib[\\/]((?!node_modules).+)\.js$/;

function sourceAt(/** @type {string} */ file) {
  return [`${file}.ts`, path.join(file, 'index.ts')].find(each => fs.existsSync(each));
}

process.setSourceMapsEnabled(true);

module.exports = { compiled };
