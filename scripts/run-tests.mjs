/**
 * Runs the test files, all of them or those whose path contains one of the given words:
 *
 *     node scripts/run-tests.mjs [--coverage] [word ...]
 *
 * Every response that a server of a test sends is read along and checked against the rules of HTTP
 * (packages/ristretto/test/support/lint-response); one that breaks a rule fails its test file.
 *
 * With --coverage the lines and branches of the packages' src are measured (every file, loaded or not), and too
 * low a figure fails. The last lines printed are the summary of Node's test runner.
 */
import { spawn, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import { createRequire } from 'node:module';
import os from 'node:os';
import path from 'node:path';
import { root, testFiles } from './test-files.mjs';

const coverage = path.join(root, 'coverage');
const responseLint = path.join(root, 'packages/ristretto/test/support/lint-response/preload.cjs');
const THRESHOLD = { lines: 98, branches: 98 };

/** Runs the files two at a time or more; resolves with the exit code and the runner's summary lines. */
function runTests(/** @type {string[]} */ files, /** @type {NodeJS.ProcessEnv} */ environment) {
  return new Promise(resolve => {
    const child = spawn(
      process.execPath,
      [
        '--require',
        path.join(root, 'scripts/typescript.cjs'),
        '--test',
        `--test-concurrency=${Math.max(2, os.availableParallelism())}`,
        '--test-reporter=spec',
        ...files,
      ],
      { cwd: root, env: environment, stdio: ['ignore', 'pipe', 'inherit'] },
    );
    let tail = '';
    child.stdout.setEncoding('utf8').on('data', text => {
      process.stdout.write(text);
      tail = (tail + text).slice(-1_000_000);
    });
    child.on('close', code => {
      resolve({ code: code ?? 1, summary: tail.match(/^.{0,12}ℹ \w+ [\d.]+.{0,8}$/gmu) ?? [] });
    });
  });
}

/** The environment in which every process checks its responses, and notes what it found in a file. */
function withResponseLint(/** @type {NodeJS.ProcessEnv} */ environment, /** @type {string} */ report) {
  return {
    ...environment,
    NODE_OPTIONS: `${environment.NODE_OPTIONS ?? ''} --require ${JSON.stringify(responseLint)}`.trim(),
    RESPONSE_LINT_REPORT: report,
  };
}

/** Prints what the processes noted; returns the number of violations, also those of processes that were killed. */
function reportResponses(/** @type {string} */ report, /** @type {boolean} */ ofAll) {
  const notes = fs.existsSync(report) ? fs.readFileSync(report, 'utf8').trim().split('\n') : [];
  const { summarize } = createRequire(import.meta.url)(
    '../packages/ristretto/test/support/lint-response/summary.ts',
  );
  const { violations, lines } = summarize(
    notes.map(line => JSON.parse(line)),
    ofAll,
  );
  console.log(`\n${lines.join('\n')}`);
  return violations;
}

/** The files of a package that hold nothing but types: nothing in them runs. */
function typesOnly(/** @type {string} */ name) {
  const lib = path.join(root, 'packages', name, 'lib');
  const files = fs.readdirSync(lib, { recursive: true }).map(String);
  const empty = files.filter(file => {
    if (!file.endsWith('.js')) return false;
    const code = fs.readFileSync(path.join(lib, file), 'utf8').replace(/\/\*[^]*?\*\/|\/\/.*/g, '');
    return /^\s*"use strict";\s*(Object\.defineProperty\(exports, "__esModule", \{ value: true \}\);\s*)?$/.test(
      code,
    );
  });
  return empty.flatMap(file => [
    `packages/${name}/lib/${file}`,
    `packages/${name}/src/${file.replace(/\.js$/, '.ts')}`,
  ]);
}

/** Prints what is below the threshold and returns the exit code. */
function reportCoverage() {
  const c8 = path.join(root, 'node_modules/c8/bin/c8.js');
  const packages = fs.readdirSync(path.join(root, 'packages'));
  const result = spawnSync(
    process.execPath,
    [
      c8,
      'report',
      '--temp-directory',
      path.join(coverage, 'tmp'),
      '--reports-dir',
      coverage,
      '--all',
      ...packages.flatMap(name => ['--src', `packages/${name}/lib`]),
      ...packages.flatMap(name => [
        '--include',
        `packages/${name}/src/**`,
        '--include',
        `packages/${name}/lib/**`,
      ]),
      ...['**/*.d.ts', ...packages.flatMap(typesOnly)].flatMap(glob => ['--exclude', glob]),
      '--exclude-after-remap=false',
      '--reporter=text',
      '--reporter=lcovonly',
      '--reporter=json-summary',
      '--check-coverage',
      ...Object.entries(THRESHOLD).map(([name, figure]) => `--${name}=${figure}`),
      '--functions=0',
      '--statements=0',
    ],
    { cwd: root, encoding: 'utf8' },
  );
  process.stdout.write(result.stdout);
  process.stderr.write(result.stderr);
  return result.status ?? 1;
}

/** The whole run; returns the exit code. */
async function main(/** @type {string[]} */ args) {
  const measured = args.includes('--coverage');
  const words = args.filter(arg => !arg.startsWith('--'));
  const files = testFiles().filter(file => words.length === 0 || words.some(word => file.includes(word)));
  if (files.length === 0) throw new Error(`no test file matches ${words.join(' ')}`);
  const { compiled } = createRequire(import.meta.url)('./typescript.cjs');
  for (const file of files) compiled(path.join(root, file));
  const environment = { ...process.env };
  if (measured) {
    fs.rmSync(coverage, { recursive: true, force: true });
    environment.NODE_V8_COVERAGE = path.join(coverage, 'tmp');
  }
  const report = path.join(fs.mkdtempSync(path.join(os.tmpdir(), 'responses-')), 'report');
  const { code: testCode, summary } = await runTests(files, withResponseLint(environment, report));
  const violations = reportResponses(report, words.length === 0);
  fs.rmSync(path.dirname(report), { recursive: true });
  const code = testCode === 0 && violations > 0 ? 1 : testCode;
  if (!measured) return code;
  const covered = reportCoverage();
  if (covered !== 0) console.log(`\ncoverage is below ${JSON.stringify(THRESHOLD)}`);
  // The report above pushed the runner's summary out of sight.
  console.log(`\n${summary.join('\n')}`);
  return code === 0 ? covered : code;
}

process.exitCode = await main(process.argv.slice(2));
