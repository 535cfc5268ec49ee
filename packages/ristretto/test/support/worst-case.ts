/** Hostile header fields, and the proof that reading one takes next to no time. */
import assert from 'node:assert/strict';

/** Pieces that make a parser start over, nest, or collect. */
const PIECES = [
  ...[',', ';', '"', '=', '-', '\\', '/', '*', ' ', '\t', 'a', '9', '+', '.'],
  ...['a,', 'a/b,', '*/*,', ' ,', '; ', ' ;', ' =', 'a =', '"a', '\\"', 'W/', 'W/"a",', '0-0,', '1-2,', '-,'],
  ...['a/b;c=d,', 'a/b;"', ';q=0.5', ';a=a', 'a;q=0.1,', 'a-', 'a-b,', ';a="', '; a="\\"', 'no-cache,'],
];

const LENGTH = 16 * 1024;

/** Most time that one field may take, in milliseconds. */
const LIMIT = 5;
/** Where other programs keep the machine from showing that, twice the length may take at most so much more time. */
const GROWTH = 3;
const BUSY_LIMIT = 50;

/**
 * Reads fields of 16 KiB that start with `prefix` and repeat a piece, and asserts that none takes 5 ms: the fastest of
 * some runs, since other programs on the machine take time too. On a machine that is too busy to tell, it asserts that
 * the time grows with the length and no more.
 */
export function assertFast(read: (field: string) => unknown, prefix = ''): void {
  for (const piece of PIECES) {
    const field = (prefix + piece.repeat(LENGTH)).slice(0, LENGTH);
    const whole = fastestOf(read, field);
    if (whole < LIMIT) continue;
    const half = fastestOf(read, field.slice(0, LENGTH / 2));
    const what = `${JSON.stringify(prefix + piece)} took ${whole} ms, and half of it ${half} ms`;
    assert.ok(whole < GROWTH * half && whole < BUSY_LIMIT, what);
  }
}

function fastestOf(read: (field: string) => unknown, field: string): number {
  let fastest = Infinity;
  for (let run = 0; run < 30 && fastest > LIMIT; run++) {
    fastest = Math.min(
      fastest,
      timeOf(() => read(field)),
    );
  }
  return fastest;
}

function timeOf(run: () => unknown): number {
  const start = process.hrtime.bigint();
  try {
    run();
  } catch {
    // Refusing a malformed field is an answer too.
  }
  return Number(process.hrtime.bigint() - start) / 1e6;
}
