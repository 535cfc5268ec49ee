/** Parses header lines that Node itself formats for HTTP/1.1: those of informational responses, and trailers. */

import { OF_CONNECTION } from './fields';

/** Field values by name in lower case. */
export type HeadFields = Record<string, string | string[]>;

/**
 * Creates a set of headers without `Object.prototype`; sets with the same names in the same order share a hidden class.
 */
export const FieldSet = function () {
  /* Empty at first */
} as unknown as new () => HeadFields;
FieldSet.prototype = Object.create(null) as HeadFields;

/** Parses header lines in the format of HTTP/1.1, and drops those that describe an HTTP/1.1 connection. */
export function parseFields(lines: readonly string[]): HeadFields {
  const fields = new FieldSet();
  for (const line of lines) {
    const colon = line.indexOf(':');
    const name = line.slice(0, colon).toLowerCase();
    if (OF_CONNECTION.has(name)) continue;
    const value = line.slice(colon + 1).trim();
    const first = fields[name];
    fields[name] = first === undefined ? value : [first, value].flat();
  }
  return fields;
}
