/** Hostile input, and the proof that reading it takes next to no time and no more than in proportion to its length. */
import assert from 'node:assert/strict';

/** Pieces that make a parser start over, nest, or collect. */
export const PIECES = [
  ...[',', ';', '"', '=', '-', '\\', '/', '*', ' ', '\t', 'a', '9', '+', '.'],
  ...['a,', 'a/b,', '*/*,', ' ,', '; ', ' ;', ' =', 'a =', '"a', '\\"', 'W/', 'W/"a",', '0-0,', '1-2,', '-,'],
  ...['a/b;c=d,', 'a/b;"', ';q=0.5', ';a=a', 'a;q=0.1,', 'a-', 'a-b,', ';a="', '; a="\\"', 'no-cache,'],
];

/** The longest header block that the runtime takes. */
export const LENGTH = 16 * 1024;

/** To count coverage makes code with tight loops several times as slow: `npm run test:only linear` measures it as it is. */
const SLOWED = process.env.NODE_V8_COVERAGE ? 4 : 1;
/** Most time that one worst case of that length may take, in milliseconds. */
const LIMIT = 5;
/** Twice the length may take at most so many times as long. */
const GROWTH = 2.2;
/** So quick, as a share of the limit, that what memory costs shows as much as the work: there it may grow with the power 1.5. */
const QUICK = 0.25;
const QUICK_GROWTH = 2 ** 1.5;
/** What is counted may be so much more whatever the length. */
const FEW_STEPS = 100;
/** What is too quick for the clock is repeated until it takes so long. */
const MEASURABLE = 0.05;
/** How long to go on, in milliseconds, where a measurement is above the limits: other programs take time too. */
const PATIENCE = 4000;
/** For so long it is run before: the engine's optimized code may take another time, and in another proportion. */
const WARM_UP = 40;

/** Makes the worst case of a length, ready to run. */
export type WorstCase = (length: number) => () => unknown;

/**
 * Asserts that a worst case of a length takes less than 5 ms, and that doubling the length makes it take at most 2.2
 * times as long: on average over two doublings or four, around that length, since from some length on the memory
 * that is needed comes from another place, which makes a step.
 *
 * What is compared are the fastest runs: other programs can make a run slower, but none faster than it is. So it is
 * measured again until the fastest are as they should be, and fails only where they do not get there in seconds.
 *
 * @param make the worst case
 * @param what it is, for the message
 * @param length of the whole, 16 KiB unless it is not for a header block
 * @param limit in milliseconds for that length
 * @param work what counts its steps can be told by them, exactly: all that were done so far
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
 * Asserts the same of fields that start with `prefix` and go on with one of many pieces, over and over; with single
 * characters also of fields that end otherwise, where what has been looked for all along turns out not to be there.
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
  const [quarter, whole, fourfold] = [length / 4, length, length * 4].map(size => new Measured(make(size)));
  const grows = (doublings: number, from: Measured, to: Measured): boolean => {
    const most = whole!.fastest < QUICK * limit * SLOWED ? QUICK_GROWTH : GROWTH;
    return to.fastest > most ** doublings * from.fastest;
  };
  const end = performance.now() + PATIENCE;
  do {
    quarter!.measure();
    whole!.measure();
    if (whole!.fastest >= limit * SLOWED) continue;
    if (work || !grows(2, quarter!, whole!)) return;
    fourfold!.measure();
    if (!grows(2, whole!, fourfold!) || !grows(4, quarter!, fourfold!)) return;
  } while (performance.now() < end);
  const [before, now, later] = [quarter!, whole!, fourfold!].map(({ fastest }) => fastest.toFixed(3));
  assert.fail(
    `${what}: ${length} take ${now} ms, a quarter of it ${before} ms, four times as much ${later} ms`,
  );
}

/** Asserts by its steps that twice the length takes at most 2.2 times as much. */
function assertCounted(make: WorstCase, what: string, length: number, work: () => number): void {
  const [half, whole] = [length / 2, length].map(size => {
    const before = work();
    make(size)();
    return work() - before;
  });
  assert.ok(whole! <= GROWTH * half! + FEW_STEPS, `${what}: ${whole} steps, for half of it ${half}`);
}

function warmUp(runs: (() => unknown)[]): void {
  const end = performance.now() + WARM_UP;
  do {
    for (const run of runs) attempt(run);
  } while (performance.now() < end);
}

/** Refusing malformed input is an answer too. */
function attempt(run: () => unknown): void {
  try {
    run();
  } catch {
    // it was read all the same
  }
}

/** Text of a length: the prefix, and pieces. */
export function repeated(prefix: string, piece: string, length: number): string {
  return (prefix + piece.repeat(Math.ceil(length / piece.length))).slice(0, length);
}

class Measured {
  fastest = Infinity;
  private times = 1;

  constructor(private readonly run: () => unknown) {}

  measure(): void {
    const start = performance.now();
    for (let time = 0; time < this.times; time++) attempt(this.run);
    const took = performance.now() - start;
    if (took < MEASURABLE) this.times = Math.min(this.times * 2, 1 << 16);
    else this.fastest = Math.min(this.fastest, took / this.times);
  }
}
