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
    linkMessages(app, req, res);
    req.next = next;
    next();
  } as unknown as RequestHandler;
}

/** Makes the two messages of a request the application's own, and lets each find the other. */
export function linkMessages(app: Application, req: Request, res: Response): void {
  req.res = res;
  res.req = req;
  serveNext(app, req);
  adopt(app, req, res);
  // the application's own prototype makes them when they are read
  if (!('locals' in res)) (res as Response).locals = Object.create(null) as Response['locals'];
}
