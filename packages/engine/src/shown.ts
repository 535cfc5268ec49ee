/** Formats values for messages. */
import { inspect } from 'node:util';

/** Formats a value as source code would show it, on one line and without nested members. */
export function shown(value: unknown): string {
  return inspect(value, { depth: 0, breakLength: Infinity, maxStringLength: 100 });
}
