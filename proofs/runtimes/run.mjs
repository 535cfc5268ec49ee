/**
 * Runs one application on each runtime, and all checks against it:
 *
 *     npm run runtimes                   every runtime; writes docs/runtimes.md
 *     npm run runtimes -- bun deno       runtimes whose name contains a word
 *     npm run runtimes -- --here         only the current version of Node.js
 *     npm run runtimes -- --check        what CI runs: docs/runtimes.md must be up to date
 */
import util from 'node:util';
import { here, otherMajors } from '../../scripts/nodes.mjs';
import { installExact } from '../../scripts/npm.mjs';
import { matching, readOptions } from '../../scripts/options.cjs';
import { groups } from './checks/index.mjs';
import { runChecks } from './harness/compare.mjs';
import { HOME, ways } from './harness/runtimes.mjs';
import { documentRun } from './harness/table.mjs';

const { values: options, positionals: words } = readOptions(
  { here: { type: 'boolean', default: false }, check: { type: 'boolean', default: false } },
  { words: true },
);
const AT_ONCE = 2;

const show = (/** @type {unknown} */ value) =>
  util.inspect(value, { depth: 5, breakLength: 100 }).replaceAll('\n', '\n      ');

/** Prints the counts of a way, and its problems; returns the number of problems. */
function print(
  /** @type {import('./harness/runtimes.mjs').Way} */ way,
  /** @type {import('./harness/compare.mjs').Row[]} */ rows,
  /** @type {number} */ ms,
) {
  const count = (/** @type {string} */ result) => rows.filter(row => row.result === result).length;
  const wrong = rows.filter(({ result }) => result === 'wrong');
  const counts = `${count('same')} as expected, ${count('differs')} differ as listed, ${wrong.length} wrong`;
  console.log(
    `${wrong.length === 0 ? '✔' : '✖'} ${way.name} (${way.version}): ${counts} (${(ms / 1000).toFixed(1)} s)`,
  );
  for (const { group, name, seen, expected } of wrong)
    console.log(`  ✖ ${group}: ${name}\n      seen      ${show(seen)}\n      expected  ${show(expected)}`);
  return wrong.length;
}

/** Runs all checks on the ways, a few ways at a time; resolves with the number of wrong results. */
async function runAll(/** @type {import('./harness/runtimes.mjs').Way[]} */ chosen) {
  const queue = [...chosen];
  let wrong = 0;
  const worker = async () => {
    for (let way = queue.shift(); way; way = queue.shift()) {
      const started = Date.now();
      const rows = await runChecks(way, Object.entries(groups));
      wrong += print(way, rows, Date.now() - started);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
  return wrong;
}

/** Returns the exit code. */
async function main() {
  installExact(HOME);
  const all = ways(options.here);
  const wrongResults = await runAll(matching(all, words, ({ name }) => name.toLowerCase()));
  const majors = [here.version.split('.')[0], ...otherMajors()].sort();
  const isPart = words.length > 0;
  const wrongTexts = documentRun(all, majors, isPart || wrongResults > 0 || options.check);
  for (const text of isPart ? [] : wrongTexts) console.log(`✖ ${text}`);
  return wrongResults + (isPart ? 0 : wrongTexts.length) === 0 ? 0 : 1;
}

process.exitCode = await main();
