/**
 * Runs what convinces, takes long and seldom breaks, one after another, as GitHub does each night:
 *
 *     npm run proofs [-- word ...]     all, or those whose name contains a word: site, compat, runtimes, ...
 *
 * Each is also a command of its own, with more options and `--help`. Needs built packages, and the registry.
 */
import { matching, readOptions } from '../scripts/options.cjs';
import { step } from '../scripts/steps.mjs';

const seed = Math.floor(Date.now() / 86_400_000);
const generated = [
  '--require',
  './scripts/typescript.cjs',
  'proofs/differential/run.ts',
  '--seed',
  String(seed),
];

// Read by the generated tests of the suite, which otherwise compare the same, fewer cases each time
Object.assign(process.env, { DIFFERENTIAL_SEED: seed, DIFFERENTIAL_CASES: 5000 });

/** The arguments of Node, by name. @type {[name: string, args: string[]][]} */
const PROOFS = [
  ['releases of Node', ['scripts/run-tests.mjs', '--built', '--node=releases', 'http.native', 'http.light']],
  ['site', ['scripts/docs.mjs', '--check']],
  ['migrate', ['proofs/migrate/run.mjs']],
  ['compat', ['proofs/compat/run.mjs', '--quick']],
  ['runtimes', ['proofs/runtimes/run.mjs', '--check']],
  ['bundles', ['proofs/bundles/run.mjs']],
  ['differential with Express 4', [...generated, '--cases', '20000']],
  ['differential with Express 5', [...generated, '--express', '5', '--cases', '20000']],
  ['combinations', ['--require', './scripts/typescript.cjs', 'proofs/differential/combinations.ts']],
  ['generated tests', ['scripts/run-tests.mjs', '--built', 'differential']],
  ['fuzz', ['proofs/fuzz/run-all.mjs', '--seconds=300']],
];

const { positionals } = readOptions({}, { words: true });
let failed = 0;
// The others run even if one fails
for (const [name, args] of matching(PROOFS, positionals, ([name]) => name)) {
  const code = await step(name, args);
  failed ||= code;
}
process.exitCode = failed;
