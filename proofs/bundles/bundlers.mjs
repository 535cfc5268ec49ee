/** The bundlers, each with the options from its documentation for a server on Node. */
import fs from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import commonjs from '@rollup/plugin-commonjs';
import json from '@rollup/plugin-json';
import resolve from '@rollup/plugin-node-resolve';
import ncc from '@vercel/ncc';
import { build } from 'esbuild';
import { rollup } from 'rollup';
import webpack from 'webpack';

/**
 * @typedef {(entry: string, file: string) => Promise<string[]>} Bundle bundles a program into a file; returns the
 *   bundler's warnings
 * @typedef {{ name: string, entry: string, output: string, isBasic?: boolean, bundle: Bundle }} Bundler those with `isBasic`
 *   bundle the 3.x application too
 */

/**
 * Packages that are not bundled: those used by `web.directory` and `web.errorHandler` of 3.x, which read files from
 * their own folder. They are loaded from next to the bundle when these members are first used.
 */
const EXTERNAL = ['serve-index', 'errorhandler'];

/** The entry file and the output file. */
const COMMONJS = { entry: 'main.cjs', output: 'server.cjs' };
const IMPORTS = { entry: 'main.mjs', output: 'server.cjs' };
const ES_MODULE = { entry: 'main.mjs', output: 'server.mjs' };

/** CommonJS packages call `require` for Node's own modules; esbuild expects an ES module to define it. */
const REQUIRE = `
  import { createRequire } from 'node:module';
  const require = createRequire(import.meta.url);`;
/** @type {import('esbuild').BuildOptions} */
const ESM = { format: 'esm', banner: { js: REQUIRE } };

/** @returns {Bundle} */
function withEsbuild(/** @type {import('esbuild').BuildOptions} */ options) {
  return async (entry, file) => {
    const { warnings } = await build({
      entryPoints: [entry],
      outfile: file,
      bundle: true,
      platform: 'node',
      external: EXTERNAL,
      logLevel: 'silent',
      ...options,
    });
    return warnings.map(({ text, location }) => `${location?.file}: ${text}`);
  };
}

/** @returns {Bundle} */
function withRollup(/** @type {import('rollup').ModuleFormat} */ format) {
  return async (entry, file) => {
    /** @type {string[]} */
    const warnings = [];
    const bundle = await rollup({
      input: entry,
      // With `external` they would be loaded on startup.
      plugins: [resolve({ preferBuiltins: true }), commonjs({ ignore: EXTERNAL }), json()],
      onwarn: ({ message }) => void warnings.push(message),
    });
    await bundle.write({ file, format });
    await bundle.close();
    return warnings;
  };
}

/** @returns {Bundle} */
function withWebpack(/** @type {{ minimize: boolean }} */ optimization) {
  return async (entry, file) => {
    const compiler = webpack({
      entry,
      target: 'node',
      externals: EXTERNAL.map(name => ({ [name]: `commonjs ${name}` })),
      mode: 'production',
      output: { path: path.dirname(file), filename: path.basename(file) },
      optimization,
    });
    const stats = await promisify(compiler.run).call(compiler);
    await promisify(compiler.close).call(compiler);
    const { errors = [], warnings = [] } = stats?.toJson({ all: false, errors: true, warnings: true }) ?? {};
    if (errors.length > 0) throw new Error(errors.map(({ message }) => message).join('\n'));
    return warnings.map(({ moduleName, message }) => `${moduleName}: ${message}`);
  };
}

/** @returns {Bundle} */
function withNcc(/** @type {{ minify?: boolean }} */ options) {
  return async (entry, file) => {
    const { code, assets } = await ncc(entry, { cache: false, quiet: true, externals: EXTERNAL, ...options });
    fs.writeFileSync(file, code);
    for (const [name, { source }] of Object.entries(assets)) {
      const target = path.join(path.dirname(file), name);
      fs.mkdirSync(path.dirname(target), { recursive: true });
      fs.writeFileSync(target, source);
    }
    return [];
  };
}

/** @type {Bundler} */
export const esbuild = { name: 'esbuild', ...COMMONJS, isBasic: true, bundle: withEsbuild({}) };

/** @type {Bundler[]} */
export const bundlers = [
  esbuild,
  { name: 'esbuild, minified', ...IMPORTS, bundle: withEsbuild({ minify: true }) },
  { name: 'esbuild, ES module', ...ES_MODULE, bundle: withEsbuild(ESM) },
  { name: 'esbuild, ES module, minified', ...ES_MODULE, bundle: withEsbuild({ ...ESM, minify: true }) },
  { name: 'rollup', ...IMPORTS, isBasic: true, bundle: withRollup('cjs') },
  { name: 'rollup, ES module', ...ES_MODULE, bundle: withRollup('es') },
  { name: 'webpack', ...IMPORTS, isBasic: true, bundle: withWebpack({ minimize: false }) },
  { name: 'webpack, minified', ...COMMONJS, bundle: withWebpack({ minimize: true }) },
  { name: 'ncc', ...COMMONJS, isBasic: true, bundle: withNcc({}) },
  { name: 'ncc, ES module, minified', ...ES_MODULE, bundle: withNcc({ minify: true }) },
];
