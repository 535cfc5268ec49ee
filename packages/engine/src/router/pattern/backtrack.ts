/**
 * The backtracking state of `matcher.ts`: the stack of choices, and bits that record where a match has been. Reused,
 * because only one match runs at a time, so that matching allocates nothing.
 */

/** The largest number of words that are reused, 1 MiB; a match that needs more allocates its own. */
const KEPT_WORDS = 1 << 18;
/** The largest stack that is reused, 4 MiB; a longer one belongs to its match only. */
const KEPT_STACK = 1 << 20;

/** The marks of entries that are not choices; choices have marks from 0 up. */
const PASSED = -1;
const FIRST_NOTE = -2;

/**
 * Three numbers per entry: the mark; then, for a choice, the last and first position to continue from; for a note that
 * an instruction was run, the position. Groups are only set when the match has been found, so backtracking just drops
 * entries.
 */
let keptStack = new Int32Array(192);
let stack = keptStack;
let top = 0;
let kept = new Uint32Array(64);
let seen = kept;
/** The index of the second half of `seen`, which records what led to a match. */
let won = 0;

/** Clears this many bits; with look-ahead, in both halves. */
export function prepare(bits: number, looking: boolean): void {
  won = (bits >>> 5) + 1;
  const words = looking ? 2 * won : won;
  if (words > KEPT_WORDS) {
    seen = new Uint32Array(words);
  } else if (words > kept.length) {
    seen = kept = new Uint32Array(Math.min(KEPT_WORDS, 2 * words));
  } else {
    seen = kept;
    // For a few words, calling `fill` takes longer
    if (words > 32) seen.fill(0, 0, words);
    else for (let word = 0; word < words; word++) seen[word] = 0;
  }
}

/** Releases memory that a match needed beyond the reused buffers. */
export function release(): void {
  seen = kept;
  stack = keptStack;
  top = 0;
}

/** Records that a choice has been at a position; returns false if it had been there before. */
export function visit(bit: number): boolean {
  const word = bit >>> 5;
  const mask = 1 << (bit & 31);
  const before = seen[word]!;
  if ((before & mask) !== 0) return false;
  seen[word] = before | mask;
  return true;
}

/** Whether the choice led to a match from that position. */
export function hasWon(bit: number): boolean {
  return (seen[won + (bit >>> 5)]! & (1 << (bit & 31))) !== 0;
}

/** Returns the height of the stack, for `win` and `backTo`. */
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

/** Pushes a choice for later: the positions from `high` down to `low`, to continue from with `mark` (0 or above). */
export function leave(mark: number, high: number, low: number): void {
  push(mark, high, low);
}

/** Records that the current path passed a choice, for `win`. */
export function pass(bit: number): void {
  push(PASSED, bit, 0);
}

/** Records that an instruction was run at a position, for `noted`. */
export function note(at: number, position: number): void {
  push(FIRST_NOTE - at, position, 0);
}

/** Passes on the recorded instructions of the current path, in order. */
export function noted(base: number, take: (at: number, position: number) => void): void {
  for (let entry = base; entry < top; entry += 3) {
    const mark = stack[entry]!;
    if (mark <= FIRST_NOTE) take(FIRST_NOTE - mark, stack[entry + 1]!);
  }
}

/** Records that the choices passed above `base` lead to a match, and drops everything above `base`. */
export function win(base: number): void {
  for (; top > base; top -= 3) {
    if (stack[top - 3] !== PASSED) continue;
    const bit = stack[top - 2]!;
    const word = won + (bit >>> 5);
    seen[word] = seen[word]! | (1 << (bit & 31));
  }
}

/**
 * Drops the notes above the last remaining choice above `base`.
 *
 * @returns the choice's mark, or -1 if none is left. Its positions are `highest()` and `lowest()`.
 */
export function backTo(base: number): number {
  while (top > base) {
    const mark = stack[top - 3]!;
    if (mark >= 0) return mark;
    top -= 3;
  }
  return -1;
}

/** Returns the last position of the topmost choice. */
export function highest(): number {
  return stack[top - 2]!;
}

/** Returns the first position of the topmost choice. */
export function lowest(): number {
  return stack[top - 1]!;
}

/** Removes a position from the topmost choice, and keeps those below it, if any. */
export function takeFrom(position: number): void {
  if (position > lowest()) stack[top - 2] = position - 1;
  else top -= 3;
}
