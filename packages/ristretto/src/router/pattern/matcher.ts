/**
 * Runs the program of an expression over a path: the same matches and groups as by Node's own engine, but in
 * time linear in the length of the path.
 *
 * It goes back like that engine: what a choice leaves for later is put on a stack. But whether an instruction leads
 * to a match from a position depends on nothing else (there are no back references), so each choice notes where it
 * has been, one bit for each position, and fails at once when it comes there again. Hence no more steps than
 * instructions times positions. The one other thing that matters is whether the iteration of a loop has taken a
 * character yet (`fresh`), so a position counts as two where the program has such loops.
 *
 * A look-ahead is a run of its own. As all runs of it share the bits, one may come to where an earlier one has been
 * on its way to a match: the bits of that way are noted a second time (`win`), and lead there again.
 */
import { backTo, hasWon, height, highest, leave, lowest, note, noted, pass, prepare } from './backtrack';
import { release, takeFrom, visit, win } from './backtrack';
import type { CharacterSet } from './character-set';
import { Op } from './program';
import type { Filter, Program } from './program';

/** For tests: the steps that all matches so far took. */
export const work = { steps: 0 };

/** Bits of bookkeeping that one match may take at most: 16 MiB, and as much for look-ahead. */
const MAX_BITS = 2 ** 27;

/** For whom the program runs. */
const enum Run {
  whole,
  /** a look-ahead, to know whether it matches */
  look,
  /** a look-ahead that matches, to know its groups */
  groups,
}

/** From here downwards, what stands in a slot is the position of a look-ahead whose groups are not known yet. */
const LOOK = -2;

let text = '';
let end = -1;

/** Where the last match ended. */
export function matchEnd(): number {
  return end;
}

/** Whether the program can be run over a text of this length within the memory there is for it. */
export function fits(program: Program, length: number): boolean {
  return program.places * (length + 1) <= MAX_BITS;
}

/**
 * Matches a text for which the program `fits`.
 *
 * @param program from `compile`
 * @param path the text
 * @param slots receives the beginning and end of each group, -1 where it took no part
 * @returns where the match begins (`matchEnd()` tells where it ends), or -1 where there is none
 */
export function run(program: Program, path: string, slots: number[]): number {
  text = path;
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
  text = '';
  return end < 0 ? -1 : begin;
}

/** Sets the slots as the instructions say that the match has come by since `base`. */
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
 * Finds the groups of a look-ahead, if it was on the way to the match. Were they found whenever it is run, a
 * look-ahead that leads far away would be walked from there for each position.
 */
function findGroups(program: Program, slots: number[], look: number): void {
  const low = program.code[look + 3]!;
  const begin = LOOK - slots[low]!;
  if (begin < 0) return;
  slots[low] = -1;
  execute(program, slots, look + 5, begin, Run.groups);
}

function isWord(position: number): boolean {
  const code = text.charCodeAt(position);
  return (
    (code >= 48 && code <= 57) || (code >= 65 && code <= 90) || code === 95 || (code >= 97 && code <= 122)
  );
}

function isBoundary(position: number): boolean {
  return isWord(position - 1) !== isWord(position);
}

function passes(filter: Filter, position: number): boolean {
  if (position === text.length) return filter.end;
  const code = text.charCodeAt(position);
  return code >= 256 || filter.table[code] === 1;
}

/**
 * Takes as many characters of a set as there are and leaves the positions before for later. Where it, or what it
 * would come to, has been before, it stops.
 *
 * @param mark to go on with, not fresh
 * @param first the number of the first bit for the instruction
 * @returns the position after them, or -1 where nothing is left to be tried
 */
function takeMany(
  set: CharacterSet,
  filter: Filter,
  mark: number,
  first: number,
  from: number,
  fresh: number,
): number {
  const width = text.length + 1;
  if (!visit(first + fresh * width + from)) return -1;
  let position = from;
  while (set.has(text.charCodeAt(position)) && visit(first + position + 1)) position++;
  work.steps += position - from;
  if (position === from) return from;
  if (fresh === 1) leave(mark | 1, from, from);
  const low = from + fresh;
  while (position > low && !passes(filter, position)) position--;
  if (position > low) leave(mark, position - 1, low);
  return position;
}

/** Takes characters of a set until what follows can begin; the mark is for taking one more. */
function takeFew(
  set: CharacterSet,
  filter: Filter,
  mark: number,
  first: number,
  from: number,
  fresh: number,
): number {
  const width = text.length + 1;
  if (!visit(first + fresh * width + from)) return -1;
  let position = from;
  while (!passes(filter, position)) {
    if (!set.has(text.charCodeAt(position)) || !visit(first + position + 1)) return -1;
    position++;
  }
  work.steps += position - from;
  leave(mark, position, position);
  return position;
}

/** Runs the program from an instruction and a position on; the end of the match or -1. */
function execute(program: Program, slots: number[], begin: number, from: number, kind: Run): number {
  const { code, sets, filters, placesPerState } = program;
  const width = text.length + 1;
  const base = height();
  let at = begin;
  let position = from;
  let fresh = 0;
  let steps = 0;
  for (;;) {
    steps++;
    // an instruction that succeeds continues the loop; one that fails breaks out of the switch
    switch (code[at]) {
      case Op.character: {
        const character = text.charCodeAt(position);
        if (character !== code[at + 1] && character !== code[at + 2]) break;
        position++;
        fresh = 0;
        at += 3;
        continue;
      }
      case Op.set:
        if (!sets[code[at + 1]!]!.has(text.charCodeAt(position))) break;
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
        if (position !== text.length) break;
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
        // what it saves is found in the end
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
      // of a star: it left its filter just in front of where to go on
      const filter = filters[code[at - 1]!]!;
      while (position > low && !passes(filter, position)) position--;
    }
    takeFrom(position);
  }
}
