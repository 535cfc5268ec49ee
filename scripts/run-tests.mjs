/**
 * Runs all test files, or those whose path contains one of the given words, on the current Node or on the given majors or releases.
 * A word that is in no path is looked for in the titles of suites, because a file has the tests of several members:
 *
 *     node scripts/run-tests.mjs [--built] [--coverage] [--node=22,24.0.0|releases] [word ...]
 *
 * The packages are loaded from src, so that a saved change needs no build, but for tests with the tag `built` (test-files.mjs), for
 * which the packages are built meanwhile, and the types of the tests that words name are checked. With --built, and with --coverage,
 * all tests load lib, as they do in CI.
 *
 * With --coverage, coverage below the threshold is a failure. The last lines are a summary like that of Node's test
 * runner.
 */
import { here, nodeOf, someReleases } from './nodes.mjs';
import { matching, readOptions } from './options.cjs';
import { step } from './steps.mjs';
import { runSuite } from './suite.mjs';
import { checkTypes } from './test-types.mjs';
import { hasTag, suitesOf, testFiles } from './test-files.mjs';

const { values, positionals } = readOptions(
  {
    built: { type: 'boolean', default: false },
    coverage: { type: 'boolean', default: false },
    node: { type: 'string' },
  },
  { words: true },
);
const all = testFiles();
const inNoPath = positionals.filter(word => !all.some(file => file.includes(word)));
const files = matching(all, positionals, file =>
  [file, ...inNoPath.filter(word => suitesOf(file).some(title => title.includes(word)))].join('\n'),
);
const names = values.node === 'releases' ? someReleases() : values.node?.split(',');
const nodes = names?.map(nodeOf) ?? [here];
const { coverage } = values;
const sources = !coverage && !values.built;
const needsBuild = !sources || files.some(file => hasTag(file, 'built'));
const built = needsBuild ? step('build', ['scripts/build.mjs']) : Promise.resolve(0);
const types = sources && positionals.length > 0 ? checkTypes(files) : Promise.resolve(0);
const { code, summary } = await runSuite(nodes, files, { coverage, sources, built });
const typesCode = await types;
console.log(summary);
process.exitCode = code || typesCode;
