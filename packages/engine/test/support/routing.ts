/** Short forms for tests of routing: applications whose handlers record a trace, built on both frameworks. */
import type { ErrorRequestHandler, Request, RequestHandler } from 'express';
import { sameEach } from './compare.js';
import type { Answer, Ask } from './http.js';
import type { Comparison, Web } from './oracle.js';

type App = ReturnType<Web>;

/** What a handler sees of its place in the application. */
export function place(req: Request): string {
  return `${req.method} ${req.baseUrl}|${req.url}|${req.originalUrl}|${req.path} ${JSON.stringify(req.params)}`;
}

/** Middleware that appends a mark to the trace and calls `next`, with an error or 'route' if given. */
export function mark(name: string, pass?: unknown): RequestHandler {
  return (req, res, next) => {
    trace(res.locals).push(`${name} ${place(req)}`);
    next(pass);
  };
}

/** Like `mark`, for errors. */
export function markError(name: string, pass?: (err: unknown) => unknown): ErrorRequestHandler {
  return (err, req, res, next) => {
    trace(res.locals).push(`${name}! ${String(err)} ${place(req)}`);
    next(pass ? pass(err) : err);
  };
}

function trace(locals: Record<string, unknown>): string[] {
  return (locals.trace ??= []) as string[];
}

/** Builds an application that responds with the trace of its handlers, with the pending error at the end. */
export function tracing(build: (app: App, web: Web) => void): (web: Web) => App {
  return web => {
    const app = web();
    app.set('env', 'test');
    build(app, web);
    app.use((req, res) => {
      res.status(404).json({ trace: trace(res.locals), end: place(req) });
    });

    app.use(((err, req, res, _next) => {
      res.status(500).json({ trace: trace(res.locals), error: String(err), end: place(req) });
    }) as ErrorRequestHandler);
    return app;
  };
}

/** Sends each request to the application that `tracing` builds, on both frameworks, and asserts equal responses. */
export const sameTraces = (
  requests: readonly (Ask | string)[],
  build: (app: App, web: Web) => void,
): Comparison<Answer[]> => sameEach(tracing(build), requests);

/** A handler that responds with the trace. */
export const answer: RequestHandler = (req, res) => {
  res.json({ trace: trace(res.locals), end: place(req) });
};
