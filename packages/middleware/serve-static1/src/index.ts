/** Serves files: the interface of serve-static 1, with the file server of `ristretto`. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { loadMime, typeOfFile } from '@ristretto/private-engine/lib/protocol';
import { createStatic } from '@ristretto/private-engine/lib/static';
import type { FileVersion } from '@ristretto/private-engine/lib/version';

/** File handling as in Express 4: uses the table of the package `mime`, which programs may extend. */
const version: FileVersion = {
  requests: { tagDecides: false, hasStrictRanges: false },
  files: {
    dotfiles: 'ignore-files',
    knowsHidden: true,
    contentType: typeOfFile,
    tagsBySetting: false,
    redirectStatus: 301,
    hasMime: true,
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

Object.defineProperty(serveStatic, 'mime', {
  configurable: true,
  enumerable: true,
  get: loadMime,
});

// eslint-disable-next-line @typescript-eslint/no-explicit-any -- As in @types/serve-static, so that all frameworks fit
type Result = any;
type Next = (err?: Result) => void;

declare namespace serveStatic {
  /** The table of media types, which programs may extend. */
  const mime: ReturnType<typeof loadMime>;

  interface ServeStaticOptions<R extends ServerResponse = ServerResponse> {
    /** Whether ranges of a file can be requested. @default true */
    acceptRanges?: boolean | undefined;
    /** Whether `Cache-Control` is sent. @default true */
    cacheControl?: boolean | undefined;
    /** What to do with names that start with a dot: `allow`, `deny` or `ignore`. @default files in directories that start with a dot are sent */
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

  interface RequestHandlerConstructor<R extends ServerResponse> {
    (root: string, options?: ServeStaticOptions<R>): RequestHandler<R>;
    mime: ReturnType<typeof loadMime>;
  }
}

// Node.js finds the name for `import { mime } from` by reading this text; the last line replaces the value.
module.exports = { mime: undefined };

export = serveStatic;
