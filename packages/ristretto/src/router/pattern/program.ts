/**
 * What a program is that `compile.ts` makes of an expression and `matcher.ts` runs: a list of numbers, each instruction
 * an operation followed by its operands.
 *
 * `^/([^/]+)-$` becomes
 *
 *     0 start  1 character '/'  4 save 0  9 set [^/]  11 star [^/]  15 save 1  20 character '-'  23 end  24 accept
 */
import type { CharacterSet } from './character-set';

/** Operations, with their operands. */
export const enum Op {
  /** code, other code: takes one of the two characters. */
  character,
  /** set: takes one character of it. */
  set,
  /** first, second, state, filter: goes on at the first and, when that fails, at the second; -1: without a filter. */
  split,
  /** set, state, filter: takes as many characters of the set as it can, fewer when what follows fails. */
  star,
  /** set, state, filter: the same, but as few as it can. The two numbers in front are a `set` to take one more. */
  lazyStar,
  /** target */
  jump,
  /** from, to, count, and as many slots: forgets the positions in the first slots and notes this one for the others. */
  save,
  /** Notes that an iteration begins, until a character is taken. */
  fresh,
  /** Fails where no character has been taken since. */
  progress,
  start,
  end,
  boundary,
  inside,
  /** negative, next, from, to: goes on at `next` if what stands behind this matches; from, to: its slots, if wanted. */
  look,
  accept,
}

/** What can stand at a place of the program: a table of characters, and whether the text may end there. */
export interface Filter {
  /** 1 for each of the first 256 code units with which what follows could begin; all others pass. */
  readonly table: Uint8Array;
  end: boolean;
}

/** A compiled expression. */
export interface Program {
  readonly code: readonly number[];
  readonly sets: readonly CharacterSet[];
  readonly filters: readonly Filter[];
  /** How many bits of bookkeeping it takes for each position: for each state one, or two (1: fresh). */
  readonly places: number;
  readonly placesPerState: 1 | 2;
  readonly hasLook: boolean;
  /** The `look` instructions that have slots, outer ones first. */
  readonly savingLooks: readonly number[];
  /** Two for each capture group. */
  readonly slots: number;
  /** Whether a match can only begin at the beginning. */
  readonly anchored: boolean;
}
