/**
 * Runs the tests of members over HTTP/2, on the newest Node, on the current one, or on the given majors:
 *
 *     node scripts/test-http2.mjs [--here] [--node=22,24] [word ...]
 *
 * The tests are those of `npm test`: with RISTRETTO_TRANSPORT=http2 their requests are sent over HTTP/2
 * (packages/engine/test/support/transport.ts). Tests that fail must be listed in `http1-only.ts`, and listed tests
 * must fail.
 */
import { spawn } from 'node:child_process';
import fs from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { here, nodeOf, otherMajors } from './nodes.mjs';
import { matching, readOptions } from './options.cjs';
import { filesAtOnce, hasTag, inProcesses, root, testFiles } from './test-files.mjs';

/** @typedef {import('./outcomes-reporter.mjs').Outcome} Outcome */

const require = createRequire(import.meta.url);
const ENGINE = 'packages/engine/test';
/** Matches imports of the helpers that support HTTP/2. */
const helpersIn = (/** @type {string} */ folder) =>
  new RegExp(`from '${folder}/support/(?:body-parsers|compare|http|oracle|routing|static)\\.js'`);
/**
 * The directories of the tests, and how they import the helpers. `ristretto3` is left out: its members are those of
 * `ristretto`, or specific to HTTP/1.1.
 */
const HOMES = {
  [ENGINE]: helpersIn('(?:\\.\\.|\\.\\./\\.\\.)'),
  'packages/ristretto/test': helpersIn('../../engine/test'),
  'packages/ristretto5/test': helpersIn('\\.'),
};
const LONGEST_FILE = 2 * 60_000;
/** Folders of tests that do more than ask and compare. */
const LEFT_OUT = /\/(?:differential|faults|fuzz)\//;

/** Returns the test files whose requests can be sent over HTTP/2. */
function chosenFiles() {
  return testFiles().filter(file => {
    const [, helpers] = Object.entries(HOMES).find(([home]) => file.startsWith(`${home}/`)) ?? [];
    return (
      !LEFT_OUT.test(file) &&
      !hasTag(file, 'http1') &&
      helpers?.test(fs.readFileSync(path.join(root, file), 'utf8'))
    );
  });
}

/** Returns the name of a file in the list of `http1-only.ts`. */
function nameOf(/** @type {string} */ file) {
  const name = path.basename(file);
  return /[\\/]ristretto5[\\/]test[\\/]/.test(path.resolve(root, file)) ? `ristretto5/${name}` : name;
}

/** Runs the files. @returns {Promise<{ code: number, outcomes: Outcome[] }>} */
function runFiles(/** @type {string} */ binary, /** @type {string[]} */ files) {
  const args = [
    ...['--require', path.join(root, 'scripts/typescript.cjs'), '--test'],
    `--test-concurrency=${filesAtOnce}`,
    `--test-timeout=${LONGEST_FILE}`,
    `--test-reporter=${new URL('outcomes-reporter.mjs', import.meta.url).href}`,
    ...inProcesses(files),
  ];
  const env = { ...process.env, RISTRETTO_TRANSPORT: 'http2' };
  return new Promise(resolve => {
    const child = spawn(binary, args, { cwd: root, env, stdio: ['ignore', 'pipe', 'inherit'] });
    let output = '';
    child.stdout.setEncoding('utf8').on('data', text => (output += text));
    child.on('close', code => {
      const lines = output.split('\n').filter(line => line !== '');
      resolve({ code: code ?? 1, outcomes: lines.map(line => JSON.parse(line)) });
    });
  });
}

/** Returns what is wrong: tests that fail but are not listed, and listed tests that do not fail. */
function faults(/** @type {string[]} */ files, /** @type {Outcome[]} */ outcomes) {
  /** @type {Record<string, Record<string, string>>} */
  const listed = require(`../${ENGINE}/support/http1-only.ts`).tests;
  const isListed = (/** @type {Outcome} */ { file, name }) => listed[nameOf(file)]?.[name] !== undefined;
  const failed = outcomes.filter(({ passed, isSuite }) => !passed && !isSuite);
  // A file fails if one of its tests does; it also fails if it ends early.
  const files_ = failed.filter(({ file, name }) => path.basename(name) === path.basename(file));
  const tests = failed.filter(outcome => !files_.includes(outcome));
  const alone = files_.filter(({ file }) => !tests.some(test => nameOf(test.file) === nameOf(file)));
  const stale = files
    .map(nameOf)
    .flatMap(file => Object.keys(listed[file] ?? {}).map(name => ({ file, name })))
    .filter(({ file, name }) => !tests.some(test => nameOf(test.file) === file && test.name === name));
  return [
    ...[...tests.filter(test => !isListed(test)), ...alone].map(
      ({ file, name, error }) => `${nameOf(file)}: ${name}\n${error}`,
    ),
    ...stale.map(({ file, name }) => `${file}: ${name}\n  does not fail, so it is not for HTTP/1.1 only`),
  ];
}

const { values, positionals } = readOptions(
  { here: { type: 'boolean' }, node: { type: 'string' } },
  { words: true },
);
const files = matching(chosenFiles(), positionals);
const nodes = values.node?.split(',').map(nodeOf) ?? [
  values.here ? here : nodeOf(otherMajors().at(-1) ?? ''),
];
const { compiled } = require('./typescript.cjs');
for (const file of files) compiled(path.join(root, file));
for (const { binary, version } of nodes) {
  const started = Date.now();
  const { outcomes } = await runFiles(binary, files);
  const wrong = faults(files, outcomes);
  if (outcomes.length === 0) wrong.push('no test was run');
  const seconds = Math.round((Date.now() - started) / 1000);
  const passed = outcomes.filter(outcome => outcome.passed && !outcome.isSuite).length;
  console.log(
    `${wrong.length > 0 ? '✖' : '✔'} HTTP/2 on Node ${version}: ${passed} pass, ${wrong.length} wrong (${seconds} s)`,
  );
  for (const text of wrong) console.log(`✖ ${text}`);
  if (wrong.length > 0) process.exitCode = 1;
}
