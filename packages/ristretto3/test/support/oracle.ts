/** Express 3 as the oracle: the same application is built on both, and both must respond alike. */
import assert from 'node:assert/strict';
import { inspect } from 'node:util';
import web from 'ristretto3';
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
