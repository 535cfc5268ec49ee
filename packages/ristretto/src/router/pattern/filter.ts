/** Finds out with which characters a program can go on at a place, so that vain attempts are left out. */
import type { CharacterSet } from './character-set';
import { Op } from './program';
import type { Filter } from './program';

/**
 * The characters with which the program can go on at a place.
 *
 * @param code of the program
 * @param sets of the program
 * @param place where an instruction begins
 * @returns perhaps more than those that can match, as assertions and look-ahead are passed over
 */
export function filterAt(code: readonly number[], sets: readonly CharacterSet[], place: number): Filter {
  const table = new Uint8Array(256);
  const seen = new Set<number>();
  let end = false;
  const visit = (at: number): void => {
    if (seen.has(at)) return;
    seen.add(at);
    const [op, first = 0, second = 0] = code.slice(at, at + 3);
    const add = (set: CharacterSet | undefined): void =>
      set?.table.forEach((has, character) => (table[character] ||= has));
    switch (op) {
      case Op.character:
        table[first] = table[second] = 1;
        return;
      case Op.set:
        add(sets[first]);
        return;
      case Op.star:
      case Op.lazyStar:
        add(sets[first]);
        visit(at + 4);
        return;
      case Op.split:
        visit(first);
        visit(second);
        return;
      case Op.jump:
        visit(first);
        return;
      case Op.look:
        visit(second);
        return;
      case Op.end:
        end = true;
        return;
      case Op.accept:
        table.fill(1);
        end = true;
        return;
      case Op.save:
        visit(at + 2);
        return;
      case Op.reset:
        visit(at + 3);
        return;
      default:
        visit(at + 1);
    }
  };
  visit(place);
  return { table, end };
}
