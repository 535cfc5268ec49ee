/** The first layer of an application's router: `req.query`, parsed when it is first read. */
import { captureQuery } from '../request/target';
import { compileQueryParser } from '../protocol/query-string';
import type { NextFunction, Request, RequestHandler } from '../types/core';
import type { QueryParserOptions } from '../types/query';

type Parse = (text: string) => object;

/**
 * Makes the middleware that gives a request its `query`.
 * @param options the parser as a function, or the options of the extended parser
 * @example router.use(query())
 */
function query(options?: QueryParserOptions | Parse): RequestHandler {
  const parse: Parse = typeof options === 'function' ? (options as Parse) : compileQueryParser('extended');
  return function query(req: Request, _res: unknown, next: NextFunction) {
    captureQuery(req, parse);
    next();
  } as unknown as RequestHandler;
}

export = query;
