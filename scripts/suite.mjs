/**
 * Runs test files on one or several versions of Node.js.
 *
 * Every response that a test server sends is also checked against the rules of HTTP
 * (packages/engine/test/support/lint-response); a violation fails the run.
 */
import { spawn } from 'node:child_process';
import fs from 'node:fs';
import { createRequire } from 'node:module';
import os from 'node:os';
import path from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { emptyCoverage, reportCoverage } from './coverage.mjs';
import { filesAtOnce, hasTag, inProcesses, isExample, root, testFiles } from './test-files.mjs';

const require = createRequire(import.meta.url);
const responseLint = path.join(root, 'packages/engine/test/support/lint-response/preload.cjs');
/** Milliseconds after which a test file counts as hanging. */
const LONGEST_FILE = 10 * 60_000;

/**
 * @typedef {Record<string, number>} Counts the counts of Node's test runner: tests, pass, fail, ...
 * @typedef {{ code: number, counts: Counts, failures: string }} Run `failures` as the runner printed them
 * @typedef {Run & { besides: string[] }} Verdict problems other than failed tests
 */

/**
 * Returns an environment in which child processes of tests run on the same Node, and record the responses they send.
 */
function environmentOf(
  /** @type {import('./nodes.mjs').Node} */ { binary },
  /** @type {string} */ report,
  /** @type {boolean} */ sources,
) {
  // Programs that tests start run on the sources, too.
  const preloaded = sources ? [path.join(root, 'scripts/load-typescript.cjs'), responseLint] : [responseLint];
  const { NODE_OPTIONS = '', PATH = '' } = process.env;
  return {
    ...process.env,
    PATH: [path.dirname(binary), PATH].join(path.delimiter),
    NODE_OPTIONS: [NODE_OPTIONS, ...preloaded.map(file => `--require ${JSON.stringify(file)}`)]
      .join(' ')
      .trim(),
    RESPONSE_LINT_REPORT: report,
    // From Node 22 on, hundreds of processes compile the same modules once. Coverage must not use it: it would be less exact.
    NODE_COMPILE_CACHE: path.join(root, 'node_modules/.cache/compiled'),
    ...(sources && { RISTRETTO_SOURCES: '1' }),
  };
}

/** Returns the last `ℹ name number` lines of the runner's output, and the failures that follow them. */
function summaryOf(/** @type {string} */ output) {
  const text = stripVTControlCharacters(output);
  const lines = text.matchAll(/^ℹ (\w+) ([\d.]+)$/gm);
  return {
    counts: Object.fromEntries([...lines].map(([, name, figure]) => [name, Number(figure)])),
    failures: text.split('\n✖ failing tests:\n')[1] ?? '',
  };
}

/** Runs the files. @returns {Promise<Run>} */
function runFiles(
  /** @type {string[]} */ files,
  /** @type {string} */ binary,
  /** @type {NodeJS.ProcessEnv} */ env,
) {
  return new Promise(resolve => {
    const child = spawn(
      binary,
      [
        '--require',
        path.join(root, 'scripts/typescript.cjs'),
        path.join(root, 'scripts/run-in-order.mjs'),
        String(filesAtOnce),
        String(LONGEST_FILE),
        ...inProcesses(files),
      ],
      { cwd: root, env, stdio: ['ignore', 'pipe', 'inherit'] },
    );
    let tail = '';
    child.stdout.setEncoding('utf8').on('data', text => {
      process.stdout.write(text);
      tail = (tail + text).slice(-1_000_000);
    });
    child.on('close', code => resolve({ code: code ?? 1, ...summaryOf(tail) }));
  });
}

/** Prints the recorded violations; returns their number, including those of processes that were killed. */
function reportResponses(/** @type {string} */ report, /** @type {boolean} */ ofAll) {
  const notes = fs.existsSync(report) ? fs.readFileSync(report, 'utf8').trim().split('\n') : [];
  const lint = require('../packages/engine/test/support/lint-response/summary.ts');
  const { violations, lines } = lint.summarize(
    notes.map(line => JSON.parse(line)),
    ofAll,
  );
  console.log(`\n${lines.join('\n')}`);
  return violations;
}

/** How many generated cases run on Nodes other than the newest, which runs all of them. app.use.mixed.test.ts also runs a third of its trees there. */
const FEW_CASES = '100';

/** Selects the files for one of several Nodes, the newest first. The others share those that need not run on each. */
function filesFor(
  /** @type {import('./nodes.mjs').Node} */ node,
  /** @type {import('./nodes.mjs').Node[]} */ [newest, ...others],
  /** @type {string[]} */ files,
  /** @type {boolean} */ isShort,
) {
  if (others.length === 0) return files.filter(file => !isShort || !hasTag(file, 'ci'));
  if (node === newest) return files;
  return files
    .filter(file => !hasTag(file, 'once') && !isExample(file))
    .filter((file, at) => hasTag(file, 'each') || at % others.length === others.indexOf(node));
}

/** Adds a problem to a run. @returns {Verdict} */
function failed(/** @type {Run & { besides?: string[] }} */ run, /** @type {string} */ problem) {
  return { ...run, code: run.code || 1, besides: [...(run.besides ?? []), problem] };
}

/** Runs the files on one Node. @returns {Promise<Verdict>} */
async function runOn(
  /** @type {import('./nodes.mjs').Node} */ node,
  /** @type {string[]} */ files,
  /** @type {{ cases: string | undefined, isWhole: boolean, measured: boolean, sources: boolean, built: Promise<number> }} */
  { cases, isWhole, measured, sources, built },
) {
  const report = path.join(fs.mkdtempSync(path.join(os.tmpdir(), 'responses-')), 'report');
  const environment = environmentOf(node, report, false);
  const fromSources = sources ? files.filter(file => !hasTag(file, 'built')) : [];
  const apart = measured && isWhole ? files.filter(file => hasTag(file, 'once')) : [];
  const rest = files.filter(file => !apart.includes(file) && !fromSources.includes(file));
  const runs = [];
  if (fromSources.length > 0)
    runs.push(await runFiles(fromSources, node.binary, environmentOf(node, report, true)));
  const isBuilt = (await built) === 0;
  if (isBuilt && apart.length > 0) runs.push(await runFiles(apart, node.binary, environment));
  const coverage = measured ? { NODE_V8_COVERAGE: emptyCoverage(), NODE_DISABLE_COMPILE_CACHE: '1' } : {};
  // DIFFERENTIAL_CASES of the caller overrides it.
  const env = { ...(cases && { DIFFERENTIAL_CASES: cases }), ...environment, ...coverage };
  if (isBuilt && rest.length > 0) runs.push(await runFiles(rest, node.binary, env));
  const violations = reportResponses(report, isWhole);
  fs.rmSync(path.dirname(report), { recursive: true });
  const problems = [
    ...(isBuilt ? [] : ['the build failed']),
    ...(violations === 0 ? [] : ['responses break rules of HTTP']),
  ];
  return problems.reduce(failed, { ...together(runs), besides: [] });
}

/** Adds up the counts. @returns {Counts} */
function sum(/** @type {Counts[]} */ counts) {
  /** @type {Counts} */
  const total = {};
  for (const [name, figure] of counts.flatMap(Object.entries))
    total[name] = Number(((total[name] ?? 0) + figure).toFixed(3));
  return total;
}

/** Combines successive runs into one. @returns {Run} */
function together(/** @type {Run[]} */ runs) {
  return {
    code: runs.find(({ code }) => code !== 0)?.code ?? 0,
    counts: sum(runs.map(({ counts }) => counts)),
    failures: runs.map(({ failures }) => failures).join(''),
  };
}

/**
 * Summarizes all runs: the failures of each, a line for each Node, and the counts in the format of Node's test runner.
 */
function summarize(/** @type {{ version: string, run: Verdict }[]} */ runs) {
  const total = sum(runs.map(({ run }) => run.counts));
  // The failures of a single run have just been printed.
  const broken = runs.filter(({ run }) => runs.length > 1 && run.failures !== '');
  return [
    ...broken.map(({ version, run }) => `\n✖ failing tests on Node ${version}:\n${run.failures}`),
    '',
    ...runs.map(({ version, run: { code, counts, besides } }) => {
      const seconds = Math.round((counts.duration_ms ?? 0) / 1000);
      const verdict = [`${counts.pass} pass`, `${counts.fail} fail`, ...besides].join(', ');
      return `${code === 0 ? '✔' : '✖'} Node ${version}: ${verdict} (${seconds} s)`;
    }),
    ...Object.entries(total).map(([name, figure]) => `ℹ ${name} ${figure}`),
  ].join('\n');
}

/**
 * Runs test files on each of the Nodes, the newest first, those that each of several needs; a failure on one does not prevent
 * the others from running. With `coverage`, it is measured on the first; `isShort` leaves out the tests that run only in CI; with `sources`, all
 * tests but the built ones load `src` instead of `lib`, and can run before the build ends. `built` resolves with its exit code.
 *
 * @returns {Promise<{ code: number, summary: string }>} the exit code, and what to print last
 */
export async function runSuite(
  /** @type {import('./nodes.mjs').Node[]} */ nodes,
  files = testFiles(),
  { coverage = false, isShort = false, sources = false, built = Promise.resolve(0) } = {},
) {
  const { compiled } = require('./typescript.cjs');
  for (const file of files) compiled(path.join(root, file));
  const isWhole = files.length === testFiles().length;
  const runs = [];
  let covered = Promise.resolve(0);
  for (const node of nodes) {
    console.log(`\n━━━ tests on Node ${node.version} ━━━\n`);
    const measured = coverage && node === nodes[0];
    const wanted = isWhole ? filesFor(node, nodes, files, isShort) : files;
    const cases = isWhole && node !== nodes[0] ? FEW_CASES : undefined;
    const run = await runOn(node, wanted, { cases, isWhole, measured, sources, built });
    runs.push({ version: node.version, run });
    // Meanwhile, the tests run on the next Node.
    if (measured) covered = reportCoverage();
  }
  if ((await covered) !== 0) runs[0].run = failed(runs[0].run, 'coverage is too low');
  return { code: runs.find(({ run }) => run.code !== 0)?.run.code ?? 0, summary: summarize(runs) };
}
