/** Serves files: the interface of serve-static 2, with the file server of `ristretto5`. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { registeredTypeOfFile } from '@ristretto/private-engine/lib/protocol';
import { createStatic } from '@ristretto/private-engine/lib/static';
import type { FileVersion } from '@ristretto/private-engine/lib/version';

/** File handling as in Express 5: a name that starts with a dot is hidden anywhere in a path. */
const version: FileVersion = {
  requests: { tagDecides: true, hasStrictRanges: true },
  files: {
    dotfiles: 'ignore',
    knowsHidden: false,
    contentType: registeredTypeOfFile,
    tagsBySetting: true,
    redirectStatus: 301,
    hasMime: false,
  },
};

const create = createStatic(version) as unknown as (root: string, options?: object) => unknown;

/**
 * Returns middleware that serves the files below a directory.
 * @param root the directory, absolute or relative to the working directory
 * @param options all have defaults
 * @throws {TypeError} if the root or an option is invalid
 * @example app.use('/assets', serveStatic('public', { maxAge: '1 day' }));
 */
function serveStatic<R extends ServerResponse>(
  root: string,
  options?: serveStatic.ServeStaticOptions<R>,
): serveStatic.RequestHandler<R> {
  return create(root, options) as serveStatic.RequestHandler<R>;
}

// eslint-disable-next-line @typescript-eslint/no-explicit-any -- As in @types/serve-static, so that all frameworks fit
type Result = any;
type Next = (err?: Result) => void;

declare namespace serveStatic {
  interface ServeStaticOptions<R extends ServerResponse = ServerResponse> {
    /** Whether ranges of a file can be requested. @default true */
    acceptRanges?: boolean | undefined;
    /** Whether `Cache-Control` is sent. @default true */
    cacheControl?: boolean | undefined;
    /** What to do with names that start with a dot: `allow`, `deny` or `ignore`. @default 'ignore' */
    dotfiles?: string | undefined;
    /** @default true */
    etag?: boolean | undefined;
    /** Extensions to try if there is no such file. @default false */
    extensions?: string[] | false | undefined;
    /** Whether `next` is called without an error if there is no such file. @default true */
    fallthrough?: boolean | undefined;
    /** Whether `Cache-Control` has `immutable`. @default false */
    immutable?: boolean | undefined;
    /** The files of a directory to send for its path; false for none. @default 'index.html' */
    index?: boolean | string | string[] | undefined;
    /** @default true */
    lastModified?: boolean | undefined;
    /** In milliseconds, or as text such as `'1 day'`. @default 0 */
    maxAge?: number | string | undefined;
    /** Whether the path of a directory is redirected to the path with a slash. @default true */
    redirect?: boolean | undefined;
    /** Sets further headers. */
    // eslint-disable-next-line @typescript-eslint/no-explicit-any -- As in @types/serve-static
    setHeaders?: ((res: R, path: string, stat: any) => any) | undefined;
  }

  type RequestHandler<R extends ServerResponse> = (
    request: IncomingMessage,
    response: R,
    next: Next,
  ) => Result;

  type RequestHandlerConstructor<R extends ServerResponse> = (
    root: string,
    options?: ServeStaticOptions<R>,
  ) => RequestHandler<R>;
}

export = serveStatic;
