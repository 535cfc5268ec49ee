/** The second layer of an application's router: attaches the request and the response to the application. */
import { adopt } from '../serving/adopt';
import { setField } from '../serving/fields';
import type { NextFunction, RequestHandler } from '../types/core';
import type { Application, Request, Response } from '../types/internals';

/**
 * Creates the middleware for an application.
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
