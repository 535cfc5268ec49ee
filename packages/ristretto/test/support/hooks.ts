/** Applications with hooks, for the tests of `res.onSend`. */
import { setTimeout as sleep } from 'node:timers/promises';
import web from 'ristretto';
import type { ErrorRequestHandler, RequestHandler, Response } from 'ristretto';

export type Hook = Parameters<Response['onSend']>[0];
export type Body = string | Buffer | undefined;
type App = ReturnType<typeof web>;

/** An application whose first middleware adds the hooks. */
export function hooked(...hooks: Hook[]): App {
  const app = web().set('env', 'test');
  return app.use((_req, res, next) => {
    for (const hook of hooks) res.onSend(hook);
    next();
  });
}

/** The same, with one handler for everything. */
export function answering(handler: RequestHandler, ...hooks: Hook[]): App {
  return hooked(...hooks).use(handler);
}

/** A hook that does the same, some time later. */
export const later = (hook: Hook): Hook =>
  async function (body, res) {
    await sleep(5);
    return hook.call(res, body, res);
  };

/** Shows in a header what a hook was given. */
export const show: Hook = (body, res) => {
  const text = typeof body === 'string' ? body : `<${Buffer.isBuffer(body) ? 'bytes' : String(body)}>`;
  res.set('X-Body', text.replace(/\s+/g, ' ').slice(0, 60));
};

/** Fails, if the request asks for it. */
export const fail: Hook = (_body, { req }) => {
  if (req.query.fail !== undefined) throw new Error('hook failed');
};

/** An error handler that says what it got. */
export const shown: ErrorRequestHandler = (error: Error, _req, res, next) => {
  if (res.headersSent) next(error);
  else res.status(500).send(`shown: ${error.message}`);
};
