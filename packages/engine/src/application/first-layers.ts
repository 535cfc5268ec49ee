/** The first two layers of an application's router: `query` and `init`. */
import { queryParserWith } from '../protocol/query-string';
import type { ExtendedOptions } from '../protocol/query-string';
import { queryOf } from '../protocol/url';
import { adopt } from '../serving/adopt';
import { setField } from '../serving/fields';
import type { NextFunction, RequestHandler } from '../types/core';
import type { Application, Request, Response } from '../types/internals';
import type { QueryParser, QueryParserOptions } from '../types/query';

/**
 * Creates the first layer: middleware that sets `req.query`, parsed from the current URL. It is a plain property and parsed
 * immediately, even if no handler reads it: handlers assign, delete, copy and enumerate it, and errors thrown by an
 * application's own parser have to reach the error handlers.
 * @param options the parser as a function, or limits of the extended parser: `depth`, `arrayLimit`, `parameterLimit`
 * @throws TypeError for an option that the parser does not have
 * @example router.use(query())
 */
export const query = queryWith({});

/** Returns a function that creates this layer, with other limits by default. */
export function queryWith(
  defaults: ExtendedOptions,
): (options?: QueryParserOptions | QueryParser) => RequestHandler {
  return function query(options) {
    const parse =
      typeof options === 'function'
        ? options
        : queryParserWith('query()', options as ExtendedOptions, defaults);
    return function query(req, _res, next) {
      // `req.query` may already be set, for example by the parent application
      if (!(req as { query?: unknown }).query) req.query = parse(queryOf(req.url)!) as typeof req.query;
      next();
    };
  };
}

/**
 * Creates the second layer: middleware that attaches the request and the response to the application.
 * @param app the application whose prototypes, header and locals the request and response get
 */
export function init(app: Application): RequestHandler {
  const { settings } = app;
  return function expressInit(req: Request, res: Response, next: NextFunction) {
    if (settings['x-powered-by']) setField(res, 'x-powered-by', 'X-Powered-By', 'Ristretto');
    linkMessages(app, req, res);
    req.next = next;
    next();
  } as RequestHandler;
}

/** Attaches a request and its response to the application and to each other. */
export function linkMessages(app: Application, req: Request, res: Response): void {
  req.res = res;
  res.req = req;
  adopt(app, req, res);
  // The application's own prototype creates `locals` on first access
  if (!('locals' in res)) (res as Response).locals = Object.create(null) as Response['locals'];
}
