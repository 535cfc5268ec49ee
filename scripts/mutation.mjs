/**
 * Shows that each defence against a known attack is needed: removes it from a copy of the built packages, and checks
 * that the test with the attack's id in its title passes with it and fails without it.
 *
 *     node scripts/mutation.mjs [word ...]      all ids, or those that contain one of the words
 *
 * mutations/ lists what is removed, and which test must detect it. Defences of Node.js itself have a test, but nothing
 * to remove. Requires a built package; the checkout itself is not changed.
 */
import { spawn } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { mutations } from './mutations/index.mjs';
import { root } from './test-files.mjs';

/** @typedef {import('./mutations/index.mjs').Mutation} Mutation */
/** @typedef {{ passed: number, failed: number, output: string }} Result */

/** Milliseconds after which a test counts as failed: the mutation made it hang. */
const PATIENCE = 60_000;
const AT_ONCE = 2;

/** Entries of node_modules that are this repository's packages. */
const OWN = new Set(fs.readdirSync(path.join(root, 'packages')));

/** Creates a copy in which the tests load the packages of the copy; everything else comes from the checkout. */
function makeCopy(/** @type {string} */ home) {
  for (const name of ['packages', 'scripts']) {
    fs.cpSync(path.join(root, name), path.join(home, name), {
      recursive: true,
      // the build of ristretto5 creates a folder of this name in lib
      filter: source => !/(?<!lib)[\\/]node_modules$/.test(source) && !source.endsWith('.map'),
    });
  }
  for (const name of OWN) linkModules(path.join('packages', name, 'node_modules'), home);
  linkModules('node_modules', home);
  for (const name of ['package.json', 'tsconfig.base.json', 'examples', 'docs']) {
    fs.symlinkSync(path.join(root, name), path.join(home, name));
  }
}

function linkModules(/** @type {string} */ modules, /** @type {string} */ home) {
  const from = path.join(root, modules);
  if (!fs.existsSync(from)) return;
  fs.mkdirSync(path.join(home, modules), { recursive: true });
  for (const name of fs.readdirSync(from)) {
    if (name.startsWith('.')) continue;
    const target = OWN.has(name) ? path.join(home, 'packages', name) : path.join(from, name);
    fs.symlinkSync(target, path.join(home, modules, name));
  }
}

/** Runs the tests in a file whose titles contain the id. */
function runTest(/** @type {string} */ home, /** @type {Mutation} */ { id, test }) {
  const pattern = `/${id.replace(/[\\/^$.*+?()[\]{}|]/g, '\\$&')}/`;
  const args = ['--require', './scripts/typescript.cjs', '--test-name-pattern', pattern, test];
  const child = spawn(process.execPath, args, {
    cwd: home,
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: PATIENCE,
  });
  let output = '';
  child.stdout.on('data', chunk => (output += chunk));
  child.stderr.on('data', chunk => (output += chunk));
  return new Promise(resolve => {
    child.on('close', (code, signal) => {
      const count = (/** @type {string} */ what) =>
        Number(new RegExp(`^# ${what} (\\d+)$`, 'm').exec(output)?.[1] ?? 0);
      // A process that exited before its tests were counted has failed.
      const failed =
        count('fail') + count('cancelled') + (signal || (code !== 0 && count('tests') === 0) ? 1 : 0);
      resolve({ passed: count('pass'), failed, output });
    });
  });
}

/** Replaces each text, which must occur exactly once in its file; saves the original files in `kept`. */
function mutate(
  /** @type {string} */ home,
  /** @type {Mutation} */ { edits = [] },
  /** @type {Map<string, string>} */ kept,
) {
  for (const [name, from, to] of edits) {
    const file = path.join(home, name);
    const text = fs.readFileSync(file, 'utf8');
    if (!kept.has(file)) kept.set(file, text);
    const pieces = text.split(from);
    if (pieces.length !== 2) throw new Error(`${name} has ${pieces.length - 1} times: ${from}`);
    fs.writeFileSync(file, pieces.join(to));
  }
}

/** Returns what is wrong with a mutation, or `undefined` if its test passes without it and fails with it. */
async function check(
  /** @type {string} */ home,
  /** @type {Mutation} */ mutation,
  /** @type {Map<string, Promise<Result>>} */ sound,
) {
  const key = `${mutation.test} ${mutation.id}`;
  if (!sound.has(key)) sound.set(key, runTest(home, mutation));
  const before = /** @type {Result} */ (await sound.get(key));
  if (before.passed === 0) return 'no test has this id';
  if (before.failed > 0) return `the test fails by itself:\n${before.output}`;
  if (mutation.edits === undefined) return undefined;
  const kept = new Map();
  try {
    mutate(home, mutation, kept);
    const after = await runTest(home, mutation);
    return after.failed > 0 ? undefined : 'SURVIVED: the test passes without the defence';
  } catch (error) {
    return String(/** @type {Error} */ (error).message);
  } finally {
    for (const [file, text] of kept) fs.writeFileSync(file, text);
  }
}

/** Returns the exit code. */
async function main(/** @type {string[]} */ words) {
  const queue = mutations.filter(({ id }) => words.length === 0 || words.some(word => id.includes(word)));
  const total = queue.length;
  /** @type {Map<string, Promise<Result>>} */
  const sound = new Map();
  let bad = 0;
  await Promise.all(
    Array.from({ length: AT_ONCE }, async () => {
      const home = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'mutation-')));
      try {
        makeCopy(home);
        for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
          const problem = await check(home, next, sound);
          const kept = next.edits === undefined ? 'left to the runtime' : 'killed';
          console.log(
            `${problem ? '✖' : '✔'} ${next.id}: ${next.without} ${problem ? `— ${problem}` : `(${kept})`}`,
          );
          if (problem) bad++;
        }
      } finally {
        fs.rmSync(home, { recursive: true, force: true });
      }
    }),
  );
  const ids = new Set(mutations.map(({ id }) => id));
  console.log(`${total - bad} of ${total} as they should be, ${ids.size} ids in the table`);
  return bad === 0 ? 0 : 1;
}

process.exitCode = await main(process.argv.slice(2));
