/** A target of the fuzzer: a function of one text, with assertions that must hold for any text. */
import assert from 'node:assert/strict';

export interface Target {
  /** The first texts: each reaches code that random mutation would not reach soon. */
  seeds: string[];
  /** Strings with a meaning for the target. */
  dictionary: string[];
  /** The set of single characters; `latin1` by default, as in headers. */
  characters?: 'latin1' | 'unicode';
  /** The maximum length of a text, 600 by default. */
  maxLength?: number;
  /** The maximum time for a text in milliseconds, 30 by default. */
  limit?: number;
  /** How much longer than with most targets a text takes, 1 by default: limits of executions are divided by it. */
  cost?: number;
  /** Uses the text, and throws if an assertion fails. */
  run: (text: string) => void | Promise<void>;
  /** Closes what was opened for all runs. */
  close?: () => void | Promise<void>;
}

/** Error classes that indicate a bug, whatever the input was. */
const BUGS = [ReferenceError, EvalError];

/**
 * Calls a function that may reject its input, but only with the expected errors.
 *
 * @param use the call
 * @param isRefusal whether an error is an expected one
 * @returns the result, or undefined if the input was rejected
 */
export function allowing<T>(use: () => T, isRefusal: (error: Error) => boolean): T | undefined {
  try {
    return use();
  } catch (error) {
    if (!(error instanceof Error) || BUGS.some(bug => error instanceof bug) || !isRefusal(error)) throw error;
    return undefined;
  }
}

/** Returns the result of a call, or its error as class and message, for comparison with a reference. */
export function outcomeOf(use: () => unknown): { value: unknown } | { error: string } {
  try {
    return { value: use() };
  } catch (error) {
    return { error: String(error) };
  }
}

/** Returns the lines of a text, padded with empty ones to `count`. */
export function partsOf(text: string, count: number): string[] {
  const parts = text.split('\n', count);
  while (parts.length < count) parts.push('');
  return parts;
}

/** Returns the text as a valid header value, because Node rejects all others. */
export function fieldOf(text: string): string {
  return text.replace(/[\0\r\n]/g, '').trim();
}

/** Asserts deep equality; compares the JSON first, which is much faster and nearly always equal. */
export function assertSame(actual: unknown, expected: unknown): void {
  if (JSON.stringify(actual) !== JSON.stringify(expected)) assert.deepEqual(actual, expected);
}
