/** Values for programs of events, in addition to those of `revive`. */
import type { Value } from '../description.js';
import { revive } from '../interpreter.js';

const fillers = new Map<number, string>();

/** Returns a body of this many bytes. */
export function filler(length: number): string {
  const made = fillers.get(length) ?? 'abcdefghij'.repeat(Math.ceil(length / 10)).slice(0, length);
  fillers.set(length, made);
  return made;
}

/** Returns the value that the data represents; `callback` creates the functions of `{$: 'callback'}`. */
export function valueOf(value: Value, root: string, callback: (name: string) => unknown): unknown {
  if (value === null || typeof value !== 'object' || Array.isArray(value)) return revive(value, root);
  switch (value.$) {
    case 'callback':
      return callback(String(value.text));
    case 'bytes':
      return new TextEncoder().encode(String(value.text));
    case 'filler':
      return filler(Number(value.text));
    case 'filler buffer':
      return Buffer.from(filler(Number(value.text)));
    case 'Number':
      return new Number(value.text);
    case 'String':
      return new String(value.text);
    case 'toString':
      return { toString: () => String(value.text) };
    case 'valueOf':
      return { valueOf: () => Number(value.text) };
    case 'null-object':
      return Object.create(null);
    case 'Map':
      return new Map([['X-Map', String(value.text)]]);
    case 'Infinity':
      return Infinity;
    default:
      return revive(value, root);
  }
}
