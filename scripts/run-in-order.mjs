/**
 * Runs test files in the given order; `node --test` would sort them.
 *
 *     node run-in-order.mjs <files at once> <milliseconds for a file> file ...
 */
import path from 'node:path';
import { run } from 'node:test';
import { spec } from 'node:test/reporters';

const [concurrency, timeout, ...files] = process.argv.slice(2);
const events = run({
  files: files.map(file => path.resolve(file)),
  concurrency: Number(concurrency),
  timeout: Number(timeout),
});
events.on('test:fail', () => (process.exitCode = 1));
events.compose(new spec()).pipe(process.stdout);
