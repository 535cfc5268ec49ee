/** Express 3 as the oracle: the same application is built on both and must answer alike. */
import assert from 'node:assert/strict';
import { inspect } from 'node:util';
import web from 'ristretto3';
import { ask } from '../../../ristretto/test/support/http.js';
import type { Answer, Ask } from '../../../ristretto/test/support/http.js';
import type { Told } from '../../../ristretto/test/support/told.js';
import { oracle, patched } from './connect-patch.js';

export type Web = typeof web;
export type App = web.Application;
export type Build = (web: Web) => App;

export const frameworks: { ristretto3: Web; express3: Web } = {
  ristretto3: web,
  express3: oracle as Web,
};

// Notices of deprecation have tests of their own; where somebody listens they are not printed.
process.on('deprecation', () => undefined);

/** What must be alike. The framework's name, the date, and the hash in an entity tag are not. */
export function comparable(answer: Answer): object {
  return {
    status: answer.status,
    headers: answer.rawHeaders
      // the one field that is ours alone: pages of errors and redirects allow nothing
      .filter(field => field.join() !== "Content-Security-Policy,default-src 'none'")
      .map(([name, value]) => `${name}: ${valueOf(name, value, answer.text)}`),
    body: answer.body.toString('latin1').replace(STACK, ''),
  };
}

/** Where an error comes from is the package's own affair. */
const STACK = /(<br> &nbsp; &nbsp;at .*)+/;

function valueOf(name: string, value: string, body: string): string {
  if (/^(x-powered-by|date)$/i.test(name)) return '';
  if (/^etag$/i.test(name)) return value.replace(/-.*/, '');
  if (/^content-length$/i.test(name) && STACK.test(body)) return '';
  return /^content-type$/i.test(name) ? value.replace('UTF-8', 'utf-8') : value;
}

/** Builds the application on both, sends the request to each, asserts equal answers, and resolves with ours. */
export function same(build: Build, request: Ask | string = {}): Told<Answer> {
  return compare(build, request) as Told<Answer>;
}

async function compare(build: Build, request: Ask | string): Promise<Answer> {
  const ours = await ask(quiet(build(frameworks.ristretto3)), request);
  const theirs = await patched(() => ask(quiet(build(frameworks.express3)), request));
  assert.deepEqual(comparable(ours), comparable(theirs), JSON.stringify(request));
  return ours;
}

/** Errors are not logged. */
export function quiet(app: App): App {
  return app.set('env', 'test');
}

/** An application that answers every request with one handler. */
export function answering(handler: web.RequestHandler, settings: Record<string, unknown> = {}): Build {
  return web => {
    const app = web();
    for (const [name, value] of Object.entries(settings)) app.set(name, value);
    return app.all('*', handler);
  };
}

/** An application that answers with what a function finds on request and response, as text. */
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

/** What a function finds for a request here, without the oracle. */
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

/** The answer of our application alone. */
export function ours(build: Build, request: Ask | string = {}): Promise<Answer> {
  return ask(quiet(build(web)), request);
}
