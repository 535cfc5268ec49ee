/** What is fuzzed: a function of one text, with all that must be true whatever the text is. */
import assert from 'node:assert/strict';

export interface Target {
  /** Texts to begin with: each leads somewhere that chance alone would not find soon. */
  seeds: string[];
  /** Pieces that mean something to what is fuzzed. */
  dictionary: string[];
  /** What single characters are made of; `latin1` by default, as in header fields. */
  characters?: 'latin1' | 'unicode';
  /** Longest text, 600 by default. */
  maxLength?: number;
  /** Most milliseconds that a text may take, 30 by default. */
  limit?: number;
  /** Uses the text, and throws where something is not as it must be. */
  run: (text: string) => void | Promise<void>;
  /** Closes what was opened for all the runs. */
  close?: () => void | Promise<void>;
}

/** Error classes that mean a mistake in the program, whatever the input was. */
const BUGS = [ReferenceError, EvalError];

/**
 * Calls a function that may refuse its input, but only in the way it says.
 *
 * @param use the call
 * @param isRefusal whether an error is the refusal that is promised
 * @returns the result, or undefined where it was refused
 */
export function allowing<T>(use: () => T, isRefusal: (error: Error) => boolean): T | undefined {
  try {
    return use();
  } catch (error) {
    if (!(error instanceof Error) || BUGS.some(bug => error instanceof bug) || !isRefusal(error)) throw error;
    return undefined;
  }
}

/** What a call gives, or its error as class and message: for comparison with a reference. */
export function outcomeOf(use: () => unknown): { value: unknown } | { error: string } {
  try {
    return { value: use() };
  } catch (error) {
    return { error: String(error) };
  }
}

/** The parts of a text at its line ends, at least so many. */
export function partsOf(text: string, count: number): string[] {
  const parts = text.split('\n', count);
  while (parts.length < count) parts.push('');
  return parts;
}

/** The text as it can stand in a header field: the runtime refuses all others. */
export function fieldOf(text: string): string {
  return text.replace(/[\0\r\n]/g, '').trim();
}

/** Asserts that two values are deeply the same; nearly always they are, which their JSON tells much sooner. */
export function assertSame(actual: unknown, expected: unknown): void {
  if (JSON.stringify(actual) !== JSON.stringify(expected)) assert.deepEqual(actual, expected);
}
