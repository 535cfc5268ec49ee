/**
 * The programs that `compile.ts` creates from expressions and `matcher.ts` runs: a list of numbers, each instruction an
 * operation followed by its operands.
 *
 * `^/([^/]+)-$` becomes
 *
 *     0 start  1 character '/'  4 save 0  9 set [^/]  11 star [^/]  15 save 1  20 character '-'  23 end  24 accept
 */
import type { CharacterSet } from './character-set';

/** Operations, with their operands. */
export const enum Op {
  /** code, other code: consumes one of the two characters. */
  character,
  /** set: consumes one character of it. */
  set,
  /** first, second, state, filter: continues at the first and, if that fails, at the second; -1: without a filter. */
  split,
  /** set, state, filter: consumes as many characters of the set as possible, or fewer if the rest fails. */
  star,
  /**
   * set, state, filter: the same, but as few as possible. The two numbers before it are a `set` to consume one more.
   */
  lazyStar,
  /** target */
  jump,
  /** from, to, count, and as many slots: unsets the slots of the range and stores this position in the listed ones. */
  save,
  /** Marks the beginning of an iteration, until a character is consumed. */
  fresh,
  /** Fails if no character has been consumed since then. */
  progress,
  start,
  end,
  boundary,
  inside,
  /**
   * negative, next, from, to: continues at `next` if the code after this matches (or not, if negative); from, to: its
   * slots, if needed.
   */
  look,
  accept,
}

/**
 * The characters and positions that can follow at a place of the program: a table of characters, and whether the text
 * may end there.
 */
export interface Filter {
  /** 1 for each of the first 256 code units with which the rest could begin; all others pass. */
  readonly table: Uint8Array;
  end: boolean;
}

/** A compiled expression. */
export interface Program {
  readonly code: readonly number[];
  readonly sets: readonly CharacterSet[];
  readonly filters: readonly Filter[];
  /** The number of bits for each position: for each state one, or two (the second for fresh). */
  readonly places: number;
  readonly placesPerState: 1 | 2;
  readonly hasLook: boolean;
  /** The `look` instructions that have slots, outer ones first. */
  readonly savingLooks: readonly number[];
  /** Two for each capture group. */
  readonly slots: number;
  /** Whether a match can only start at the beginning of the text. */
  readonly anchored: boolean;
}
