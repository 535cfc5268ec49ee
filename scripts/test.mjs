/**
 * `npm test`, in steps, of which the first that fails ends it: the build; in parallel, lint, format, types, the table of
 * features, the reference, the site, real packages from npm, other runtimes, a created application and bundled ones;
 * every test on each Node of scripts/nodes.json, with coverage on the current one; tests of members over HTTP/2; the
 * fuzzer.
 *
 *     node scripts/test.mjs [--here]                 only on the current Node
 *                           [--fuzz-seconds=5]       for each target of the fuzzer, two at a time
 */
import fs from 'node:fs';
import path from 'node:path';
import { here, nodeOf, otherMajors } from './nodes.mjs';
import { bin, inTurn, step } from './steps.mjs';
import { runSuite } from './suite.mjs';
import { root, testFiles } from './test-files.mjs';

/**
 * From the same seed the fuzzer generates the same inputs: within this number, CI repeats inputs that a longer run has
 * tried before, and does not fail for a change that has nothing to do with what it finds.
 */
const EXPLORED = ['--executions=20000'];

const isHereOnly = process.argv.includes('--here');

/** Returns the type-checked projects around the packages. */
function typeProjects() {
  const homes = fs.readdirSync(path.join(root, 'packages')).map(name => `packages/${name}/test`);
  return [...homes, 'examples', 'examples/showcase', 'bench'].filter(home =>
    fs.existsSync(path.join(root, home, 'tsconfig.json')),
  );
}

/** Returns how many seconds each target of the fuzzer runs. */
function fuzzSeconds() {
  const given = process.argv.find(arg => arg.startsWith('--fuzz-seconds='));
  return given === undefined ? 5 : Number(given.slice('--fuzz-seconds='.length));
}

/** Runs all checks other than tests at the same time. */
async function checks() {
  const tsc = bin('typescript/bin/tsc');
  const codes = await Promise.all([
    step('lint', [bin('eslint/bin/eslint.js'), '--max-warnings=0', '.']),
    inTurn([
      () => step('format', [bin('prettier/bin/prettier.cjs'), '--check', '--log-level=warn', '.']),
      ...typeProjects().map(home => () => step(`types of ${home}`, [tsc, '-p', home])),
      () => step('features', ['scripts/features.mjs', '--check']),
      () => step('reference', ['scripts/reference.mjs', '--check']),
      () => step('documentation', ['scripts/docs.mjs', '--check']),
      () => step('error page', ['scripts/error-page.mjs']),
      () => step('showcase', ['scripts/showcase.mjs']),
    ]),
    inTurn([
      ...(isHereOnly ? [] : [() => step('other Nodes', ['scripts/nodes.mjs'])]),
      () => step('compatibility', ['compat/run.mjs', '--quick']),
      () => step('runtimes', ['runtimes/run.mjs', '--check', ...(isHereOnly ? ['--here'] : [])]),
      () => step('npm create', ['scripts/create.mjs', '--quick']),
      () => step('bundles', ['bundles/run.mjs', '--quick', ...(isHereOnly ? ['--here'] : [])]),
    ]),
  ]);
  return codes.find(code => code !== 0) ?? 0;
}

let summary = '';
/** Runs every test on every Node. */
async function tests() {
  const others = isHereOnly ? [] : otherMajors().map(nodeOf);
  const result = await runSuite([here, ...others], testFiles(), true);
  summary = result.summary;
  return result.code;
}

process.exitCode = await inTurn([
  () => step('build', ['scripts/build.mjs']),
  checks,
  tests,
  () => step('members over HTTP/2', ['scripts/test-http2.mjs', ...(isHereOnly ? ['--here'] : [])]),
  () => step('fuzzing', ['scripts/fuzz.mjs', '--fresh', `--seconds=${fuzzSeconds()}`, ...EXPLORED]),
]);
// The counts of all Nodes come last, where readers expect them.
console.log(summary);
