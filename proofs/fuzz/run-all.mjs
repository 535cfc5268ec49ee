/**
 * Fuzzes every target of proofs/fuzz/targets, or those whose name contains one of the words:
 *
 *     npm run fuzz -- [--seconds=3600] [--executions=Infinity] [--at-once=2] [--seed=1] [--fresh] [--fixed] [word ...]
 *
 * Inputs that reach new branches are kept in node_modules/.cache/fuzz, and the next run continues from there; `--fresh`
 * starts from scratch, and `--fixed` mutates only the seeds, so that every run tries the same inputs. An input that crashes, hangs, takes too long or fails an assertion ends its target, and is
 * printed. Requires a built package.
 */
import { spawn } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { matching, readOptions } from '../../scripts/options.cjs';
import { root } from '../../scripts/test-files.mjs';

const HOME = 'proofs/fuzz';
const CACHE = path.join(root, 'node_modules/.cache/fuzz');
/** Additional seconds that a target may need to load and to end. */
const GRACE = 60;

/** @typedef {{ executions: number, coverage: number, finding?: { input: string, message: string } }} Result */

const { values: options, positionals: words } = readOptions(
  {
    seconds: { type: 'string', default: '3600' },
    executions: { type: 'string', default: 'Infinity' },
    'at-once': { type: 'string', default: '2' },
    seed: { type: 'string', default: '1' },
    fresh: { type: 'boolean' },
    fixed: { type: 'boolean' },
  },
  { words: true },
);

/** Runs one target in a separate process. @returns {Promise<Result>} */
function fuzz(/** @type {string} */ name) {
  const { seconds, executions, seed, fresh, fixed } = options;
  const corpus = fresh ? [] : [path.join(CACHE, `${name}.json`)];
  const target = path.join(root, HOME, 'targets', `${name}.ts`);
  const args = [
    '--require',
    './scripts/typescript.cjs',
    `${HOME}/run.ts`,
    target,
    seconds,
    executions,
    seed,
    fixed ? 'fixed' : 'free',
    ...corpus,
  ];
  const child = spawn(process.execPath, args, {
    cwd: root,
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: (Number(seconds) + GRACE) * 1000,
  });
  let output = '';
  let errors = '';
  child.stdout.setEncoding('utf8').on('data', text => (output += text));
  child.stderr.setEncoding('utf8').on('data', text => (errors = (errors + text).slice(-4000)));
  return new Promise(resolve => {
    child.on('close', (code, signal) => {
      const line = output.trimEnd().split('\n').at(-1) ?? '';
      if (line.startsWith('{')) resolve(JSON.parse(line));
      else
        resolve({
          executions: 0,
          coverage: 0,
          finding: { input: '', message: `ended by ${signal ?? code}: ${errors}` },
        });
    });
  });
}

/** Adds up the executions of all runs, the source of the published totals. */
function addToTotals(/** @type {string} */ name, /** @type {number} */ executions) {
  const file = path.join(CACHE, 'totals');
  /** @type {Record<string, number>} */
  const totals = fs.existsSync(file) ? JSON.parse(fs.readFileSync(file, 'utf8')) : {};
  totals[name] = (totals[name] ?? 0) + executions;
  fs.writeFileSync(file, JSON.stringify(totals, null, 2));
  return totals;
}

/** Returns the exit code. */
async function main() {
  const names = fs
    .readdirSync(path.join(root, HOME, 'targets'))
    .map(file => path.basename(file, '.ts'))
    .sort();
  const queue = matching(names, words);
  fs.mkdirSync(CACHE, { recursive: true });
  const started = Date.now();
  let executions = 0;
  let findings = 0;
  /** @type {Record<string, number>} */
  let totals = {};
  const run = async () => {
    for (let name = queue.shift(); name !== undefined; name = queue.shift()) {
      const result = await fuzz(name);
      executions += result.executions;
      totals = addToTotals(name, result.executions);
      console.log(
        `${result.finding ? '✖' : '✔'} ${name}: ${result.executions} executions, ${result.coverage} branches`,
      );
      if (!result.finding) continue;
      findings++;
      console.log(`  ${result.finding.message}\n  input: ${JSON.stringify(result.finding.input)}`);
    }
  };
  await Promise.all(Array.from({ length: Number(options['at-once']) }, run));
  const all = Object.values(totals).reduce((sum, count) => sum + count, 0);
  console.log(
    `${executions} executions in ${Math.round((Date.now() - started) / 1000)} s (${all} in all runs), ${findings} findings`,
  );
  return findings === 0 ? 0 : 1;
}

process.exitCode = await main();
