/** `web.static`: middleware that serves the files below a directory. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { resolve } from 'node:path';
import { deferred } from '../deferred';
import type * as directory from '../dev/directory';
import { reportsMistakes } from '../report/development';
import type * as optionNames from '../dev/setting-names';
import { loadMime } from '../protocol/mime';
import type { Response } from '../types/core';
import type { Mime, RequestHandlerConstructor, ServeStaticOptions, StaticHandler } from '../types/files';
import type { FileVersion } from '../version';
import { checkMaxAge, filePolicy } from './file-options';
import type * as staticResponse from './static-response';
import type { Next, SetHeaders, StaticPolicy } from './static-response';

const directories = deferred(() => require('../dev/directory') as typeof directory, reportsMistakes);
const names = deferred(() => require('../dev/setting-names') as typeof optionNames, reportsMistakes);
const responses = deferred(() => require('./static-response') as typeof staticResponse);

function staticPolicy(root: unknown, options: unknown, version: FileVersion): StaticPolicy {
  if (!root) throw new TypeError('root path required');
  if (typeof root !== 'string') throw new TypeError('root path must be a string');
  // Options may be inherited; `Object.create` throws for values that are neither objects nor falsy.
  const given = Object.create(options || null) as ServeStaticOptions;
  const { setHeaders } = given;
  if (setHeaders && typeof setHeaders !== 'function')
    throw new TypeError('option setHeaders must be function');
  checkMaxAge(given);
  return {
    ...filePolicy(given, version),
    root: resolve(root),
    fallthrough: given.fallthrough !== false,
    redirect: given.redirect !== false,
    redirectStatus: version.files.redirectStatus,
    setHeaders: (setHeaders as SetHeaders | undefined) || undefined,
  };
}

function refuseMethod(res: ServerResponse): void {
  res.statusCode = 405;
  res.setHeader('Allow', 'GET, HEAD');
  res.setHeader('Content-Length', '0');
  res.end();
}

const OPTIONS = [
  ...['acceptRanges', 'cacheControl', 'dotfiles', 'etag', 'extensions', 'fallthrough', 'immutable', 'index'],
  ...[
    'lastModified',
    'maxAge',
    'maxage',
    'precompressed',
    'redirect',
    'setHeaders',
    'start',
    'end',
    'hidden',
  ],
];

/** The table of media types. */
const mimeProperty = { configurable: true, enumerable: true, get: (): Mime => loadMime() };

/** Returns `web.static`, with the table of media types if the version has one. */
export function createStatic(version: FileVersion): RequestHandlerConstructor<Response> {
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
  function serveStatic(root: string, options?: ServeStaticOptions<Response>): StaticHandler<Response> {
    const policy = staticPolicy(root, options, version);
    if (reportsMistakes()) {
      directories().warnOfDirectory(policy.root, 'web.static()', 'RISTRETTO_STATIC_ROOT', true);
      names().warnOfUnknownOption('web.static()', options, OPTIONS);
    }
    const { StaticResponse } = responses();
    // Tools look for middleware with this name.
    return function serveStatic(req: IncomingMessage, res: ServerResponse, next: Next): void {
      if (req.method === 'GET' || req.method === 'HEAD') new StaticResponse(req, res, policy, next).start();
      else if (policy.fallthrough) next();
      else refuseMethod(res);
    };
  }
  const { hasMime } = version.files;
  // In 4.x, `res.type` and files use this table; in 5.x, nothing does
  if (hasMime) deferred(loadMime);
  return Object.defineProperties(
    serveStatic,
    hasMime ? { mime: mimeProperty } : {},
  ) as RequestHandlerConstructor<Response>;
}
