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

/** Milliseconds by file: what a new test makes slower shows at the end of a run. */
const durations = new Map();
for (const outcome of /** @type {const} */ (['test:pass', 'test:fail']))
  events.on(outcome, ({ nesting, file = '', details }) => {
    if (nesting === 0) durations.set(file, (durations.get(file) ?? 0) + details.duration_ms);
  });
events.on('end', () => {
  const slowest = [...durations].sort(([, a], [, b]) => b - a).slice(0, 30);
  console.log('slowest files, in seconds:');
  for (const [file, duration] of slowest)
    console.log(`  ${(duration / 1000).toFixed(1)} ${path.relative('.', file)}`);
});
events.compose(new spec()).pipe(process.stdout);
