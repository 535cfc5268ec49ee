/**
 * `npm test`: build, then lint, format, types, the table of features and real packages from npm at the same time, then
 * every test with coverage, and the fuzzer. The first step that fails ends it.
 *
 *     node scripts/test.mjs [--fuzz-seconds=30]      for each target of the fuzzer, two at a time
 */
import { spawn } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';

const root = path.resolve(import.meta.dirname, '..');
const bin = (/** @type {string} */ name) => path.join(root, 'node_modules', name);

/** Runs a Node program; resolves with its exit code. What it prints comes in one piece unless `live`. */
function step(/** @type {string} */ title, /** @type {string[]} */ args, live = false) {
  return new Promise(resolve => {
    const started = Date.now();
    const child = spawn(process.execPath, args, {
      cwd: root,
      stdio: live ? 'inherit' : ['ignore', 'pipe', 'pipe'],
    });
    let output = '';
    child.stdout?.on('data', chunk => (output += chunk));
    child.stderr?.on('data', chunk => (output += chunk));
    child.on('close', code => {
      const seconds = ((Date.now() - started) / 1000).toFixed(1);
      // What a live step printed last stays last.
      if (live) return resolve(code ?? 1);
      console.log(`${code === 0 ? '✔' : '✖'} ${title} (${seconds} s)`);
      if (code !== 0 && output) console.log(output);
      resolve(code ?? 1);
    });
  });
}

/** The type-checked programs around the packages. */
function typeProjects() {
  const homes = fs.readdirSync(path.join(root, 'packages')).map(name => `packages/${name}/test`);
  return [...homes, 'examples', 'bench'].filter(home =>
    fs.existsSync(path.join(root, home, 'tsconfig.json')),
  );
}

/** How long each target of the fuzzer runs. */
function fuzzSeconds() {
  const given = process.argv.find(arg => arg.startsWith('--fuzz-seconds='));
  return given === undefined ? 30 : Number(given.slice('--fuzz-seconds='.length));
}

/** Runs the steps one after another; the first failure stops them. */
async function inTurn(/** @type {(() => Promise<number>)[]} */ steps) {
  for (const run of steps) {
    const code = await run();
    if (code !== 0) return code;
  }
  return 0;
}

const tsc = bin('typescript/bin/tsc');
process.exitCode = await inTurn([
  () => step('build', ['scripts/build.mjs']),
  async () => {
    const codes = await Promise.all([
      step('lint', [bin('eslint/bin/eslint.js'), '--max-warnings=0', '.']),
      inTurn([
        () => step('format', [bin('prettier/bin/prettier.cjs'), '--check', '--log-level=warn', '.']),
        ...typeProjects().map(home => () => step(`types of ${home}`, [tsc, '-p', home])),
        () => step('features', ['scripts/features.mjs', '--check']),
      ]),
      step('compatibility', ['compat/run.mjs', '--quick']),
    ]);
    return codes.find(code => code !== 0) ?? 0;
  },
  () => step('tests', ['scripts/run-tests.mjs', '--coverage'], true),
  () => step('fuzzing', ['scripts/fuzz.mjs', '--fresh', `--seconds=${fuzzSeconds()}`]),
]);
