/**
 * Runs the program of an expression over a path: with the same matches and groups as the native engine, but in time
 * linear in the length of the path.
 *
 * It backtracks like that engine: the remaining alternatives of a choice are pushed on a stack. But whether an
 * instruction leads to a match from a position depends on nothing else (there are no back references), so each choice
 * records where it has been, one bit for each position, and fails immediately if it gets there again. Hence there are
 * no more steps than instructions times positions. The only other relevant state is whether the iteration of a loop has
 * consumed a character yet (`fresh`), so a position counts as two if the program has such loops.
 *
 * A look-ahead is a separate run. Because all of its runs share the bits, one may reach a position where an earlier
 * one has been on its way to a match: the bits of that way are recorded a second time (`win`), and lead to a match
 * again.
 */
// prettier-ignore
import {
  backTo, hasWon, height, highest, leave, lowest, note, noted, pass, prepare, release, takeFrom, visit, win,
} from './backtrack';
import { END } from './character-set';
import type { CharacterSet } from './character-set';
import { Op } from './program';
import type { Filter, Program } from './program';

/** For tests: the number of steps of all matches so far. */
export const work = { steps: 0 };

/** The maximum number of bits for one match: 16 MiB, and as much again for look-ahead. */
const MAX_BITS = 2 ** 27;

/** The longest text whose memory is reused, in code units. */
const KEPT_TEXT = 1 << 16;

/** The purpose of a run. */
const enum Run {
  whole,
  /** a look-ahead, to determine whether it matches */
  look,
  /** a look-ahead that matches, to determine its groups */
  groups,
}

/** Slot values from this one down encode the position of a look-ahead whose groups are not known yet. */
const LOOK = -2;

/** The code units of the text, followed by `END`: an array is read faster than a string, which may be of several kinds. */
let text = new Int32Array(256);
/** The length of the text. */
let length = 0;
let end = -1;

/** Returns the index at which the last match ended. */
export function matchEnd(): number {
  return end;
}

/** Whether the program can run over a text of this length within the memory limit. */
export function fits(program: Program, length: number): boolean {
  return program.places * (length + 1) <= MAX_BITS;
}

/**
 * Matches a text for which the program `fits`.
 *
 * @param program from `compile`
 * @param path the text
 * @param slots receives the beginning and end of each group, -1 if it did not participate
 * @returns the index at which the match begins (`matchEnd()` returns its end), or -1 if there is none
 */
export function run(program: Program, path: string, slots: number[]): number {
  read(path);
  prepare(program.places * (path.length + 1), program.hasLook);
  const last = program.anchored ? 0 : path.length;
  let begin = 0;
  for (end = -1; begin <= last; begin++) {
    end = execute(program, slots, 0, begin, Run.whole);
    if (end >= 0) break;
  }
  if (end >= 0) {
    for (let slot = 0; slot < program.slots; slot++) slots[slot] = -1;
    takeNotes(program, 0, slots);
    for (const look of program.savingLooks) findGroups(program, slots, look);
  }
  release();
  if (text.length > KEPT_TEXT) text = new Int32Array(KEPT_TEXT);
  return end < 0 ? -1 : begin;
}

/** Copies the text. */
function read(path: string): void {
  length = path.length;
  if (length >= text.length) text = new Int32Array(Math.max(length + 1, Math.min(2 * length, KEPT_TEXT)));
  for (let at = 0; at < length; at++) text[at] = path.charCodeAt(at);
  text[length] = END;
}

/** Sets the slots according to the instructions that the match has recorded since `base`. */
function takeNotes({ code }: Program, base: number, slots: number[]): void {
  noted(base, (at, position) => {
    if (code[at] === Op.look) {
      const low = code[at + 3]!;
      slots.fill(-1, low, code[at + 4]);
      slots[low] = LOOK - position;
      return;
    }
    slots.fill(-1, code[at + 1], code[at + 2]);
    for (let i = 0; i < code[at + 3]!; i++) slots[code[at + 4 + i]!] = position;
  });
}

/**
 * Determines the groups of a look-ahead, if the match passed it. Done at the end, because otherwise a look-ahead that
 * reaches far would be run to its end again from each position.
 */
function findGroups(program: Program, slots: number[], look: number): void {
  const low = program.code[look + 3]!;
  const begin = LOOK - slots[low]!;
  if (begin < 0) return;
  slots[low] = -1;
  execute(program, slots, look + 5, begin, Run.groups);
}

function isWord(position: number): boolean {
  const code = position < 0 ? END : text[position]!;
  return (
    (code >= 48 && code <= 57) || (code >= 65 && code <= 90) || code === 95 || (code >= 97 && code <= 122)
  );
}

function isBoundary(position: number): boolean {
  return isWord(position - 1) !== isWord(position);
}

function passes(filter: Filter, position: number): boolean {
  const code = text[position]!;
  if (code < 256) return filter.table[code] === 1;
  return code !== END || filter.end;
}

/**
 * Consumes as many characters of a set as possible and pushes the positions before as choices. Stops at a position
 * where it has been before.
 *
 * @param mark the mark to continue with, not fresh
 * @param first the number of the first bit for the instruction
 * @returns the position after them, or -1 if nothing is left to try
 */
function takeMany(
  set: CharacterSet,
  filter: Filter,
  mark: number,
  first: number,
  from: number,
  fresh: number,
): number {
  const width = length + 1;
  if (!visit(first + fresh * width + from)) return -1;
  let position = from;
  while (set.has(text[position]!) && visit(first + position + 1)) position++;
  work.steps += position - from;
  if (position === from) return from;
  if (fresh === 1) leave(mark | 1, from, from);
  const low = from + fresh;
  while (position > low && !passes(filter, position)) position--;
  if (position > low) leave(mark, position - 1, low);
  return position;
}

/** Consumes characters of a set until the next instructions can begin; the mark is for consuming one more. */
function takeFew(
  set: CharacterSet,
  filter: Filter,
  mark: number,
  first: number,
  from: number,
  fresh: number,
): number {
  const width = length + 1;
  if (!visit(first + fresh * width + from)) return -1;
  let position = from;
  while (!passes(filter, position)) {
    if (!set.has(text[position]!) || !visit(first + position + 1)) return -1;
    position++;
  }
  work.steps += position - from;
  if (set.has(text[position]!)) leave(mark, position, position);
  return position;
}

/** Runs the program from an instruction and a position on; returns the end of the match or -1. */
function execute(program: Program, slots: number[], begin: number, from: number, kind: Run): number {
  const { code, sets, filters, placesPerState } = program;
  const width = length + 1;
  const base = height();
  let at = begin;
  let position = from;
  let fresh = 0;
  let steps = 0;
  for (;;) {
    steps++;
    // An instruction that succeeds continues the loop; one that fails breaks out of the switch
    switch (code[at]) {
      case Op.character: {
        const character = text[position]!;
        if (character !== code[at + 1] && character !== code[at + 2]) break;
        position++;
        fresh = 0;
        at += 3;
        continue;
      }
      case Op.set:
        if (!sets[code[at + 1]!]!.has(text[position]!)) break;
        position++;
        fresh = 0;
        at += 2;
        continue;
      case Op.split: {
        const filter = code[at + 4]!;
        if (filter >= 0 && !passes(filters[filter]!, position)) {
          at = code[at + 2]!;
          continue;
        }
        const bit = (code[at + 3]! * placesPerState + fresh) * width + position;
        if (!visit(bit)) {
          if (kind === Run.whole || !hasWon(bit)) break;
          if (kind === Run.look) {
            win(base);
            work.steps += steps;
            return position;
          }
        }
        if (kind !== Run.whole) pass(bit);
        leave((code[at + 2]! << 1) | fresh, position, position);
        at = code[at + 1]!;
        continue;
      }
      case Op.star:
      case Op.lazyStar: {
        const set = sets[code[at + 1]!]!;
        const first = code[at + 2]! * placesPerState * width;
        const filter = filters[code[at + 3]!]!;
        const next =
          code[at] === Op.star
            ? takeMany(set, filter, (at + 4) << 1, first, position, fresh)
            : takeFew(set, filter, (at - 2) << 1, first, position, fresh);
        if (next < 0) break;
        if (next > position) fresh = 0;
        position = next;
        at += 4;
        continue;
      }
      case Op.jump:
        at = code[at + 1]!;
        continue;
      case Op.save:
        if (kind !== Run.look) note(at, position);
        at += 4 + code[at + 3]!;
        continue;
      case Op.fresh:
        fresh = 1;
        at++;
        continue;
      case Op.progress:
        if (fresh === 1) break;
        at++;
        continue;
      case Op.start:
        if (position !== 0) break;
        at++;
        continue;
      case Op.end:
        if (position !== length) break;
        at++;
        continue;
      case Op.boundary:
        if (!isBoundary(position)) break;
        at++;
        continue;
      case Op.inside:
        if (isBoundary(position)) break;
        at++;
        continue;
      case Op.look: {
        const found = execute(program, slots, at + 5, position, Run.look) >= 0;
        if (found === (code[at + 1] === 1)) break;
        // Groups are determined at the end
        if (kind !== Run.look && code[at + 3]! < code[at + 4]!) note(at, position);
        at = code[at + 2]!;
        continue;
      }
      case Op.accept:
        if (kind === Run.groups) takeNotes(program, base, slots);
        if (kind !== Run.whole) win(base);
        work.steps += steps;
        return position;
    }
    const mark = backTo(base);
    if (mark < 0) {
      work.steps += steps;
      return -1;
    }
    at = mark >> 1;
    fresh = mark & 1;
    position = highest();
    const low = lowest();
    if (position > low) {
      // A star pushed this position; its filter number is directly before the instruction to continue with
      const filter = filters[code[at - 1]!]!;
      while (position > low && !passes(filter, position)) position--;
    }
    takeFrom(position);
  }
}
