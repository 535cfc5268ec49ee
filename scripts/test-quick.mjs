/**
 * `npm run test:quick`: a check of a change in under two minutes. Builds, runs the fast tests on the current Node, and checks
 * format, lint and types of the differences from the main branch.
 *
 *     node scripts/test-quick.mjs [--base=origin/main]    the branch to compare with
 *
 * `npm test` also runs slow tests, the tests over HTTP/2 and the checks of the documents; CI runs the rest.
 */
import { changedFiles, lintOf } from './changed-files.mjs';
import { here } from './nodes.mjs';
import { readOptions } from './options.cjs';
import { MIDDLEWARE, packageHomes } from './packages.cjs';
import { allOf, bin, inTurn, step, tsc } from './steps.mjs';
import { runSuite } from './suite.mjs';
import { isSlow, testFiles } from './test-files.mjs';

/** Returns the projects to type-check: those with changed files. */
function changedProjects(/** @type {string[]} */ changed) {
  const homes = packageHomes()
    .filter(home => !home.startsWith(MIDDLEWARE))
    .map(home => [`${home}/`, `${home}/test`]);
  return [...homes, [`${MIDDLEWARE}/`, MIDDLEWARE], ['examples/', 'examples'], ['proofs/', 'proofs']]
    .filter(([prefix = '']) => changed.some(file => file.startsWith(prefix) && file.endsWith('.ts')))
    .map(([, project = '']) => project);
}

/** Checks format, lint and types of the changes, two at a time. */
function checks() {
  const changed = changedFiles(values.base);
  const prettier = [bin('prettier/bin/prettier.cjs'), '--check', '--log-level=warn', '--ignore-unknown'];
  const types = changedProjects(changed).map(
    project => () => step(`types of ${project}`, [tsc, '-p', project]),
  );
  return allOf([
    inTurn([
      ...(changed.length > 0 ? [() => step('format of what changed', [...prettier, ...changed])] : []),
      () => lintOf(changed),
    ]),
    inTurn(types),
  ]);
}

const { values } = readOptions({ base: { type: 'string' } });
const files = testFiles().filter(file => !isSlow(file));
const started = Date.now();
let summary = '';

// Most tests do not need the build, which uses only one processor.
const built = step('build', ['scripts/build.mjs']);
process.exitCode = await inTurn([
  async () => {
    const result = await runSuite([here], files, { sources: true, built });
    summary = result.summary;
    return result.code;
  },
  checks,
]);
console.log(summary);
const seconds = Math.round((Date.now() - started) / 1000);
const left = testFiles().length - files.length;
console.log(
  `${seconds} s; npm test and CI also run ${left} more test files, and CI the other versions of Node`,
);
