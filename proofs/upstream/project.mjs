/** Runs the test suite of one version of a project twice: as it is, and with our packages in place. */
import { spawn } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { checkOut } from './checkout.mjs';
import { explain, isWhole, lost, passed, read } from './outcomes.mjs';
import { replace } from './replace.mjs';

/** Milliseconds after which a suite, or its installation, counts as hanging. */
const LONGEST = 15 * 60_000;

/** Tools of a project that its tests do not need, and that take most of the time of an installation. */
const UNUSED = /^(?:eslint|nyc$|istanbul$|benchmark$|beautify-benchmark$|standard$|prettier$|husky$)/;

/** Installs what a project needs, unless its catalogue entry says otherwise. */
const INSTALL = 'npm install --ignore-scripts --no-audit --no-fund --legacy-peer-deps --no-package-lock';

/**
 * @typedef {object} Result
 * @property {string} node
 * @property {string} [commit] undefined for a mirror
 * @property {number} express how many tests passed with Express
 * @property {number} here    how many passed with our packages
 * @property {number} gained  how many pass only with our packages
 * @property {import('./outcomes.mjs').Loss[]} losses
 */

/**
 * Runs a shell command in a project; returns its output, or what it wrote to `UPSTREAM_OUTCOMES`.
 *
 * @returns {Promise<{ code: number | null, output: string }>}
 */
function shell(/** @type {string} */ command, /** @type {string} */ folder) {
  const bin = path.join(folder, 'node_modules/.bin');
  const file = path.join(folder, '.outcomes');
  // What this process preloads is not part of the suite.
  const outer = { ...process.env };
  delete outer.NODE_OPTIONS;
  const env = { ...outer, PATH: [bin, outer.PATH].join(path.delimiter), CI: 'true', UPSTREAM_OUTCOMES: file };
  // A group of its own, so that servers which a suite leaves behind end with it.
  const child = spawn(command, {
    cwd: folder,
    env,
    shell: true,
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const end = () => {
    try {
      process.kill(-Number(child.pid), 'SIGKILL');
    } catch {
      // The group has ended.
    }
  };
  const timer = setTimeout(end, LONGEST);
  let output = '';
  let errors = '';
  child.stdout.setEncoding('utf8').on('data', text => (output += text));
  child.stderr.setEncoding('utf8').on('data', text => (errors = (errors + text).slice(-8000)));
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('exit', end);
    child.on('close', code => {
      clearTimeout(timer);
      const written = fs.existsSync(file) ? fs.readFileSync(file, 'utf8') : output;
      fs.rmSync(file, { force: true });
      resolve({ code, output: code === 0 ? written : `${written}\n${errors}` });
    });
  });
}

/** Removes unused tools from the manifest, so that they are not installed. */
function trim(/** @type {string} */ folder) {
  const file = path.join(folder, 'package.json');
  const manifest = JSON.parse(fs.readFileSync(file, 'utf8'));
  const { devDependencies = {} } = manifest;
  manifest.devDependencies = Object.fromEntries(
    Object.entries(devDependencies).filter(([name]) => !UNUSED.test(name)),
  );
  fs.writeFileSync(file, JSON.stringify(manifest, null, 2));
}

/**
 * Runs one version of a project.
 *
 * @param {import('./catalog.mjs').Project} project
 * @param {string} version
 * @param {{ mirror: string | undefined, lockFile: string, locate: (home: string) => string, report: (text: string) => void }} setting
 * @returns {Promise<{ result: Result, problems: string[] }>} problems fail the run
 */
export async function runProject(project, version, { locate, report, ...from }) {
  const { name, replaces, run, format = 'tap', install = INSTALL, reasons = [] } = project;
  // Outside of this repository, whose packages a folder inside it would find.
  const folder = fs.mkdtempSync(path.join(fs.realpathSync(os.tmpdir()), 'ristretto-upstream-'));
  try {
    const commit = checkOut(project, version, folder, from);
    trim(folder);
    const installed = await shell(install, folder);
    if (installed.code !== 0) throw new Error(`${name}: ${install} failed\n${installed.output.slice(-4000)}`);
    const before = await shell(run, folder);
    const withExpress = read(format, before.output);
    if (passed(withExpress) === 0 || !isWhole(format, before.output))
      throw new Error(`${name}: the tests do not run with Express\n${before.output.slice(-4000)}`);
    replace(folder, replaces, locate);
    const after = await shell(run, folder);
    const withOurs = read(format, after.output);
    const { losses, stale } = explain(lost(withExpress, withOurs), reasons);
    report(after.output);
    const unexplained = losses.filter(({ reason }) => reason === undefined);
    return {
      result: {
        node: process.versions.node,
        ...(commit && { commit }),
        express: passed(withExpress),
        here: passed(withOurs),
        gained: lost(withOurs, withExpress).length,
        losses,
      },
      problems: [
        ...(isWhole(format, after.output) ? [] : ['the tests ended early']),
        ...unexplained.map(({ title }) => `lost without a reason: ${title}`),
        ...stale.map(reason => `the reason explains no loss: ${reason}`),
      ],
    };
  } finally {
    fs.rmSync(folder, { recursive: true, force: true });
  }
}
