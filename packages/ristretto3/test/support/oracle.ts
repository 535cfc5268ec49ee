/** Express 3 as the oracle: the same application is built on both, and both must respond alike. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inspect } from 'node:util';
import web from 'ristretto3';
import type { ErrorRequestHandler, RequestHandler } from 'ristretto3/lib/types/core';
import { ask } from '../../../engine/test/support/http.js';
import type { Answer, Ask } from '../../../engine/test/support/http.js';
import type { Comparison } from '../../../engine/test/support/oracle.js';
import { oracle, patched } from './connect-patch.js';

export type Web = typeof web;
export type App = web.Application;
export type Build = (web: Web) => App;

export const frameworks: { ristretto3: Web; express3: Web } = {
  ristretto3: web,
  express3: oracle as Web,
};

// Deprecation notices have separate tests; with a listener, they are not printed.
process.on('deprecation', () => undefined);

/**
 * Returns the parts that must be alike: everything except the framework's name, the date, and the hash in an entity
 * tag.
 */
export function comparable(answer: Answer): object {
  return {
    status: answer.status,
    headers: answer.rawHeaders
      // This is the only header that ours alone sends, on error and redirect pages
      .filter(field => field.join() !== "Content-Security-Policy,default-src 'none'")
      .map(([name, value]) => `${name}: ${valueOf(name, value, answer.text)}`),
    body: answer.body.toString('latin1').replace(STACK, ''),
  };
}

/** Stacks differ between packages. */
const STACK = /(<br> &nbsp; &nbsp;at .*)+/;

function valueOf(name: string, value: string, body: string): string {
  if (/^(x-powered-by|date)$/i.test(name)) return '';
  if (/^etag$/i.test(name)) return value.replace(/-.*/, '');
  if (/^content-length$/i.test(name) && STACK.test(body)) return '';
  return /^content-type$/i.test(name) ? value.replace('UTF-8', 'utf-8') : value;
}

/** Builds the application on both, sends the request to each, asserts equal responses, and resolves with ours. */
export function same(build: Build, request: Ask | string = {}): Comparison<Answer> {
  return compare(build, request) as Comparison<Answer>;
}

async function compare(build: Build, request: Ask | string): Promise<Answer> {
  const ours = await ask(quiet(build(frameworks.ristretto3)), request);
  const theirs = await patched(() => ask(quiet(build(frameworks.express3)), request));
  assert.deepEqual(comparable(ours), comparable(theirs), JSON.stringify(request));
  return ours;
}

/** Stops an application from logging errors. */
export function quiet(app: App): App {
  return app.set('env', 'test');
}

/** Returns an application that responds to every request with one handler. */
export function answering(handler: web.RequestHandler, settings: Record<string, unknown> = {}): Build {
  return web => {
    const app = web();
    for (const [name, value] of Object.entries(settings)) app.set(name, value);
    return app.all('*', handler);
  };
}

/** Returns an application that responds with what a function reads from request and response, as text. */
export function looking(
  look: (req: web.Request, res: web.Response) => unknown,
  settings: Record<string, unknown> = {},
): Build {
  return answering((req, res) => {
    const found = look(req, res);
    for (const name of res.getHeaderNames()) res.removeHeader(name);
    res.end(inspect(found, { depth: 6, breakLength: Infinity }));
  }, settings);
}

/** Headers of a request, and the text that must be read from it, if it is not enough that both read the same. */
export type Read = [headers: Record<string, string>, text?: string];

/** Registers a test: a function reads the same from requests with these headers on both frameworks. */
export function reads(
  title: string,
  look: (req: web.Request) => unknown,
  cases: Read[],
  request: Ask = {},
  settings: Record<string, unknown> = {},
): void {
  test(title, async () => {
    for (const [headers, expected] of cases) {
      const { text } = await same(looking(look, settings), { ...request, headers });
      if (expected !== undefined) assert.equal(text, expected, JSON.stringify(headers));
    }
  });
}

/** Returns what a function reads from a request on ours, without the oracle. */
export async function found(
  look: (req: web.Request, res: web.Response) => unknown,
  request: Ask | string = {},
  settings: Record<string, unknown> = {},
): Promise<unknown> {
  let value: unknown;
  const build = answering((req, res) => {
    value = look(req, res);
    res.end();
  }, settings);
  await ask(quiet(build(web)), request);
  return value;
}

/** Returns the response of our application alone. */
export function ours(build: Build, request: Ask | string = {}): Promise<Answer> {
  return ask(quiet(build(web)), request);
}

/** Returns a build that adds to a new application. */
export const adding =
  (add: (app: App, web: Web) => unknown): Build =>
  web => {
    const app = web();
    add(app, web);
    return app;
  };

/**
 * Registers a test: both frameworks respond alike to each request, and ours with this text or status.
 * @param expected texts or statuses by `/path` or `METHOD /path`
 * @param send {@link ours} where Express 3 responds differently
 */
export function serves(
  title: string,
  add: (app: App, web: Web) => unknown,
  expected: Record<string, string | number>,
  send: (build: Build, request: Ask) => PromiseLike<Answer> = same,
): void {
  test(title, async () => {
    for (const [request, value] of Object.entries(expected)) {
      const [path, method = 'GET'] = request.split(' ').reverse();
      const { status, text } = await send(adding(add), { method, path: path! });
      assert.equal(typeof value === 'number' ? status : text, value, request);
    }
  });
}

/** Gives a function the type of a handler: app.use() accepts too much for the types of parameters to be inferred. */
export const on = (handler: RequestHandler): RequestHandler => handler;
export const onError = (handler: ErrorRequestHandler): ErrorRequestHandler => handler;

/** Passes the request on. */
export const pass: RequestHandler = (_req, _res, next) => next();

/** Passes an error on. */
export const failing: RequestHandler = (_req, _res, next) => next(new Error('broken'));

/** Returns a handler that responds with a text. */
export const respond =
  (text: string): RequestHandler =>
  (_req, res) =>
    res.send(text);

/** Returns an error handler that responds with a text and the error's message. */
export const caught =
  (text: string): ErrorRequestHandler =>
  (err, _req, res, _next) =>
    res.send(`${text}: ${(err as Error).message}`);

/** Returns a handler that passes the request on after adding a text to `req.session`. */
export const note =
  (text: string): RequestHandler =>
  (req, _res, next) => {
    req.session = [...((req.session as string[] | undefined) ?? []), text];
    next();
  };

/** Responds with the texts that were added. */
export const noted: RequestHandler = (req, res) => res.send(String(req.session));
