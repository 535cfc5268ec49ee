/** An application with `strict http`, `method not allowed` and the given handlers. */
import type { RequestHandler } from 'express';
import web from 'ristretto';

export type App = ReturnType<typeof web>;

export const strict = (...handlers: RequestHandler[]): App => {
  const app = web().set('env', 'test').enable('strict http').enable('method not allowed');
  for (const handler of handlers) app.use(handler as never);
  return app;
};
