/** Express 4 as the oracle: the same application is built on both frameworks, and both must respond alike. */
import assert from 'node:assert/strict';
import express from 'express';
import web from 'ristretto';
import { ask } from './http.js';
import type { Answer, Ask } from './http.js';
import { withRedirectPolicy } from './redirect-policy.js';
import { isHttp2, withoutFraming } from './transport.js';

/** Both frameworks, with the oracle's type, because the interface is the same. */
export type Web = typeof express;

export const frameworks: { ristretto: Web; express: Web } = {
  ristretto: web as unknown as Web,
  express,
};

interface Comparable {
  status: number;
  reason: string;
  headers: string[];
  body: string;
}

/**
 * Returns the parts of a response to compare: all except the framework's name, the date, and what HTTP/2 cannot
 * express.
 */
export function comparable(answer: Answer, fields = answer.rawHeaders): Comparable {
  return {
    status: answer.status,
    reason: isHttp2 ? '' : answer.reason,
    headers: withoutFraming(fields).map(([name, value]) =>
      /^(x-powered-by|date)$/i.test(name) ? name : `${name}: ${value}`,
    ),
    body: answer.body.toString('latin1'),
  };
}

/** Returns what we should send, given the oracle's response. */
export function expected(theirs: Answer): Comparable {
  const { status, rawHeaders, text } = theirs;
  return comparable(theirs, withRedirectPolicy({ status, fields: rawHeaders, body: text }));
}

/**
 * Builds the application on both frameworks, sends the same request to each, asserts that the responses are equal, and
 * resolves with ours.
 */
export function same(build: (web: Web) => ReturnType<Web>, request: Ask | string = {}): Comparison<Answer> {
  return compare(build, request) as Comparison<Answer>;
}

async function compare(build: (web: Web) => ReturnType<Web>, request: Ask | string): Promise<Answer> {
  const ours = await ask(build(frameworks.ristretto), request);
  const theirs = await ask(build(frameworks.express), request);
  assert.deepEqual(comparable(ours), expected(theirs));
  return ours;
}

/** The type of a comparison that a test may return as is, or await for the response. */
export type Comparison<T> = Promise<void> & Promise<T>;
