/**
 * Fuzzes every target of packages/ristretto/test/fuzz/targets, or those whose name contains one of the words:
 *
 *     node scripts/fuzz.mjs [--seconds=3600] [--executions=Infinity] [--at-once=2] [--seed=1] [--fresh] [--fixed] [word ...]
 *
 * Inputs that reach new branches are kept in node_modules/.cache/fuzz, and the next run continues from there; `--fresh`
 * starts from scratch, and `--fixed` mutates only the seeds, so that every run tries the same inputs. An input that crashes, hangs, takes too long or fails an assertion ends its target, and is
 * printed. Requires a built package.
 */
import { spawn } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { root } from './test-files.mjs';

const HOME = 'packages/ristretto/test/fuzz';
const CACHE = path.join(root, 'node_modules/.cache/fuzz');
/** Additional seconds that a target may need to load and to end. */
const GRACE = 60;

/** @typedef {{ executions: number, coverage: number, finding?: { input: string, message: string } }} Result */

/** Returns the value of `--name=value`. */
function option(/** @type {string[]} */ args, /** @type {string} */ name, /** @type {number} */ fallback) {
  const given = args.find(arg => arg.startsWith(`--${name}=`));
  return given === undefined ? fallback : Number(given.slice(name.length + 3));
}

/** Runs one target in a separate process. @returns {Promise<Result>} */
function fuzz(
  /** @type {string} */ name,
  /** @type {{ seconds: number, most: number, seed: number, fresh: boolean, fixed: boolean }} */ {
    seconds,
    most,
    seed,
    fresh,
    fixed,
  },
) {
  const corpus = fresh ? [] : [path.join(CACHE, `${name}.json`)];
  const target = path.join(root, HOME, 'targets', `${name}.ts`);
  const args = [
    '--require',
    './scripts/typescript.cjs',
    `${HOME}/run.ts`,
    target,
    String(seconds),
    String(most),
    String(seed),
    fixed ? 'fixed' : 'free',
    ...corpus,
  ];
  const child = spawn(process.execPath, args, {
    cwd: root,
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: (seconds + GRACE) * 1000,
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
async function main(/** @type {string[]} */ args) {
  const words = args.filter(arg => !arg.startsWith('--'));
  const seconds = option(args, 'seconds', 3600);
  const most = option(args, 'executions', Infinity);
  const seed = option(args, 'seed', 1);
  const names = fs
    .readdirSync(path.join(root, HOME, 'targets'))
    .map(file => path.basename(file, '.ts'))
    .sort();
  const queue = names.filter(name => words.length === 0 || words.some(word => name.includes(word)));
  if (queue.length === 0) throw new Error(`no target matches ${words.join(' ')}`);
  fs.mkdirSync(CACHE, { recursive: true });
  const started = Date.now();
  let executions = 0;
  let findings = 0;
  /** @type {Record<string, number>} */
  let totals = {};
  const run = async () => {
    for (let name = queue.shift(); name !== undefined; name = queue.shift()) {
      const result = await fuzz(name, {
        seconds,
        most,
        seed,
        fresh: args.includes('--fresh'),
        fixed: args.includes('--fixed'),
      });
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
  await Promise.all(Array.from({ length: option(args, 'at-once', 2) }, run));
  const all = Object.values(totals).reduce((sum, count) => sum + count, 0);
  console.log(
    `${executions} executions in ${Math.round((Date.now() - started) / 1000)} s (${all} in all runs), ${findings} findings`,
  );
  return findings === 0 ? 0 : 1;
}

process.exitCode = await main(process.argv.slice(2));
