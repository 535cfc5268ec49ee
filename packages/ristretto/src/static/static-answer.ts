/** One request to `web.static`: the file that its path names, or the next handler. */
import type { Stats } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { pathnameOf } from '../protocol/url';
import type { HttpError } from '../types/files';
import { FileAnswer } from './file-answer';
import type { FilePolicy } from './options';
import { directoryPath, redirectTo } from './redirect';
import { canonicalPath, decodePath, isCanonical, locate } from './resolve';

export type Next = (error?: HttpError) => void;
export type SetHeaders = (res: ServerResponse, path: string, stats: Stats) => void;

/** What the options of the middleware come to. */
export interface StaticPolicy extends FilePolicy {
  readonly root: string;
  readonly fallthrough: boolean;
  readonly redirect: boolean;
  readonly redirectStatus: number;
  readonly setHeaders: SetHeaders | undefined;
}

export class StaticAnswer extends FileAnswer {
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
    if (this.endsWithSlash) {
      this.fail(404);
      return;
    }
    const pathname = pathnameOf(this.originalUrl())!;
    const canonical = this.canonicalPath(pathname);
    this.redirect(canonical === undefined ? directoryPath(pathname) : canonical + '/');
  }

  protected override refusedFile(): void {
    const pathname = pathnameOf(this.originalUrl())!;
    const canonical = this.canonicalPath(pathname);
    const path = canonical !== undefined && this.endsWithSlash ? canonical + '/' : canonical;
    // Where only `req.url` is in another spelling, because it was rewritten, the redirect would lead to itself.
    if (!path || path === pathname) this.fail(404);
    else this.redirect(path);
  }

  private redirect(path: string): void {
    if (!this.settings.redirect) this.fail(404);
    else if (this.res.headersSent) this.failAfterHeaders();
    else redirectTo(this.req, this.res, path, this.originalUrl(), this.settings.redirectStatus);
  }

  /**
   * The path before mounting in its canonical spelling, without a slash at its end. It is undefined where there is none,
   * or where `req.url` was rewritten so that it does not end with the path below the mount: it may lead elsewhere then.
   */
  private canonicalPath(pathname: string): string | undefined {
    const canonical = canonicalPath(pathname);
    const below = canonicalPath(pathnameOf(this.req.url!)!);
    return below !== undefined && canonical?.endsWith(below) ? canonical : undefined;
  }

  protected override failed(error: Error): void {
    const { status } = error as HttpError;
    if (this.settings.fallthrough && !this.isFound && status < 500) this.next();
    else this.next(error as HttpError);
  }
}
