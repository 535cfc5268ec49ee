/** Runs Node programs as steps, one after another or at the same time, and prints a line for each. */
import { spawn } from 'node:child_process';
import path from 'node:path';
import { root } from './test-files.mjs';

/** Returns the path of an installed program. */
export const bin = (/** @type {string} */ name) => path.join(root, 'node_modules', name);

/**
 * The compiler that checks types: version 7 takes a fifth of the time of version 6, which the build and lint need for its
 * programming interface.
 */
export const tsc = bin('typescript7/bin/tsc');

/** Runs a Node program; resolves with its exit code. Its output is printed only if it fails, in one piece. */
export function step(/** @type {string} */ title, /** @type {string[]} */ args) {
  return new Promise(resolve => {
    const started = Date.now();
    const child = spawn(process.execPath, args, { cwd: root, stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    child.stdout.on('data', chunk => (output += chunk));
    child.stderr.on('data', chunk => (output += chunk));
    child.on('close', code => {
      const seconds = ((Date.now() - started) / 1000).toFixed(1);
      console.log(`${code === 0 ? '✔' : '✖'} ${title} (${seconds} s)`);
      if (code !== 0 && output) console.log(output);
      resolve(code ?? 1);
    });
  });
}

/** Waits for steps that run at the same time; returns the exit code of the first one in the list that failed. */
export async function allOf(/** @type {Promise<number>[]} */ steps) {
  const codes = await Promise.all(steps);
  return codes.find(code => code !== 0) ?? 0;
}

/** Runs the steps one after another, until one fails. */
export async function inTurn(/** @type {(() => Promise<number>)[]} */ steps) {
  for (const run of steps) {
    const code = await run();
    if (code !== 0) return code;
  }
  return 0;
}
