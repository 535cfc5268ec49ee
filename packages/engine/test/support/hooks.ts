/** Applications with hooks, for the tests of `res.onSend`. */
import { setTimeout as sleep } from 'node:timers/promises';
import web from 'ristretto';
import type { ErrorRequestHandler, RequestHandler, Response } from 'ristretto';

export type Hook = Parameters<Response['onSend']>[0];
type App = ReturnType<typeof web>;

/** An application whose first middleware adds the hooks. */
export function hooked(...hooks: Hook[]): App {
  const app = web().set('env', 'test');
  return app.use((_req, res, next) => {
    for (const hook of hooks) res.onSend(hook);
    next();
  });
}

/** Like `hooked`, with one handler for everything. */
export function answering(handler: RequestHandler, ...hooks: Hook[]): App {
  return hooked(...hooks).use(handler);
}

/** Returns a hook that runs the given one a few milliseconds later. */
export const later = (hook: Hook): Hook =>
  async function (body, res) {
    await sleep(5);
    return hook.call(res, body, res);
  };

/** Sets a header that shows what the hook received. */
export const show: Hook = (body, res) => {
  const text = typeof body === 'string' ? body : `<${Buffer.isBuffer(body) ? 'bytes' : String(body)}>`;
  res.set('X-Body', text.replace(/\s+/g, ' ').slice(0, 60));
};

/** Throws if the request asks for it. */
export const fail: Hook = (_body, { req }) => {
  if (req.query.fail !== undefined) throw new Error('hook failed');
};

/** An error handler that sends the error's message. */
export const shown: ErrorRequestHandler = (error: Error, _req, res, next) => {
  if (res.headersSent) next(error);
  else res.status(500).send(`shown: ${error.message}`);
};
