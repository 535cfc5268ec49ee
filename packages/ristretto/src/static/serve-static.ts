/** `web.static`: middleware that serves the files below a directory. */
import type { Stats } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { resolve } from 'node:path';
import { loadMime } from '../protocol/mime';
import { pathnameOf } from '../protocol/url';
import type { Response } from '../types/core';
import type { HttpError, Mime, RequestHandlerConstructor, ServeStaticOptions } from '../types/files';
import { redirectToDirectory } from './directory-redirect';
import { FileAnswer } from './file-answer';
import { filePolicy } from './options';
import type { FilePolicy } from './options';
import { decodePath, isCanonical, locate } from './resolve';

type Next = (error?: HttpError) => void;
type SetHeaders = (res: ServerResponse, path: string, stats: Stats) => void;

interface StaticPolicy extends FilePolicy {
  readonly root: string;
  readonly fallthrough: boolean;
  readonly redirect: boolean;
  readonly redirectStatus: number;
  readonly setHeaders: SetHeaders | undefined;
}

function staticPolicy(root: unknown, options: unknown, redirectStatus: number): StaticPolicy {
  if (!root) throw new TypeError('root path required');
  if (typeof root !== 'string') throw new TypeError('root path must be a string');
  // Options may be inherited; what is neither an object nor nothing is refused here, in the runtime's words.
  const given = Object.create(options || null) as ServeStaticOptions;
  const { setHeaders } = given;
  if (setHeaders && typeof setHeaders !== 'function')
    throw new TypeError('option setHeaders must be function');
  return {
    ...filePolicy(given),
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

/** One request to the middleware. */
class StaticAnswer extends FileAnswer {
  private endsWithSlash = false;

  constructor(
    req: IncomingMessage,
    res: ServerResponse,
    readonly settings: StaticPolicy,
    private readonly next: Next,
  ) {
    super(req, res, settings);
    this.showsMissing = !settings.fallthrough;
  }

  start(): void {
    const path = this.requestedPath();
    const decoded = path === undefined ? undefined : decodePath(path);
    const file = decoded === undefined ? 400 : locate(decoded, this.settings.root, this.settings.dotfiles);
    if (typeof file === 'number') {
      this.fail(file);
      return;
    }
    this.endsWithSlash = path!.endsWith('/');
    this.send(file, this.endsWithSlash);
  }

  /**
   * The path below the place where the middleware is mounted, empty for that place without its slash; undefined for
   * a target that has none.
   */
  private requestedPath(): string | undefined {
    const url = this.req.url!;
    const originalUrl = this.originalUrl();
    const path = pathnameOf(url);
    const original = originalUrl === url ? path : pathnameOf(originalUrl);
    if (path === undefined || original === undefined) return undefined;
    // A guard may have let the request pass that it would have stopped under the file's own path. The whole of it
    // counts: mounting on `/a` takes both slashes of `/a//b` away.
    this.refusesFiles = !isCanonical(path) || (original !== path && !isCanonical(original));
    return path === '/' && !original.endsWith('/') ? '' : path;
  }

  private originalUrl(): string {
    return (this.req as { originalUrl?: string }).originalUrl || this.req.url!;
  }

  protected override addFields(stats: Stats): void {
    this.settings.setHeaders?.(this.res, this.path, stats);
  }

  protected override foundDirectory(): void {
    if (!this.settings.redirect || this.endsWithSlash) this.fail(404);
    else if (this.res.headersSent) this.failAfterHeaders();
    else redirectToDirectory(this.req, this.res, this.originalUrl(), this.settings.redirectStatus);
  }

  protected override failed(error: Error): void {
    const { status } = error as HttpError;
    if (this.settings.fallthrough && !this.isFound && status < 500) this.next();
    else this.next(error as HttpError);
  }
}

/**
 * Makes middleware that serves the files below `root`: for each request the one that the path names. Where there is
 * none, `next()` is called. Of two paths for the same file only the canonical one is served (see `isCanonical`).
 *
 * @param root the directory, absolute or relative to the working directory
 * @param options `maxAge` is in milliseconds, or text such as `'1 day'`
 * @throws TypeError when `root` is missing or not text, `setHeaders` not a function, or an option has no meaning
 * @example
 * app.use('/assets', web.static('public', { maxAge: '1 day' }));
 */
export const serveStatic = staticFactory(301);

/** `web.static` as above, with the status of its redirects to directories. */
export function staticFactory(redirectStatus: 301 | 303): RequestHandlerConstructor<Response> {
  const serveStatic = function serveStatic(root: string, options?: ServeStaticOptions<Response>) {
    const policy = staticPolicy(root, options, redirectStatus);
    // Tools look for middleware of this name.
    return function serveStatic(req: IncomingMessage, res: ServerResponse, next: Next): void {
      if (req.method === 'GET' || req.method === 'HEAD') new StaticAnswer(req, res, policy, next).start();
      else if (policy.fallthrough) next();
      else refuseMethod(res);
    };
  };
  return Object.defineProperty(serveStatic, 'mime', {
    configurable: true,
    enumerable: true,
    get: (): Mime => loadMime(),
  }) as unknown as RequestHandlerConstructor<Response>;
}
