/**
 * Changes the charset of a Content-Type: malformed parameters are left out, and do not make the whole value malformed.
 */
import { trimBlanks } from '@ristretto/private-engine/lib/protocol';

const TYPE = /^[\w!#$%&'*+.^`|~-]+\/[\w!#$%&'*+.^`|~-]+$/;
const TOKEN = /^[\w!#$%&'*+.^`|~-]+$/;
const TEXT = /^[\t\x20-\x7e\x80-\xff]*$/;
/**
 * Replaces or adds the charset of a Content-Type. If either is empty, the type is returned unchanged.
 *
 * @throws TypeError if the type is invalid
 * @example setCharset('text/html', 'utf-8') // 'text/html; charset=utf-8'
 */
export function setCharset(type: string, charset: string): string {
  if (!type || !charset) return type;
  const semicolon = type.indexOf(';');
  const name = trimBlanks(semicolon < 0 ? type : type.slice(0, semicolon)).toLowerCase();
  if (!TYPE.test(name)) throw new TypeError(`Invalid type: ${name}`);
  const parameters = semicolon < 0 ? noParameters() : parametersOf(type, semicolon);
  parameters.charset = charset;
  let formatted = name;
  for (const [parameter, value] of Object.entries(parameters)) {
    if (!TOKEN.test(parameter)) throw new TypeError(`Invalid parameter name: ${parameter}`);
    formatted += `; ${parameter}=${TOKEN.test(value) ? value : quoted(value)}`;
  }
  return formatted;
}

function noParameters(): Record<string, string> {
  return Object.create(null) as Record<string, string>;
}

/**
 * Returns the parameters after a semicolon. Parameters without a value, or with an unterminated quote, are left out; of
 * several with one name, the first counts.
 */
function parametersOf(type: string, semicolon: number): Record<string, string> {
  const parameters = noParameters();
  let at = semicolon;
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

function quoted(value: string): string {
  if (!TEXT.test(value)) throw new TypeError(`Invalid parameter value: ${value}`);
  return `"${value.replace(/[\\"]/g, '\\$&')}"`;
}
