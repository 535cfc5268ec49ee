/**
 * What a match leaves for later and where it has been: the stack of choices and the bits of bookkeeping that
 * `matcher.ts` works with. Kept from match to match, as only one runs at a time, so that matching allocates nothing.
 */

/** Words of bookkeeping that are kept, 1 MiB; when a match needs more, they are its own. */
const KEPT_WORDS = 1 << 18;
/** Numbers on the stack that are kept, 4 MiB; a longer one is the match's own. */
const KEPT_STACK = 1 << 20;

/** Marks of the entries that are no choice; choices are marked by numbers from 0. */
const PASSED = -1;
const FIRST_NOTE = -2;

/**
 * Three numbers an entry: the mark; then, for a choice, the last and first position to go on from; for the note that an
 * instruction was run, the position. What it says about groups is not done before the match is found: so to go back is
 * no more than to drop entries.
 */
let keptStack = new Int32Array(192);
let stack = keptStack;
let top = 0;
let kept = new Uint32Array(64);
let seen = kept;
/** Where in `seen` the second half begins, which notes what led to a match. */
let won = 0;

/** Sets everything to nothing seen, for this many bits; with look-ahead, in both halves. */
export function prepare(bits: number, looking: boolean): void {
  won = (bits >>> 5) + 1;
  const words = looking ? 2 * won : won;
  if (words > KEPT_WORDS) {
    seen = new Uint32Array(words);
  } else if (words > kept.length) {
    seen = kept = new Uint32Array(Math.min(KEPT_WORDS, 2 * words));
  } else {
    seen = kept;
    // for a few words, a call takes longer
    if (words > 32) seen.fill(0, 0, words);
    else for (let word = 0; word < words; word++) seen[word] = 0;
  }
}

/** Gives back what a match needed beyond what is kept. */
export function release(): void {
  seen = kept;
  stack = keptStack;
  top = 0;
}

/** Notes that a choice has been at a position; false where it had been there before. */
export function visit(bit: number): boolean {
  const word = bit >>> 5;
  const mask = 1 << (bit & 31);
  const before = seen[word]!;
  if ((before & mask) !== 0) return false;
  seen[word] = before | mask;
  return true;
}

/** Whether the choice led to a match from there. */
export function hasWon(bit: number): boolean {
  return (seen[won + (bit >>> 5)]! & (1 << (bit & 31))) !== 0;
}

/** How much is on the stack, for `win` and `backTo`. */
export function height(): number {
  return top;
}

function grow(): void {
  const longer = new Int32Array(4 * stack.length);
  longer.set(stack);
  stack = longer;
  if (stack.length <= KEPT_STACK) keptStack = stack;
}

function push(mark: number, second: number, third: number): void {
  if (top + 3 > stack.length) grow();
  stack[top] = mark;
  stack[top + 1] = second;
  stack[top + 2] = third;
  top += 3;
}

/** Leaves the positions from `high` down to `low` for later, to go on from with `mark` (0 or above). */
export function leave(mark: number, high: number, low: number): void {
  push(mark, high, low);
}

/** Notes that the way so far has led over a choice, for `win`. */
export function pass(bit: number): void {
  push(PASSED, bit, 0);
}

/** Notes that an instruction was run at a position, for `noted`. */
export function note(at: number, position: number): void {
  push(FIRST_NOTE - at, position, 0);
}

/** Hands on, in their order, the instructions that were noted on the way that was not gone back. */
export function noted(base: number, take: (at: number, position: number) => void): void {
  for (let entry = base; entry < top; entry += 3) {
    const mark = stack[entry]!;
    if (mark <= FIRST_NOTE) take(FIRST_NOTE - mark, stack[entry + 1]!);
  }
}

/** Notes that the choices passed since lead to a match, and drops everything left for later since. */
export function win(base: number): void {
  for (; top > base; top -= 3) {
    if (stack[top - 3] !== PASSED) continue;
    const bit = stack[top - 2]!;
    const word = won + (bit >>> 5);
    seen[word] = seen[word]! | (1 << (bit & 31));
  }
}

/**
 * Drops what was noted since the last choice that is left above `base`.
 *
 * @returns the choice's mark, or -1 where none is left. Its positions are `highest()` and `lowest()`.
 */
export function backTo(base: number): number {
  while (top > base) {
    const mark = stack[top - 3]!;
    if (mark >= 0) return mark;
    top -= 3;
  }
  return -1;
}

/** The last position of the choice on top. */
export function highest(): number {
  return stack[top - 2]!;
}

/** The first position of the choice on top. */
export function lowest(): number {
  return stack[top - 1]!;
}

/** Takes a position of the choice on top: those below it stay, if there are any. */
export function takeFrom(position: number): void {
  if (position > lowest()) stack[top - 2] = position - 1;
  else top -= 3;
}
