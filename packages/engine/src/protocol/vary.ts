/** The Vary header (RFC 9110 section 12.5.5): adds header names to a list, each only once. */

/**
 * Adds header names to the value of a Vary header.
 * @param header the current value, '' for none
 * @param field one name, several separated by commas, or an array of names; '*' replaces all others
 * @returns the new value, with the names in their original spelling and order
 * @throws TypeError if a name is not a token of RFC 9110
 * @example appendVary('Accept', 'accept, Origin'); // 'Accept, Origin'
 */
export function appendVary(header: string, field: string | readonly string[]): string {
  const fields: readonly string[] = Array.isArray(field) ? field : splitNames(String(field));
  for (const name of fields) {
    if (!isToken(name)) throw new TypeError('field argument contains an invalid header name');
  }
  if (header === '*') return header;

  const present = splitNames(header.toLowerCase());
  if (fields.includes('*') || present.includes('*')) return '*';

  let value = header;
  for (const name of fields) {
    const lower = name.toLowerCase();
    if (present.includes(lower)) continue;
    present.push(lower);
    value = value === '' ? name : value + ', ' + name;
  }
  return value;
}

const SPACE = 0x20;
const COMMA = 0x2c;

/** Splits at commas and trims spaces; empty members are kept, so that they are detected as invalid. */
function splitNames(list: string): string[] {
  const names: string[] = [];
  let start = 0;
  let end = 0;
  for (let at = 0; at < list.length; at++) {
    const code = list.charCodeAt(at);
    if (code === COMMA) {
      names.push(list.slice(start, end));
      start = end = at + 1;
    } else if (code !== SPACE) {
      end = at + 1;
    } else if (start === end) {
      start = end = at + 1;
    }
  }
  names.push(list.slice(start, end));
  return names;
}

/** Whether a name is a token (RFC 9110 section 5.6.2). */
function isToken(name: unknown): boolean {
  return typeof name === 'string' && /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/.test(name);
}
