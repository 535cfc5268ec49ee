/** The second layer of an application's router: makes the request and the response the application's own. */
import { adopt } from '../http/adopt';
import { setField } from '../http/fields';
import { serveNext } from '../http1/serve';
import type { NextFunction, RequestHandler } from '../types/core';
import type { Application, Request, Response } from '../types/internals';

/**
 * Makes the middleware for an application.
 * @param app whose prototypes, header and locals the request and response get
 */
export function init(app: Application): RequestHandler {
  const { settings } = app;
  return function expressInit(req: Request, res: Response, next: NextFunction) {
    if (settings['x-powered-by']) setField(res, 'x-powered-by', 'X-Powered-By', 'Ristretto');
    req.res = res;
    res.req = req;
    req.next = next;
    serveNext(app, req);
    adopt(app, req, res);
    // the application's own prototype makes them when they are read
    if (!('locals' in res)) (res as Response).locals = Object.create(null) as Response['locals'];
    next();
  } as unknown as RequestHandler;
}
