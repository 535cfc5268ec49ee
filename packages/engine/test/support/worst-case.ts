/** Hostile input, and assertions that reading it is fast and takes time at most proportional to its length. */
import assert from 'node:assert/strict';

/** Pieces that make a parser start over, nest, or accumulate. */
export const PIECES = [
  ...[',', ';', '"', '=', '-', '\\', '/', '*', ' ', '\t', 'a', '9', '+', '.'],
  ...['a,', 'a/b,', '*/*,', ' ,', '; ', ' ;', ' =', 'a =', '"a', '\\"', 'W/', 'W/"a",', '0-0,', '1-2,', '-,'],
  ...['a/b;c=d,', 'a/b;"', ';q=0.5', ';a=a', 'a;q=0.1,', 'a-', 'a-b,', ';a="', '; a="\\"', 'no-cache,'],
];

/** The longest header block that Node accepts. */
export const LENGTH = 16 * 1024;

/** Coverage makes tight loops several times as slow; `npm run test:only linear` measures without it. */
const SLOWED = process.env.NODE_V8_COVERAGE ? 4 : 1;

/** The time limit for one worst case of that length, in milliseconds. */
const LIMIT = 5;

/** The limit of growth in time when the length doubles. */
const GROWTH = 2.2;

/**
 * Below this share of the time limit, the cost of memory is as visible as the work: growth with a power of 1.5 is
 * allowed.
 */
const QUICK = 0.25;
const QUICK_GROWTH = 2 ** 1.5;

/** A constant number of steps, allowed in addition. */
const FEW_STEPS = 100;

/** A run too fast to be measured is repeated until it takes this long, in milliseconds. */
const MEASURABLE = 0.05;

/**
 * How long to keep measuring, in milliseconds, if a result is above the limits: other threads of the process, which
 * compile and collect garbage, count too, and other programs evict its data from the caches.
 */
const PATIENCE = 4000;

/** How long to warm up, in milliseconds: optimized code may take a different time, and grow differently. */
const WARM_UP = 40;

/** Creates the worst case of a length, ready to run. */
type WorstCase = (length: number) => () => unknown;

/**
 * Asserts that a worst case of a length takes less than 5 ms, and that doubling the length makes it take at most 2.2
 * times as long. The factor is an average over two doublings, below that length or in one of the two ranges above it: at some
 * length memory is allocated differently, which makes a step that is high where page faults are slow.
 *
 * Compares the fastest runs, since other programs can only make a run slower. Measurements are repeated until they are
 * within the limits; the assertion fails if that takes more than a few seconds.
 *
 * @param make creates the worst case
 * @param what a description, for the message
 * @param length of the whole, default 16 KiB, the limit of a header block
 * @param limit in milliseconds for that length
 * @param work returns the number of steps done so far, if the code counts them; the growth is then checked exactly
 */
export function assertLinear(
  make: WorstCase,
  what: string,
  length = LENGTH,
  limit = (LIMIT * length) / LENGTH,
  work?: () => number,
): void {
  warmUp([make(length)]);
  measure(make, what, length, limit, work);
}

/**
 * Asserts the same for headers that start with `prefix` and repeat one of many pieces. Single characters are also
 * tested with a different last character, so that what the parser has searched for all along is not found.
 */
export function assertFast(read: (field: string) => unknown, prefix = '', work?: () => number): void {
  const endings = PIECES.flatMap(piece =>
    piece.length === 1
      ? [
          [piece, ''],
          [piece, 'x'],
        ]
      : [[piece, '']],
  );
  const cases = endings.map(([piece = '', last = '']): [string, WorstCase] => [
    JSON.stringify([prefix, piece, last]),
    length => {
      const field = repeated(prefix, piece, length - last.length) + last;
      return () => read(field);
    },
  ]);
  warmUp(cases.map(([, make]) => make(LENGTH)));
  for (const [what, make] of cases) measure(make, what, LENGTH, LIMIT, work);
}

function measure(
  make: WorstCase,
  what: string,
  length: number,
  limit: number,
  work: (() => number) | undefined,
): void {
  if (work) assertCounted(make, what, length, work);
  const sizes = [length / 4, length, length * 4, length * 16];
  const [quarter, whole, fourfold, largest] = sizes.map(size => new Measured(make(size)));
  const grows = (doublings: number, from: Measured, to: Measured): boolean => {
    const most = whole!.fastest < QUICK * limit * SLOWED ? QUICK_GROWTH : GROWTH;
    return to.fastest > most ** doublings * from.fastest;
  };
  const end = cpuTime() + PATIENCE;
  do {
    quarter!.measure();
    whole!.measure();
    if (whole!.fastest >= limit * SLOWED) continue;
    if (work || !grows(2, quarter!, whole!)) return;
    fourfold!.measure();
    if (!grows(2, whole!, fourfold!)) return;
    largest!.measure();
    if (!grows(2, fourfold!, largest!)) return;
  } while (cpuTime() < end);
  const [before, now, later, last] = [quarter!, whole!, fourfold!, largest!].map(({ fastest }) =>
    fastest.toFixed(3),
  );
  assert.fail(
    `${what}: ${length} take ${now} ms, a quarter of it ${before} ms, four times as much ${later} ms, 16 times ${last} ms`,
  );
}

/** Asserts, by counting steps, that twice the length takes at most 2.2 times as many. */
function assertCounted(make: WorstCase, what: string, length: number, work: () => number): void {
  const [half, whole] = [length / 2, length].map(size => {
    const before = work();
    make(size)();
    return work() - before;
  });
  assert.ok(whole! <= GROWTH * half! + FEW_STEPS, `${what}: ${whole} steps, for half of it ${half}`);
}

function warmUp(runs: (() => unknown)[]): void {
  const end = cpuTime() + WARM_UP;
  do {
    for (const run of runs) attempt(run);
  } while (cpuTime() < end);
}

/** Runs a function; rejecting malformed input is fine too. */
function attempt(run: () => unknown): void {
  try {
    run();
  } catch {
    // The input was read nevertheless
  }
}

/** Text of the given length: the prefix, then repeated pieces. */
export function repeated(prefix: string, piece: string, length: number): string {
  return (prefix + piece.repeat(Math.ceil(length / piece.length))).slice(0, length);
}

class Measured {
  fastest = Infinity;
  private times = 1;

  constructor(private readonly run: () => unknown) {}

  measure(): void {
    const start = cpuTime();
    for (let time = 0; time < this.times; time++) attempt(this.run);
    const took = cpuTime() - start;
    if (took < MEASURABLE) this.times = Math.min(this.times * 2, 1 << 16);
    else this.fastest = Math.min(this.fastest, took / this.times);
  }
}

/**
 * Returns the milliseconds of processor time that this process has used. Assertions about how long code may take use
 * it: the time on the clock also depends on what else runs on the machine.
 */
export function cpuTime(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}
