/** A target of the fuzzer: a function of one text, with assertions that must hold for any text; and what targets share. */
import assert from 'node:assert/strict';
import http from 'node:http';
import { Readable } from 'node:stream';
import type { Request, Response } from 'express';

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

type Parser = (req: unknown, res: unknown, next: (error?: unknown) => void) => void;

export interface BodyError extends Error {
  status: number;
  type: string;
}

/** Returns the body parser's result for these bytes: `req.body`, or the error passed to `next`. */
export function bodyOf(
  parser: Parser,
  bytes: Buffer,
  headers: Record<string, string>,
): Promise<{ error?: BodyError; body?: unknown }> {
  let sent = false;
  const req = new Readable({
    read() {
      if (!sent && bytes.length > 0) this.push(bytes);
      this.push(null);
      sent = true;
    },
  }) as Readable & { headers: object; method: string; body?: unknown };
  req.headers = { 'content-length': String(bytes.length), ...headers };
  req.method = 'POST';
  return new Promise(resolve => {
    parser(req, {}, error => {
      resolve(error ? { error: error as BodyError } : { body: req.body });
    });
  });
}

/**
 * Asserts that a value consists only of those.
 * @param limits the maximum depth and array length
 */
export function assertPlain(value: unknown, limits: { depth: number; arrayLimit: number }, level = 0): void {
  if (typeof value === 'string' || value === undefined || value === null) return;
  assert.equal(typeof value, 'object');
  assert.ok(level <= limits.depth, `deeper than ${limits.depth}`);
  if (Array.isArray(value)) {
    assert.ok(value.length <= limits.arrayLimit, `an array of ${value.length}`);
    for (let at = 0; at < value.length; at++) assert.ok(at in value, 'a hole');
  } else {
    const prototype: unknown = Object.getPrototypeOf(value);
    assert.ok(prototype === Object.prototype || prototype === null, 'another prototype');
    assert.ok(prototype === null || !Object.hasOwn(value!, '__proto__'), 'a member __proto__');
  }
  for (const member of Object.values(value!)) assertPlain(member, limits, level + 1);
}

interface Prototypes {
  request: object;
  response: object;
}

/** Creates both. The response keeps its headers and discards its body. */
export function unsent(app: unknown, fields: Partial<Request> = {}): { req: Request; res: Response } {
  const { request, response } = app as Prototypes;
  const message = new http.IncomingMessage(undefined as never);
  message.method = 'GET';
  message.url = '/';
  const req = Object.setPrototypeOf(message, request) as Request;
  const res = Object.setPrototypeOf(new http.ServerResponse(message), response) as Response;
  Object.assign(req, { ...fields, res });
  res.req = req;
  return { req, res };
}
