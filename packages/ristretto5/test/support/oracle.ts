/** Express 5 as the oracle: the same application is built on both, and both must respond alike. */
import assert from 'node:assert/strict';
import { inspect } from 'node:util';
import express from 'express5';
import web from 'ristretto5';
import { ask } from '../../../engine/test/support/http.js';
import type { Answer, Ask } from '../../../engine/test/support/http.js';
import { withRedirectPolicy } from '../../../engine/test/support/redirect-policy.js';
import type { Comparison } from '../../../engine/test/support/oracle.js';
import { isHttp2, withoutFraming } from '../../../engine/test/support/transport.js';

export type Web = typeof web;
export type App = web.Application;
export type Build = (web: Web) => App;

export const frameworks: { ristretto5: Web; express5: Web } = {
  ristretto5: web,
  express5: express as unknown as Web,
};

// Deprecation notices have separate tests; with a listener, they are not printed.
process.on('deprecation', () => undefined);

/** Returns the parts that must be alike: everything except the framework's name, the date, and stacks. */
function comparable(answer: Answer, fields = answer.rawHeaders): object {
  const { status, reason, body } = answer;
  const text = body.toString('latin1');
  const hasStack = STACK.test(text);
  return {
    status,
    reason: isHttp2 ? '' : reason,
    headers: withoutFraming(fields).map(([name, value]) => {
      const isOurs = /^(x-powered-by|date)$/i.test(name) || (hasStack && /^content-length$/i.test(name));
      return isOurs ? name : `${name}: ${value}`;
    }),
    body: text.replace(STACK, ''),
  };
}

/** Stacks differ between packages. */
const STACK = /(<br> &nbsp; &nbsp;at .*)+/;

/** Builds the application on both, sends the request to each, asserts equal responses, and resolves with ours. */
export function same(build: Build, request: Ask | string = {}): Comparison<Answer> {
  return compare(build, request) as Comparison<Answer>;
}

async function compare(build: Build, request: Ask | string): Promise<Answer> {
  const ours = await ask(quiet(build(frameworks.ristretto5)), request);
  const theirs = await ask(quiet(build(frameworks.express5)), request);
  const { status, rawHeaders, text } = theirs;
  const fields = withRedirectPolicy({ status, fields: rawHeaders, body: text });
  assert.deepEqual(comparable(ours), comparable(theirs, fields), JSON.stringify(request));
  return ours;
}

/** Stops an application from logging errors. */
export function quiet(app: App): App {
  return app.set('env', 'test');
}

/** Returns an application that serves every request with one handler. */
export function serving(handler: web.RequestHandler, settings: Record<string, unknown> = {}): Build {
  return web => {
    const app = web();
    for (const [name, value] of Object.entries(settings)) app.set(name, value);
    return app.use(handler);
  };
}

/** Returns an application that responds with what a function reads from request and response, as text. */
export function looking(
  look: (req: web.Request, res: web.Response) => unknown,
  settings: Record<string, unknown> = {},
): Build {
  return serving(
    (req, res) => {
      const found = attempt(() => look(req, res));
      for (const name of res.getHeaderNames()) res.removeHeader(name);
      res.end(inspect(found, { depth: 6, breakLength: Infinity }));
    },
    { 'x-powered-by': false, ...settings },
  );
}

/** The text that ours adds to the error message for an invalid path. */
const ADVICE = /(?<=for info)\. (?:In|Paths of) Express 5.*$/;

/** Returns the result of a function, or the class, name and message of the error it throws. */
export function attempt(run: () => unknown): unknown {
  try {
    return run();
  } catch (error) {
    const { constructor, name, message } = error as Error;
    return { thrown: constructor.name, name, message: message.replace(ADVICE, '') };
  }
}

/** Asserts that a function gives the same result for both frameworks; returns ours. */
export function alike(look: (web: Web) => unknown): unknown {
  const ours = attempt(() => look(frameworks.ristretto5));
  const theirs = attempt(() => look(frameworks.express5));
  assert.deepEqual(inspect(ours, { depth: 6 }), inspect(theirs, { depth: 6 }));
  return ours;
}
