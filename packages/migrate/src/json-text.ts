/** Changes one member of a JSON text and leaves every other character as it is. */

/** A member of an object, with the start and end of its value. */
interface Member {
  key: string;
  start: number;
  end: number;
}

const SPACE = /\s*/y;
const STRING = /"(?:[^"\\]|\\.)*"/y;
const SCALAR = /[^\s,\]}]+/y;

/**
 * Sets a member, creating missing parent objects. New members go to the end of their object, indented like the rest.
 * @param text valid JSON: an object
 * @param path the keys that lead to the member
 * @returns the changed text
 */
export function setMember(text: string, path: readonly string[], value: string): string {
  return setIn(text, text.indexOf('{'), path, value, 1);
}

function setIn(text: string, open: number, path: readonly string[], value: string, depth: number): string {
  const [key, ...rest] = path as [string, ...string[]];
  const members = membersOf(text, open);
  // If several members have the same name, the last one counts.
  const found = members.filter(member => member.key === key).pop();
  if (found === undefined) return insert(text, open, members.pop()?.end, key, nest(rest, value), depth);
  if (rest.length > 0 && text[found.start] === '{') return setIn(text, found.start, rest, value, depth + 1);
  return text.slice(0, found.start) + print(text, nest(rest, value), depth) + text.slice(found.end);
}

function nest(path: readonly string[], value: string): unknown {
  return path.reduceRight<unknown>((inner, key) => ({ [key]: inner }), value);
}

/** Inserts a member after the last one, whose value ends at `end`, or into an empty object. */
function insert(
  text: string,
  open: number,
  end: number | undefined,
  key: string,
  value: unknown,
  depth: number,
): string {
  const { newline, indent } = style(text);
  const member = `${newline}${indent.repeat(depth)}${JSON.stringify(key)}: ${print(text, value, depth)}`;
  if (end !== undefined) return `${text.slice(0, end)},${member}${text.slice(end)}`;
  const close = text.indexOf('}', open);
  return `${text.slice(0, open + 1)}${member}${newline}${indent.repeat(depth - 1)}${text.slice(close)}`;
}

function print(text: string, value: unknown, depth: number): string {
  const { newline, indent } = style(text);
  return JSON.stringify(value, undefined, indent).replaceAll('\n', newline + indent.repeat(depth));
}

/** Returns the line break and indentation of a text; both are empty for a text on a single line. */
function style(text: string): { newline: string; indent: string } {
  const [, newline = '', indent = ''] = /(\r?\n)([ \t]+)"/.exec(text) ?? [];
  return { newline, indent };
}

function membersOf(text: string, open: number): Member[] {
  const members: Member[] = [];
  let at = behind(SPACE, text, open + 1);
  while (text[at] === '"') {
    const keyEnd = behind(STRING, text, at);
    const start = behind(SPACE, text, behind(SPACE, text, keyEnd) + 1);
    const end = valueEnd(text, start);
    members.push({ key: JSON.parse(text.slice(at, keyEnd)) as string, start, end });
    at = behind(SPACE, text, end);
    if (text[at] === ',') at = behind(SPACE, text, at + 1);
  }
  return members;
}

function valueEnd(text: string, start: number): number {
  if (text[start] === '"') return behind(STRING, text, start);
  if (text[start] !== '{' && text[start] !== '[') return behind(SCALAR, text, start);
  let depth = 0;
  let at = start;
  do {
    if (text[at] === '"') {
      at = behind(STRING, text, at);
      continue;
    }
    if (text[at] === '{' || text[at] === '[') depth++;
    else if (text[at] === '}' || text[at] === ']') depth--;
    at++;
  } while (depth > 0);
  return at;
}

/** Returns the position after the match of a sticky expression. */
function behind(expression: RegExp, text: string, at: number): number {
  expression.lastIndex = at;
  expression.exec(text);
  return expression.lastIndex;
}
