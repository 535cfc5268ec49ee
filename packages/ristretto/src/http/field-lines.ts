/** Fields as Node keeps them where it writes them for HTTP/1.1 itself: of informational responses, and trailers. */

/** Field values by name in lower case. */
export type HeadFields = Record<string, string | string[]>;

/** Lines as HTTP/1.1 writes them. */
export function parseFields(lines: readonly string[]): HeadFields {
  const fields = Object.create(null) as HeadFields;
  for (const line of lines) {
    const colon = line.indexOf(':');
    const name = line.slice(0, colon).toLowerCase();
    const value = line.slice(colon + 1).trim();
    const first = fields[name];
    fields[name] = first === undefined ? value : [first, value].flat();
  }
  return fields;
}
