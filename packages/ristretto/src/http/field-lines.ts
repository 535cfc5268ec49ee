/** Fields as Node keeps them where it writes them for HTTP/1.1 itself: of informational responses, and trailers. */

/** Field values by name in lower case. */
export type HeadFields = Record<string, string | string[]>;

/** Makes a set of fields without `Object.prototype`; those with the same names in the same order share a shape. */
export const FieldSet = function () {
  /* empty at first */
} as unknown as new () => HeadFields;
FieldSet.prototype = Object.create(null) as HeadFields;

/** Lines as HTTP/1.1 writes them. */
export function parseFields(lines: readonly string[]): HeadFields {
  const fields = new FieldSet();
  for (const line of lines) {
    const colon = line.indexOf(':');
    const name = line.slice(0, colon).toLowerCase();
    const value = line.slice(colon + 1).trim();
    const first = fields[name];
    fields[name] = first === undefined ? value : [first, value].flat();
  }
  return fields;
}
