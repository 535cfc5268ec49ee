/** Requests that consist only of headers, for both frameworks: thousands of cases without a server. */
import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import type { Request } from 'express';
import { Random } from './random.js';
import { frameworks } from './oracle.js';
import type { Web } from './oracle.js';

export type Fields = Record<string, string>;

/** What a member returns, or the error it throws as its class and message. */
type Outcome = { value: unknown } | { error: string };

function outcome(use: () => unknown): Outcome {
  try {
    return { value: use() };
  } catch (error) {
    return { error: String(error) };
  }
}

/** Returns a request that has only headers and the members of the framework's requests. */
export function fakeRequest(web: Web, fields: Fields): Request {
  const req = Object.create(web.request) as Request;
  req.headers = { ...fields };
  req.method = 'GET';
  return req;
}

/**
 * Uses a request with these headers on both frameworks, asserts the same outcome, and returns our value.
 *
 * @param expected asserts that this is the value
 */
export function alike(fields: Fields, use: (req: Request) => unknown, ...expected: [unknown?]): unknown {
  const ours = outcome(() => use(fakeRequest(frameworks.ristretto, fields)));
  const theirs = outcome(() => use(fakeRequest(frameworks.express, fields)));
  assert.deepEqual(ours, theirs, JSON.stringify(fields));
  if ('error' in ours) throw new Error(ours.error);
  if (expected.length > 0) assert.deepEqual(ours.value, expected[0], JSON.stringify(fields));
  return ours.value;
}

/** Like `alike`, but both must throw the same error; returns its class and message. */
export function alikeError(fields: Fields, use: (req: Request) => unknown): string {
  const ours = outcome(() => use(fakeRequest(frameworks.ristretto, fields)));
  const theirs = outcome(() => use(fakeRequest(frameworks.express, fields)));
  assert.deepEqual(ours, theirs, JSON.stringify(fields));
  assert.ok('error' in ours, 'nothing was thrown');
  return ours.error;
}

/** Generates many random cases and uses each on both frameworks; values and errors must be equal. */
export function manyAlike(
  count: number,
  make: (random: Random) => { fields: Fields; use: (req: Request) => unknown },
): void {
  const random = new Random(count);
  for (let at = 0; at < count; at++) {
    const { fields, use } = make(random);
    const ours = outcome(() => use(fakeRequest(frameworks.ristretto, fields)));
    const theirs = outcome(() => use(fakeRequest(frameworks.express, fields)));
    assert.deepEqual(ours, theirs, `case ${at}: ${JSON.stringify(fields)} ${use.toString()}`);
  }
}

/** Loads one of the oracle's modules, to be run as a black box. */
export function oracleModule(name: string): unknown {
  const fromHere = createRequire(__filename);
  return createRequire(fromHere.resolve('express'))(name);
}
