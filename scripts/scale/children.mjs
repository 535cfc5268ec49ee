/** Programs that are started here, and end with this process, however that ends. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';

/** @type {Set<import('node:child_process').ChildProcess>} */
const running = new Set();
process.on('exit', () => {
  for (const child of running) child.kill('SIGKILL');
});

/**
 * Starts a program. `ended` resolves when it has ended.
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
