/** Reads the lines of source around a frame. */
import fs from 'node:fs';
import path from 'node:path';
import type { Place } from '../place';

/** Consecutive lines of a file. */
export interface Excerpt {
  lines: Line[];
}

interface Line {
  number: number;
  text: string;
  /** If it is the line of the place: the index of its column in `text`. */
  mark: number | undefined;
}

/** The number of lines shown before and after the marked one. */
const AROUND = 6;
/** Of a longer line, only the part around the column is shown. */
const LONGEST_LINE = 240;
/** Larger files are assumed to be generated. */
const LARGEST_FILE = 4 * 1024 * 1024;

/**
 * Names of source files. A stack is text, and may contain client input: only source files are opened, and none on
 * another machine.
 */
const SOURCE = /^(?![\\/]{2}).*[^\\/]\.(?:[cm]?[jt]sx?|coffee|vue|svelte|marko|civet)$/i;

/** Returns the lines around a place; undefined if the file does not exist or is not a source file. */
export function excerptOf({ file, line, column }: Place): Excerpt | undefined {
  const text = readSource(file);
  if (text === undefined) return undefined;
  const lines = linesAround(text, line);
  if (!lines.some(({ number }) => number === line)) return undefined;
  return {
    lines: lines.map(({ number, from, to }) => {
      const full = text.slice(from, to);
      if (number === line) return { number, ...partOf(full, Math.max(0, column - 1)) };
      return { number, ...partOf(full, 0), mark: undefined };
    }),
  };
}

/** Returns the trimmed line of a place; empty if it cannot be read. */
export function lineAt(place: Place | undefined): string {
  const excerpt = place && excerptOf(place);
  return excerpt?.lines.find(({ mark }) => mark !== undefined)?.text.trim() ?? '';
}

function readSource(file: string): string | undefined {
  if (!path.isAbsolute(file) || !SOURCE.test(file)) return undefined;
  try {
    const stats = fs.statSync(file);
    return stats.isFile() && stats.size <= LARGEST_FILE ? fs.readFileSync(file, 'utf8') : undefined;
  } catch {
    return undefined;
  }
}

/** Returns where the lines begin and end, without splitting the whole file. */
function linesAround(text: string, line: number): { number: number; from: number; to: number }[] {
  const lines = [];
  let from = 0;
  for (let number = 1; number <= line + AROUND && from <= text.length; number++) {
    const end = text.indexOf('\n', from);
    const to = end < 0 ? text.length : end;
    if (number >= line - AROUND) lines.push({ number, from, to });
    from = to + 1;
  }
  return lines;
}

/** Returns the part of a line that is shown, and the index of a character in it. */
function partOf(line: string, index: number): { text: string; mark: number } {
  const text = expandTabs(line.replace(/\r$/, ''));
  const mark = expandTabs(line.slice(0, index)).length;
  if (text.length <= LONGEST_LINE) return { text, mark };
  const from = Math.max(0, mark - LONGEST_LINE / 2);
  const part = text.slice(from, from + LONGEST_LINE);
  const before = from > 0 ? '…' : '';
  const after = from + LONGEST_LINE < text.length ? '…' : '';
  return { text: before + part + after, mark: before.length + mark - from };
}

function expandTabs(text: string): string {
  return text.replaceAll('\t', '  ');
}
