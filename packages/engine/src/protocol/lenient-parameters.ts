/** Reads the parameters of a Content-Type as Express 5 does: a malformed one does not make the others unreadable. */
import { trimBlanks } from './blanks';

/**
 * Returns the parameters by their names in lower case. Parameters without a value, or with an unterminated quote, are left out; of
 * several with one name, the first counts.
 */
export function lenientParameters(type: string): Record<string, string> {
  const parameters = Object.create(null) as Record<string, string>;
  let at = endOf(type, ';', 0);
  while (at < type.length) {
    const end = endOf(type, ';', at + 1);
    const equals = type.slice(at + 1, end).indexOf('=');
    const start = at + 1;
    at = end;
    if (equals < 0) continue;
    const name = trimBlanks(type.slice(start, start + equals)).toLowerCase();
    const first = skipBlanks(type, start + equals + 1);
    const value =
      type[first] === '"' ? quotedAt(type, first) : { text: trimBlanks(type.slice(first, end)), end };
    if (value === undefined) break;
    if (!(name in parameters)) parameters[name] = value.text;
    at = endOf(type, ';', value.end);
  }
  return parameters;
}

function skipBlanks(text: string, from: number): number {
  let at = from;
  while (text[at] === ' ' || text[at] === '\t') at++;
  return at;
}

/** Returns the next index of a character, or the length of the text. */
function endOf(text: string, character: string, from: number): number {
  const at = text.indexOf(character, from);
  return at < 0 ? text.length : at;
}

/** Returns the quoted string at an index, and where it ends; `undefined` if the quote is not closed. */
function quotedAt(text: string, start: number): { text: string; end: number } | undefined {
  let unquoted = '';
  for (let at = start + 1; at < text.length; at++) {
    if (text[at] === '"') return { text: unquoted, end: at + 1 };
    if (text[at] === '\\') at++;
    unquoted += text.charAt(at);
  }
  return undefined;
}
