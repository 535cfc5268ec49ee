/** `web.static`: middleware that serves the files below a directory. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { resolve } from 'node:path';
import { deferred } from '../deferred';
import type * as directory from '../diagnose/directory';
import { reportsMistakes } from '../diagnose/development';
import { loadMime } from '../protocol/mime';
import type { Response } from '../types/core';
import type { Mime, RequestHandlerConstructor, ServeStaticOptions, StaticHandler } from '../types/files';
import { express4, filePolicy } from './options';
import type { FileManners } from './options';
import type * as staticAnswer from './static-answer';
import type { Next, SetHeaders, StaticPolicy } from './static-answer';

const directories = deferred(() => require('../diagnose/directory') as typeof directory, reportsMistakes);
const answers = deferred(() => require('./static-answer') as typeof staticAnswer);

function staticPolicy(
  root: unknown,
  options: unknown,
  redirectStatus: number,
  manners: FileManners,
): StaticPolicy {
  if (!root) throw new TypeError('root path required');
  if (typeof root !== 'string') throw new TypeError('root path must be a string');
  // Options may be inherited; `Object.create` throws for values that are neither objects nor falsy.
  const given = Object.create(options || null) as ServeStaticOptions;
  const { setHeaders } = given;
  if (setHeaders && typeof setHeaders !== 'function')
    throw new TypeError('option setHeaders must be function');
  return {
    ...filePolicy(given, manners),
    root: resolve(root),
    fallthrough: given.fallthrough !== false,
    redirect: given.redirect !== false,
    redirectStatus,
    setHeaders: (setHeaders as SetHeaders | undefined) || undefined,
  };
}

function refuseMethod(res: ServerResponse): void {
  res.statusCode = 405;
  res.setHeader('Allow', 'GET, HEAD');
  res.setHeader('Content-Length', '0');
  res.end();
}

/**
 * Creates middleware that serves the files below `root`: for each request, the file at its path. If there is none, it
 * calls `next()`. A file has one path: other spellings are redirected to it (see `isCanonical`).
 *
 * @param root the directory, absolute or relative to the working directory
 * @param options `maxAge` is in milliseconds, or a string such as `'1 day'`
 * @throws TypeError if `root` is missing or not a string, `setHeaders` is not a function, or an option is invalid
 * @example
 * app.use('/assets', web.static('public', { maxAge: '1 day' }));
 */
export const serveStatic = staticFactory(301);

/** Returns `web.static` with the given status for redirects to directories. */
export function staticFactory(redirectStatus: 301 | 303): RequestHandlerConstructor<Response> {
  return Object.defineProperty(plainFactory(redirectStatus, express4), 'mime', {
    configurable: true,
    enumerable: true,
    get: (): Mime => loadMime(),
  }) as unknown as RequestHandlerConstructor<Response>;
}

/** Returns `web.static` without a table of media types, for versions of Express without one. */
export function plainFactory(
  redirectStatus: 301 | 303,
  manners: FileManners,
): (root: string, options?: ServeStaticOptions<Response>) => StaticHandler<Response> {
  return function serveStatic(root: string, options?: ServeStaticOptions<Response>) {
    const policy = staticPolicy(root, options, redirectStatus, manners);
    if (reportsMistakes())
      directories().warnOfDirectory(policy.root, 'web.static()', 'RISTRETTO_STATIC_ROOT', true);
    const { StaticAnswer } = answers();
    // Tools look for middleware with this name.
    return function serveStatic(req: IncomingMessage, res: ServerResponse, next: Next): void {
      if (req.method === 'GET' || req.method === 'HEAD') new StaticAnswer(req, res, policy, next).start();
      else if (policy.fallthrough) next();
      else refuseMethod(res);
    };
  };
}
