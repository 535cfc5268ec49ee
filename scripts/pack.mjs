/**
 * Packs packages as they are published, for releases and for tests of what users install.
 *
 *     node scripts/pack.mjs <folder> packages/engine packages/ristretto ...
 *
 * Prints `[{ name, file }]` as JSON. Requires built packages. Adds to each the licence, and to its manifest the fields that all
 * packages share.
 *
 * What every application loads of the engine is published as one file, and a file of one line for each of its doors: Node
 * spends a fifth of the time in which an application starts on finding, reading and wrapping 160 files. What only some
 * load (in development, for documents, WebSockets, telemetry) stays one file for each source, because an application would
 * have to parse and keep a third more code. In the repository all of it does, so that tests and their coverage reach each
 * module.
 */
import fs from 'node:fs';
import { createRequire } from 'node:module';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { INSTALL_FLAGS, npm } from './npm.mjs';
import { readOptions } from './options.cjs';
import { ENGINE, VERSIONS, publishedManifest, root } from './packages.cjs';

/** The file of what every application loads. Modules in it recognize themselves by this name: see `dev/place.ts`, `view.ts`. */
const FILE = 'engine.js';

/**
 * Packs packages.
 *
 * @param {string[]} homes their directories, relative to the repository
 * @param {string} folder where the tarballs are put
 * @returns {{ name: string, file: string }[]} the packages' names and the paths of the tarballs, in the same order
 */
export function pack(homes, folder) {
  fs.mkdirSync(folder, { recursive: true });
  const drafts = fs.mkdtempSync(path.join(os.tmpdir(), 'ristretto-pack-'));
  try {
    const places = homes.map((home, index) => copyPackage(home, path.join(drafts, String(index))));
    const args = ['pack', ...places, '--ignore-scripts', '--json', '--pack-destination', folder];
    /** @type {{ name: string, filename: string }[]} */
    const packed = Object.values(JSON.parse(npm(args, root)));
    return packed.map(({ name, filename }) => ({ name, file: path.resolve(folder, filename) }));
  } finally {
    fs.rmSync(drafts, { recursive: true });
  }
}

/**
 * Installs packed packages, each with its dependencies inside its directory, so that it can be copied anywhere.
 *
 * @param {{ name: string, file: string }[]} packed must include those that they depend on
 * @param {string[]} homes their directories, in the same order
 * @param {string} folder an empty one
 * @returns {(home: string) => string} returns where a package is installed
 */
export function installTarballs(packed, homes, folder) {
  const tarballs = packed.map(({ name, file }) => [name, `file:${file}`]);
  const keyOf = (/** @type {string} */ home) => home.replace(/\W/g, '-');
  const manifest = {
    private: true,
    dependencies: Object.fromEntries(homes.map((home, index) => [keyOf(home), tarballs[index]?.[1]])),
    overrides: Object.fromEntries(tarballs),
  };
  fs.writeFileSync(path.join(folder, 'package.json'), JSON.stringify(manifest));
  npm(['install', ...INSTALL_FLAGS, '--install-strategy=nested'], folder);
  return home => path.join(folder, 'node_modules', keyOf(home));
}

/** Copies a package into a folder as it is published, and returns the folder. */
function copyPackage(/** @type {string} */ home, /** @type {string} */ draft) {
  const source = path.join(root, home);
  if (!fs.existsSync(path.join(source, 'lib'))) throw new Error('not built yet: npm run build');
  const isCopied = (/** @type {string} */ file) =>
    !/^(?:src|test|node_modules)$/.test(path.relative(source, file)) &&
    !(home === ENGINE && /\.js(?:\.map)?$/.test(file));
  fs.cpSync(source, draft, { recursive: true, filter: isCopied });
  if (home === ENGINE) writeEngine(draft);
  fs.copyFileSync(path.join(root, 'LICENSE'), path.join(draft, 'LICENSE'));
  fs.writeFileSync(path.join(draft, 'package.json'), JSON.stringify(publishedManifest(home), null, 2));
  return draft;
}

/** Writes the code of the engine, with one file for what every application loads. */
function writeEngine(/** @type {string} */ draft) {
  const lib = path.join(root, ENGINE, 'lib');
  const files = fs.readdirSync(lib, { recursive: true, encoding: 'utf8' });
  const names = files
    .filter(file => file.endsWith('.js'))
    .map(file => file.slice(0, -3).replaceAll('\\', '/'));
  const core = coreModules(lib, names);
  const modules = names.map(name => {
    const code = fs.readFileSync(path.join(lib, `${name}.js`), 'utf8');
    if (core.has(name))
      return `${JSON.stringify(name)}(exports, module) {\n${withNames(code, name, names, core)}\n},\n`;
    const file = path.join(draft, 'lib', `${name}.js`);
    fs.writeFileSync(file, inAscii(withNames(code, name, names, core)));
    return '';
  });
  fs.writeFileSync(path.join(draft, 'lib', FILE), inAscii([START, ...modules, END].join('')));
  for (const door of names.filter(name => !name.includes('/') && core.has(name)))
    fs.writeFileSync(
      path.join(draft, 'lib', `${door}.js`),
      `'use strict';\nmodule.exports = require('./${FILE}')('${door}');\n`,
    );
}

/** A module that another loads with it, or soon after: deferred without a condition. */
const LOADED =
  /^(?:(?!\s)(?!.*=> require\().*\brequire\(["']([^"']+)["']\)|const \w+ = .*\bdeferred\)\(\(\) => require\(["']([^"']+)["']\)\);$)/gm;

/** Returns the names of the modules that an application of any version loads, whatever it uses. */
function coreModules(/** @type {string} */ lib, /** @type {string[]} */ names) {
  const found = new Set();
  const visit = (/** @type {string} */ file) => {
    if (found.has(file)) return;
    found.add(file);
    const { resolve } = createRequire(file);
    for (const [, atOnce, later] of fs.readFileSync(file, 'utf8').matchAll(LOADED)) {
      const specifier = atOnce ?? later ?? '';
      if (/^(?:\.|@ristretto\/)/.test(specifier)) visit(fs.realpathSync(resolve(specifier)));
    }
  };
  for (const home of VERSIONS) visit(path.join(root, home, 'lib/express.js'));
  return new Set(names.filter(name => found.has(fs.realpathSync(path.join(lib, `${name}.js`)))));
}

/**
 * Replaces the paths that a module requires where the other module, or this one, is in the file of all. Bundlers would
 * also rename functions, which logs show.
 */
function withNames(
  /** @type {string} */ code,
  /** @type {string} */ from,
  /** @type {string[]} */ names,
  /** @type {Set<string>} */ core,
) {
  const up = '../'.repeat(from.split('/').length - 1) || './';
  return code.replace(/\brequire\(["'](\.[^"']+)["']\)/g, (call, specifier) => {
    const name = path.posix.join(path.posix.dirname(from), specifier.replace(/\.js$/, ''));
    if (!names.includes(name)) throw new Error(`${from}.js has ${call}, and there is no ${name}.js`);
    if (!core.has(name)) return core.has(from) ? `require('./${name}.js')` : call;
    return core.has(from) ? `$load('${name}')` : `require('${up}${FILE}')('${name}')`;
  });
}

/**
 * Escapes all characters that are not ASCII. One of them would make V8 keep the whole file with two bytes for each
 * character: 1 MB more, with which it collects garbage half again as often while bodies of 10 MiB arrive.
 */
function inAscii(/** @type {string} */ code) {
  return code.replace(/[^\0-\x7f]/g, unit => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/** A module runs when it is first required, as in Node. Modules may declare a `load`, but no name with a dollar sign. */
const START = `'use strict';
const $loaded = Object.create(null);
function $load(name) {
  if ($loaded[name] === undefined) {
    const module = ($loaded[name] = { exports: {} });
    $modules[name](module.exports, module);
  }
  return $loaded[name].exports;
}
module.exports = $load;
const $modules = {
`;
const END = '};\n';

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [folder = '', ...homes] = readOptions({}, { words: true }).positionals;
  console.log(JSON.stringify(pack(homes, folder)));
}
