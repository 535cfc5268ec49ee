/** Prints the differences between two texts, as `diff -u` does. */

const CONTEXT = 3;

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

/** Finds a longest common subsequence; manifests are small. */
function compare(before: readonly string[], after: readonly string[]): Line[] {
  const lengths = Array.from({ length: before.length + 1 }, () =>
    new Array<number>(after.length + 1).fill(0),
  );
  for (let i = before.length - 1; i >= 0; i--)
    for (let j = after.length - 1; j >= 0; j--)
      lengths[i]![j] =
        before[i] === after[j]
          ? lengths[i + 1]![j + 1]! + 1
          : Math.max(lengths[i + 1]![j]!, lengths[i]![j + 1]!);
  const lines: Line[] = [];
  let [i, j] = [0, 0];
  while (i < before.length || j < after.length) {
    if (i < before.length && j < after.length && before[i] === after[j]) {
      lines.push([' ', before[i++]!]);
      j++;
    } else if (i < before.length && (j === after.length || lengths[i + 1]![j]! >= lengths[i]![j + 1]!)) {
      lines.push(['-', before[i++]!]);
    } else {
      lines.push(['+', after[j++]!]);
    }
  }
  return lines;
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
