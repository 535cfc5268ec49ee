/**
 * Kills a fuzzer that hangs: a worker thread checks that the texts still change, since the hanging thread cannot. The
 * current text is in shared memory.
 */
import { Worker } from 'node:worker_threads';

const LONGEST = 1 << 16;
const HEAD = 2;

/** Prints the text that hangs to stdout as a result, and kills the process. */
const GUARD = `
const { workerData: { memory, patience } } = require('node:worker_threads');
const head = new Int32Array(memory, 0, ${HEAD});
const text = new Uint16Array(memory, ${HEAD} * 4);
let last = -1;
setInterval(() => {
  const turn = Atomics.load(head, 0);
  if (turn === last && turn > 0) {
    const input = String.fromCharCode(...text.subarray(0, head[1]));
    const finding = { input, message: 'hangs' };
    require('node:fs').writeSync(1, JSON.stringify({ executions: turn, coverage: 0, finding }) + '\\n');
    process.kill(process.pid, 'SIGKILL');
  }
  last = turn;
}, patience);
`;

/**
 * Starts the guard.
 * @param patience in milliseconds; a text may take up to twice as long
 * @returns a function to call with each text before it runs
 */
export function guard(patience: number): (input: string) => void {
  const memory = new SharedArrayBuffer(HEAD * 4 + LONGEST * 2);
  const head = new Int32Array(memory, 0, HEAD);
  const text = new Uint16Array(memory, HEAD * 4);
  new Worker(GUARD, { eval: true, execArgv: [], workerData: { memory, patience } }).unref();
  return input => {
    head[1] = Math.min(input.length, LONGEST);
    for (let at = 0; at < head[1]; at++) text[at] = input.charCodeAt(at);
    Atomics.add(head, 0, 1);
  };
}
