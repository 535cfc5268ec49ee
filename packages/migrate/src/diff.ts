/** Prints the differences between two texts, as `diff -u` does. */
import type { Edit } from './plan';

const CONTEXT = 3;

/** Returns what edits change, for the report. */
export function diffsOf(edits: readonly Edit[]): { name: string; diff: string }[] {
  return edits.map(({ name, before, after }) => ({ name, diff: diff(name, before, after) }));
}

/** A line: kept, removed or added. */
type Line = readonly [' ' | '-' | '+', string];

/**
 * Compares two texts line by line.
 * @returns a unified diff, or an empty string if the texts are equal
 */
export function diff(name: string, before: string, after: string): string {
  const lines = compare(before === '' ? [] : split(before), split(after));
  const hunks = hunksOf(lines);
  if (hunks.length === 0) return '';
  const from = before === '' ? '/dev/null' : `a/${name}`;
  return `--- ${from}\n+++ b/${name}\n${hunks.map(([start, end]) => print(lines, start, end)).join('')}`;
}

function split(text: string): string[] {
  return text.replace(/\r?\n$/, '').split(/\r?\n/);
}

/** How many lines a change may have; after a longer one, the rest of the text counts as changed. */
const LONGEST = 1000;

/** Walks through both texts, and after each change to the nearest lines that are equal again. */
function compare(before: readonly string[], after: readonly string[]): Line[] {
  const lines: Line[] = [];
  let [i, j] = [0, 0];
  while (i < before.length || j < after.length) {
    const [removed, added] = changeAt(before, i, after, j);
    for (const end = i + removed; i < end; i++) lines.push(['-', before[i]!]);
    for (const end = j + added; j < end; j++) lines.push(['+', after[j]!]);
    if (i === before.length && j === after.length) break;
    lines.push([' ', before[i++]!]);
    j++;
  }
  return lines;
}

/** Returns how many lines are removed and added before the next common one. */
function changeAt(
  before: readonly string[],
  i: number,
  after: readonly string[],
  j: number,
): [removed: number, added: number] {
  const rest: [number, number] = [before.length - i, after.length - j];
  for (let size = 0; size <= Math.min(rest[0] + rest[1], LONGEST); size++)
    for (let removed = 0; removed <= size; removed++)
      if (i + removed < before.length && before[i + removed] === after[j + size - removed])
        return [removed, size - removed];
  return rest;
}

/** Returns the ranges of lines to print: changes, with the lines around them. */
function hunksOf(lines: readonly Line[]): [number, number][] {
  const hunks: [number, number][] = [];
  lines.forEach(([sign], index) => {
    if (sign === ' ') return;
    const [start, end] = [Math.max(0, index - CONTEXT), Math.min(lines.length, index + CONTEXT + 1)];
    const last = hunks[hunks.length - 1];
    if (last !== undefined && start <= last[1]) last[1] = end;
    else hunks.push([start, end]);
  });
  return hunks;
}

function print(lines: readonly Line[], start: number, end: number): string {
  const count = (part: readonly Line[], sign: string) => part.filter(line => line[0] !== sign).length;
  const [head, part] = [lines.slice(0, start), lines.slice(start, end)];
  const range = (other: string) => {
    const length = count(part, other);
    return `${String(count(head, other) + (length === 0 ? 0 : 1))},${String(length)}`;
  };
  const body = part.map(([sign, text]) => `${sign}${text}\n`).join('');
  return `@@ -${range('+')} +${range('-')} @@\n${body}`;
}
