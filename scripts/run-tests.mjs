/**
 * Runs all test files, or those whose path contains one of the given words, on the current Node or on the given majors:
 *
 *     node scripts/run-tests.mjs [--built] [--coverage] [--node=22,24] [word ...]
 *
 * The packages are loaded from src, so that a saved change needs no build, but for the tests in `BUILT` of suite.mjs, for
 * which the packages are built meanwhile. With --built, and with --coverage, all tests load lib, as they do in CI.
 *
 * With --coverage, coverage below the threshold is a failure. The last lines are a summary like that of Node's test
 * runner.
 */
import { here, nodeOf } from './nodes.mjs';
import { step } from './steps.mjs';
import { BUILT, runSuite } from './suite.mjs';
import { testFiles } from './test-files.mjs';

const args = process.argv.slice(2);
const words = args.filter(arg => !arg.startsWith('--'));
const majors = args.filter(arg => arg.startsWith('--node=')).flatMap(arg => arg.slice(7).split(','));
const nodes = majors.length === 0 ? [here] : majors.map(nodeOf);
const files = testFiles().filter(file => words.length === 0 || words.some(word => file.includes(word)));
if (files.length === 0) throw new Error(`no test file matches ${words.join(' ')}`);
const coverage = args.includes('--coverage');
const sources = !coverage && !args.includes('--built');
const needsBuild = !sources || files.some(file => BUILT.test(file));
const built = needsBuild ? step('build', ['scripts/build.mjs']) : Promise.resolve(0);
const { code, summary } = await runSuite(nodes, files, { coverage, sources, built });
console.log(summary);
process.exitCode = code;
