/** Starts child processes that end with this process, however it ends. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';

/** @type {Set<import('node:child_process').ChildProcess>} */
const running = new Set();
process.on('exit', () => {
  for (const child of running) child.kill('SIGKILL');
});

/**
 * Starts a program. `ended` resolves when it has exited.
 * @param {string} file
 * @param {string[]} args
 * @param {import('node:child_process').SpawnOptions} options
 */
export function start(file, args, options) {
  const child = spawn(file, args, options);
  running.add(child);
  const ended = once(child, 'exit').finally(() => running.delete(child));
  return { child, ended };
}
