/**
 * The first layer of an application's router: sets `req.query`, parsed from the current URL.
 *
 * It is a plain property and parsed immediately, even if no handler reads it: handlers assign, delete, copy and
 * enumerate it, and errors thrown by an application's own parser have to reach the error handlers.
 */
import { queryParserWith } from '../protocol/query-string';
import type { ExtendedOptions } from '../protocol/query-string';
import { queryOf } from '../protocol/url';
import type { NextFunction, Request, RequestHandler } from '../types/core';
import type { QueryParser, QueryParserOptions } from '../types/query';

type Parse = QueryParser;

/**
 * Creates the middleware that sets `req.query`.
 * @param options the parser as a function, or limits of the extended parser: `depth`, `arrayLimit`, `parameterLimit`
 * @throws TypeError for an option that the parser does not have
 * @example router.use(query())
 */
function query(options?: QueryParserOptions | Parse): RequestHandler {
  const parse =
    typeof options === 'function' ? options : queryParserWith('query()', options as ExtendedOptions);
  return function query(req: Request, _res: unknown, next: NextFunction) {
    // `req.query` may already be set, for example by the parent application
    if (!(req as { query?: unknown }).query) req.query = parse(queryOf(req.url)!) as Request['query'];
    next();
  };
}

export = query;
