/** Values in messages. */
import { inspect } from 'node:util';

/** A value as a program would write it, in one line and without what is deeper than its own members. */
export function shown(value: unknown): string {
  return inspect(value, { depth: 0, breakLength: Infinity, maxStringLength: 100 });
}
