/**
 * Runs all test files, or those whose path contains one of the given words, on the current Node or on the given majors:
 *
 *     node scripts/run-tests.mjs [--sources] [--coverage] [--node=22,24] [word ...]
 *
 * With --sources, the packages are loaded from src, so that a saved change needs no build; a few tests of packages, logs
 * and tracers need the built files.
 *
 * With --coverage, coverage below the threshold is a failure. The last lines are a summary like that of Node's test
 * runner.
 */
import { here, nodeOf } from './nodes.mjs';
import { runSuite } from './suite.mjs';
import { testFiles } from './test-files.mjs';

const args = process.argv.slice(2);
const words = args.filter(arg => !arg.startsWith('--'));
const majors = args.filter(arg => arg.startsWith('--node=')).flatMap(arg => arg.slice(7).split(','));
const nodes = majors.length === 0 ? [here] : majors.map(nodeOf);
const files = testFiles().filter(file => words.length === 0 || words.some(word => file.includes(word)));
if (files.length === 0) throw new Error(`no test file matches ${words.join(' ')}`);
if (args.includes('--sources')) process.env.RISTRETTO_SOURCES = '1';
const { code, summary } = await runSuite(nodes, files, args.includes('--coverage'));
console.log(summary);
process.exitCode = code;
