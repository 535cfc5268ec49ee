/** Determines the characters with which a program can continue at a place, to skip attempts that would fail. */
import type { CharacterSet } from './character-set';
import { Op } from './program';
import type { Filter } from './program';

/** Beyond this number of instructions, the filter lets everything through. */
const ENOUGH = 100;

/**
 * Adds the characters with which an instruction can begin; returns the instructions that can follow without consuming
 * one.
 */
function follow(
  filter: Filter,
  code: readonly number[],
  sets: readonly CharacterSet[],
  at: number,
): number[] {
  const { table } = filter;
  const [op, first = 0, second = 0] = code.slice(at, at + 3);
  switch (op) {
    case Op.character:
      table[first] = table[second] = 1;
      return [];
    case Op.set:
      sets[first]!.table.forEach((has, character) => (table[character] ||= has));
      return [];
    case Op.star:
    case Op.lazyStar:
      sets[first]!.table.forEach((has, character) => (table[character] ||= has));
      return [at + 4];
    case Op.split:
      return [first, second];
    case Op.jump:
      return [first];
    case Op.look:
      return [second];
    case Op.end:
      filter.end = true;
      return [];
    case Op.accept:
      table.fill(1);
      filter.end = true;
      return [];
    case Op.save:
      return [at + 4 + code[at + 3]!];
    default:
      return [at + 1];
  }
}

/**
 * Returns the characters with which the program can continue at a place.
 *
 * @param code the code of the program
 * @param sets the sets of the program
 * @param place the index of an instruction
 * @returns possibly more than those that can match, because assertions and look-ahead are skipped
 */
export function filterAt(code: readonly number[], sets: readonly CharacterSet[], place: number): Filter {
  const filter: Filter = { table: new Uint8Array(256), end: false };
  const places = new Set([place]);
  for (const at of places) {
    for (const next of follow(filter, code, sets, at)) places.add(next);
    if (places.size > ENOUGH) return { table: filter.table.fill(1), end: true };
  }
  return filter;
}
