/**
 * Bundles the applications of this folder with each bundler, runs the results in a folder without packages, and
 * compares everything observable with the same application unbundled:
 *
 *     node proofs/bundles/run.mjs                everything, on every Node of scripts/nodes.json
 *     node proofs/bundles/run.mjs --here         only on the current Node
 *     node proofs/bundles/run.mjs --quick        ristretto3 with one bundler, an executable of the current Node: what CI runs
 *     node proofs/bundles/run.mjs webpack ...    checks whose title contains a word
 */
import fs from 'node:fs';
import path from 'node:path';
import { differences } from '../compat/harness/compare.mjs';
import { here, nodeOf, otherMajors } from '../../scripts/nodes.mjs';
import { installExact } from '../../scripts/npm.mjs';
import { matching, readOptions } from '../../scripts/options.cjs';
import { observe } from './program.mjs';
import { applicationOf, makeFolder, makeHome } from './setup.mjs';

/**
 * @typedef {import('./setup.mjs').Application} Application
 * @typedef {import('./bundlers.mjs').Bundler} Bundler
 * @typedef {{ title: string, binary: string, environment: Record<string, string> }} Run a way to run a program
 */

const { values: options, positionals: words } = readOptions(
  { here: { type: 'boolean' }, quick: { type: 'boolean' } },
  { words: true },
);

/** A version unknown to the framework, which then examines Node's functions before it replaces them. */
const UNKNOWN = { PRETENDED_VERSION: 'v20.99.0' };
/** @type {[string, string]} */
const NAMES = ['unbundled:', 'bundled:  '];

/** @type {Map<string, Promise<object>>} */
const references = new Map();

/** Returns the observed behaviour of an application that is not bundled. */
function reference(
  /** @type {string} */ home,
  /** @type {Application} */ application,
  /** @type {Run} */ run,
) {
  const title = `${application.name} unbundled on ${run.title}`;
  let seen = references.get(title);
  if (seen === undefined) {
    const main = path.join(application.home, 'main.cjs');
    seen = observe([run.binary, main], makeFolder(home, title), application.parts, run.environment);
    references.set(title, seen);
  }
  return seen;
}

/** Returns the main program for a bundler: 3.x has one in CommonJS only. */
function mainOf(/** @type {Application} */ application, /** @type {string} */ entry) {
  const wanted = path.join(application.home, entry);
  return fs.existsSync(wanted) ? wanted : path.join(application.home, 'main.cjs');
}

/** Runs a command, and compares its behaviour with the unbundled application. */
async function compare(
  /** @type {string} */ home,
  /** @type {Application} */ application,
  /** @type {Run} */ run,
  /** @type {string[]} */ command,
  /** @type {string} */ folder,
) {
  const expected = await reference(home, application, run);
  const seen = await observe(command, folder, application.parts, run.environment);
  return differences(expected, seen, [], NAMES).map(text => `on ${run.title}: ${text}`);
}

/** Bundles an application, and runs it in each way. Returns the problems found, including warnings of the bundler. */
async function checkBundle(
  /** @type {string} */ home,
  /** @type {Application} */ application,
  /** @type {Bundler} */ { name, entry, output, bundle },
  /** @type {Run[]} */ runs,
) {
  const folder = makeFolder(home, `${application.name} by ${name}`);
  const file = path.join(folder, output);
  const wrong = (await bundle(mainOf(application, entry), file)).map(text => `warning: ${text}`);
  for (const run of runs) wrong.push(...(await compare(home, application, run, [run.binary, file], folder)));
  return wrong;
}

/** Creates a single executable with a Node, and runs it. Returns the problems found. */
async function checkExecutable(
  /** @type {string} */ home,
  /** @type {Application} */ application,
  /** @type {Bundler} */ { entry, output, bundle },
  /** @type {Run} */ run,
) {
  const { makeExecutable } = await import('./executable.mjs');
  const folder = makeFolder(home, `executable ${run.title}`);
  const main = path.join(folder, output);
  await bundle(mainOf(application, entry), main);
  const file = await makeExecutable(run.binary, main, folder);
  fs.rmSync(main);
  const wrong = await compare(home, application, run, [file], folder);
  // The executable contains all of Node.
  fs.rmSync(folder, { recursive: true });
  return wrong;
}

/** Returns the Nodes that programs run on: the current one first, and with `--here` no others. @returns {Run[]} */
function nodes() {
  const others = options.here ? [] : otherMajors().map(nodeOf);
  return [here, ...others].map(({ version, binary }) => ({
    title: `Node ${version}`,
    binary,
    environment: {},
  }));
}

/** Returns all checks, by title. @returns {Promise<[title: string, check: () => Promise<string[]>][]>} */
async function checks(/** @type {string} */ home) {
  const { bundlers, esbuild } = await import('./bundlers.mjs');
  const ristretto = await applicationOf('ristretto');
  const ristretto3 = await applicationOf('ristretto3');
  const known = nodes();
  const runs = [...known, { title: 'an unknown version', binary: here.binary, environment: UNKNOWN }];
  // On macOS, executables must be signed.
  const executables = process.platform === 'linux' ? known.slice(0, options.quick ? 1 : undefined) : [];
  const basic = bundlers.filter(({ isBasic }) => isBasic);
  return [
    ...bundlers.map(bundler => check(bundler.name, () => checkBundle(home, ristretto, bundler, runs))),
    ...(options.quick ? [esbuild] : basic).map(bundler =>
      check(`ristretto3 by ${bundler.name}`, () => checkBundle(home, ristretto3, bundler, known)),
    ),
    ...executables.map(node =>
      check(`executable of ${node.title}`, () => checkExecutable(home, ristretto, esbuild, node)),
    ),
  ];
}

/** Returns a check with its title. @returns {[title: string, check: () => Promise<string[]>]} */
function check(/** @type {string} */ title, /** @type {() => Promise<string[]>} */ run) {
  return [title, run];
}

/** Runs a check and prints the problems; resolves with whether there are none. */
async function report(/** @type {string} */ title, /** @type {() => Promise<string[]>} */ run) {
  const started = Date.now();
  const wrong = await run().catch(error => [error instanceof Error ? error.message : String(error)]);
  const isRight = wrong.length === 0;
  console.log(`${isRight ? '✔' : '✖'} ${title} (${((Date.now() - started) / 1000).toFixed(1)} s)`);
  for (const text of wrong) console.log(`    ${text.replaceAll('\n', '\n    ')}`);
  return isRight;
}

/** Returns the exit code. */
async function main() {
  installExact(import.meta.dirname);
  const home = makeHome();
  try {
    const chosen = matching(await checks(home), words, ([title]) => title);
    let right = 0;
    for (const [title, run] of chosen) if (await report(title, run)) right++;
    console.log(`\n${chosen.length} bundles, ${right} the same as their application`);
    return right === chosen.length ? 0 : 1;
  } finally {
    fs.rmSync(home, { recursive: true, force: true });
  }
}

try {
  process.exitCode = await main();
} catch (error) {
  console.error(error instanceof Error ? `✖ ${error.message}` : error);
  if (error instanceof Error && error.cause) console.error(error.cause);
  process.exitCode = 1;
}
