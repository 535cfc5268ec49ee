/** Chains of middleware, built the same way from ours and from the oracle, Express 3. */
import assert from 'node:assert/strict';
import type * as http from 'node:http';
import { createRequire } from 'node:module';
import os from 'node:os';
import type { Handler, ErrorHandler, Next, Request } from 'ristretto3/lib/middleware/connect';
import { askPort, withServer } from '../../../engine/test/support/http.js';
import type { Answer, Ask } from '../../../engine/test/support/http.js';
import type { Comparison } from '../../../engine/test/support/oracle.js';
import type { Middleware } from 'ristretto3/lib/middleware';
import { oracle as expressThree, patched } from './connect-patch.js';

const load = createRequire(__filename);

/** The middleware by name. */
export type Web = Middleware;

/** Our middleware, each loaded on first access. */
export const web = new Proxy({} as Web, {
  get: (_target, name) => load(`ristretto3/lib/middleware/${String(name)}`) as unknown,
});

/** The oracle calls this function, which Node has removed. */
Object.assign(os, { tmpDir: os.tmpdir });
export const oracle = expressThree as Web;

/** Accepts any arguments, as in JavaScript. */
export function loose(member: unknown): (...args: unknown[]) => Handler {
  return member as (...args: unknown[]) => Handler;
}

type Link = Handler | ErrorHandler;

/**
 * Calls handlers one after the other. Responds with 404 if none does, and to errors with their status, message and
 * code.
 */
export function chain(...links: Link[]): (req: http.IncomingMessage, res: http.ServerResponse) => void {
  return (req, res) => {
    let at = 0;
    const next: Next = error => {
      const link = links[at++];
      if (link === undefined) {
        finish(res, error);
        return;
      }
      try {
        if (link.length === 4 && error) (link as ErrorHandler)(error, req, res, next);
        else if (link.length < 4 && !error) (link as Handler)(req, res, next);
        else next(error);
      } catch (thrown) {
        next(thrown);
      }
    };
    next();
  };
}

function finish(res: http.ServerResponse, error: unknown): void {
  if (res.headersSent) {
    res.destroy();
    return;
  }
  const {
    status = 500,
    message,
    code,
  } = (error ?? { status: 404 }) as { status?: number; message?: string; code?: string };
  res.statusCode = status;
  res.end(error ? `${String(status)} ${String(message)} ${String(code)}` : 'end of the chain');
}

/** Responds with what is read from the request, as JSON. */
export function show(read: (req: Request & Record<string, unknown>) => unknown): Handler {
  return (req, res) =>
    void res.end(JSON.stringify(read(req as Request & Record<string, unknown>)) ?? 'undefined');
}

/** Adds members to the request, as other middleware would. */
export function given(members: object): Handler {
  return (req, _res, next) => {
    Object.assign(req, members);
    next();
  };
}

export interface Differences {
  /** Headers, in lower case, that are not compared, for example because only one side has them. */
  fields?: string[];
  /** Whether to ignore bodies and their lengths. */
  body?: boolean;
}

function comparable(answer: Answer, differences: Differences): object {
  const ignored = ['date', ...(differences.body ? ['content-length'] : []), ...(differences.fields ?? [])];
  return {
    status: answer.status,
    headers: answer.rawHeaders.filter(([name]) => !ignored.includes(name.toLowerCase())),
    body: differences.body ? undefined : answer.body.toString('latin1'),
  };
}

/** Sends the requests one after the other to one server; resolves with the responses. */
export async function askAll(links: Link[], requests: readonly (Ask | string)[]): Promise<Answer[]> {
  return withServer(chain(...links), async port => {
    const answers: Answer[] = [];
    for (const request of requests) answers.push(await askPort(port, request));
    return answers;
  });
}

/** Builds the chain from ours and from the oracle's, asserts that all responses are alike, and resolves with ours. */
export function sameEach(
  build: (web: Web) => Link[],
  requests: readonly (Ask | string)[],
  differences: Differences = {},
): Comparison<Answer[]> {
  return compareEach(build, requests, differences) as Comparison<Answer[]>;
}

async function compareEach(
  build: (web: Web) => Link[],
  requests: readonly (Ask | string)[],
  differences: Differences,
): Promise<Answer[]> {
  const ours = await askAll(build(web), requests);
  const theirs = await patched(() => askAll(build(oracle), requests));
  requests.forEach((request, index) => {
    assert.deepEqual(
      comparable(ours[index]!, differences),
      comparable(theirs[index]!, differences),
      JSON.stringify(request).slice(0, 500),
    );
  });
  return ours;
}

/** A POST request with a body of the given type. */
export function post(type: string, body: string | Buffer, rest: Ask = {}): Ask {
  return { method: 'POST', ...rest, headers: { 'Content-Type': type, ...rest.headers }, body };
}

export const postJson = (value: unknown, rest?: Ask): Ask =>
  post('application/json', JSON.stringify(value), rest);

// Notices have tests of their own; with a listener, they are not printed.
process.on('deprecation' as never, () => undefined);
