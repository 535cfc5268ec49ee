/** Handles a request to `web.static`: sends the file at its path, or calls the next handler. */
import type { Stats } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { pathnameOf } from '../protocol/url';
import type { HttpError } from '../types/files';
import { FileResponse } from './file-response';
import type { FilePolicy } from './file-options';
import { directoryPath, redirectTo } from './redirect';
import { canonicalPath, decodePath, isCanonical, locate } from './resolve';

export type Next = (error?: HttpError) => void;
export type SetHeaders = (res: ServerResponse, path: string, stats: Stats) => void;

/** The evaluated options of the middleware. */
export interface StaticPolicy extends FilePolicy {
  readonly root: string;
  readonly fallthrough: boolean;
  readonly redirect: boolean;
  readonly redirectStatus: number;
  readonly setHeaders: SetHeaders | undefined;
}

export class StaticResponse extends FileResponse {
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
   * Returns the path below the mount path: empty for the mount path without its slash, undefined for a target without a
   * path.
   */
  private requestedPath(): string | undefined {
    const url = this.req.url!;
    const originalUrl = this.originalUrl();
    const path = pathnameOf(url);
    const original = originalUrl === url ? path : pathnameOf(originalUrl);
    if (path === undefined || original === undefined) return undefined;
    // A guard that protects the file's own path may have let this spelling pass. Compares the whole path, because
    // mounting on `/a` removes both slashes of `/a//b`.
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
    // If `req.url` was rewritten and only it has another spelling, the redirect would lead to itself.
    if (!path || path === pathname) this.fail(404);
    else this.redirect(path);
  }

  private redirect(path: string): void {
    if (!this.settings.redirect) this.fail(404);
    else if (this.res.headersSent) this.failAfterHeaders();
    else redirectTo(this.req, this.res, path, this.originalUrl(), this.settings.redirectStatus);
  }

  /**
   * Returns the path before mounting in its canonical spelling, without a trailing slash. Undefined if there is none,
   * or if `req.url` was rewritten so that the path does not end with the path below the mount: it may then lead
   * elsewhere.
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
