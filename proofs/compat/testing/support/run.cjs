/** Runs test runners as programs, and collects the observations of their tests. */
'use strict';

const { spawn } = require('node:child_process');
const fs = require('node:fs');
const path = require('node:path');
const { commandOf } = require('../../frameworks/support/program.cjs');

const FIXTURES = path.join(__dirname, '../fixtures');

/**
 * Runs the command of a package with OBSERVED and CACHE, which are folders in the working directory.
 * @returns {Promise<{ code: number, stdout: string, stderr: string }>}
 */
function run(name, args, { env = {}, cwd } = {}) {
  for (const folder of ['observed', 'cache']) fs.mkdirSync(folder, { recursive: true });
  const own = { OBSERVED: path.resolve('observed'), CACHE: path.resolve('cache'), CI: 'true', NO_COLOR: '1' };
  const child = spawn(process.execPath, [commandOf(name), ...args], {
    cwd,
    env: { ...process.env, ...own, ...env },
  });
  const output = { stdout: '', stderr: '' };
  for (const stream of ['stdout', 'stderr']) {
    child[stream].setEncoding('utf8').on('data', text => (output[stream] += text));
  }
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', code => resolve({ code, ...output }));
  });
}

/** Returns the observations of the tests since the last call, by group, in order. */
function observed() {
  const names = fs.readdirSync('observed').sort();
  const seen = names.map(name => {
    const lines = fs.readFileSync(path.join('observed', name), 'utf8').trim().split('\n');
    return [name.replace('.jsonl', ''), lines.map(line => JSON.parse(line))];
  });
  fs.rmSync('observed', { recursive: true });
  return Object.fromEntries(seen);
}

/** Reads a JSON file in the working directory. */
function json(name) {
  return JSON.parse(fs.readFileSync(name, 'utf8'));
}

module.exports = { FIXTURES, json, observed, run };
