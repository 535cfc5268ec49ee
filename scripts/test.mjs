/**
 * `npm test`, in steps; the first failing step ends it: the build and the format; in parallel, lint of what differs from the
 * main branch, types, the reference, the site, the error page and the showcase; every test; tests of
 * members over HTTP/2.
 *
 * With the environment variable CI, it lints everything, tests on each Node of scripts/nodes.json, measures coverage on the
 * newest, and also creates applications and runs the fuzzer. `npm run proofs` runs what takes longer and seldom breaks.
 *
 *     node scripts/test.mjs [--here]                 only on the current Node, with coverage in CI
 *                           [--fuzz-seconds=60]      for each target of the fuzzer, two at a time; otherwise 12,000 inputs,
 *                                                    or fewer where they take long
 */
import fs from 'node:fs';
import path from 'node:path';
import { changedFiles, lintOf } from './changed-files.mjs';
import { here, nodeOf, otherMajors } from './nodes.mjs';
import { readOptions } from './options.cjs';
import { MIDDLEWARE, packageHomes } from './packages.cjs';
import { allOf, bin, inTurn, step, tsc } from './steps.mjs';
import { runSuite } from './suite.mjs';
import { root, testFiles } from './test-files.mjs';

const isCI = process.env.CI !== undefined;
const { values } = readOptions({
  here: { type: 'boolean', default: false },
  'fuzz-seconds': { type: 'string' },
});
const isHereOnly = !isCI || values.here;

/** Returns the type-checked projects around the packages. */
function typeProjects() {
  const homes = packageHomes().map(home => `${home}/test`);
  return [...homes, MIDDLEWARE, 'examples', 'examples/showcase', 'proofs'].filter(home =>
    fs.existsSync(path.join(root, home, 'tsconfig.json')),
  );
}

/**
 * Returns the limits for each target of the fuzzer. Unless a time is given, all runs try the same inputs: otherwise
 * a run would try inputs that no one has seen, and fail for an unrelated change.
 */
function fuzzLimits() {
  const seconds = values['fuzz-seconds'];
  return seconds === undefined
    ? ['--seconds=120', '--executions=12000', '--fixed']
    : [`--seconds=${seconds}`];
}

/** Builds the packages, and does meanwhile what does not need them: the compiler uses only one processor. */
const build = () =>
  allOf([
    step('build', ['scripts/build.mjs']),
    step('format', [bin('prettier/bin/prettier.cjs'), '--check', '--log-level=warn', '.']),
    ...(isHereOnly ? [] : [step('other Nodes', ['scripts/nodes.mjs'])]),
  ]);

/** Runs all checks of the built packages other than tests at the same time. */
function checks() {
  return allOf([
    isCI ? step('lint', [bin('eslint/bin/eslint.js'), '--max-warnings=0', '.']) : lintOf(changedFiles()),
    step('reference', ['scripts/reference.mjs']),
    inTurn([
      ...typeProjects().map(home => () => step(`types of ${home}`, [tsc, '-p', home])),
      () => step('error page', ['scripts/error-page.mjs']),
      () => step('showcase', ['scripts/showcase.mjs']),
    ]),
    ...(isCI ? [step('npm create', ['scripts/create.mjs', '--quick'])] : []),
  ]);
}

// Tests of the reference read what the step has written.
process.env.REFERENCE = 'written';

let summary = '';
/** Runs every test on every Node. */
async function tests() {
  const nodes = isHereOnly ? [here] : [here, ...otherMajors().map(nodeOf)];
  nodes.sort((a, b) => Number.parseInt(b.version) - Number.parseInt(a.version));
  const result = await runSuite(nodes, testFiles(), { coverage: isCI, isShort: !isCI });
  summary = result.summary;
  return result.code;
}

process.exitCode = await inTurn([
  build,
  checks,
  tests,
  () => step('members over HTTP/2', ['scripts/test-http2.mjs', ...(isHereOnly ? ['--here'] : [])]),
  ...(isCI ? [() => step('fuzzing', ['proofs/fuzz/run-all.mjs', '--fresh', ...fuzzLimits()])] : []),
]);
// The counts for all versions of Node come last, where readers expect them.
console.log(summary);
