/** `web.compress()`: answers with `Content-Encoding`, by the package compression. */
import type * as http from 'node:http';
import type * as zlib from 'node:zlib';
import type { Handler, Request } from './connect';

type Filter = (req: Request, res: http.ServerResponse) => boolean;

/**
 * Middleware that compresses answers of 1 KiB and more, for clients that take it and types that gain by it. It
 * stands in front of what it is to compress. `web.compress.filter` is the default `filter`.
 *
 * @param options `threshold` (bytes, or text such as `'1kb'`), `filter(req, res)`, and those of zlib, such as `level`
 * @example
 * app.use(web.compress());
 * app.get('/', (req, res) => res.send('Hello '.repeat(1000)));
 * // GET / (Accept-Encoding: gzip) -> 200 (Content-Encoding: gzip) (Vary: Accept-Encoding)
 */
const compress = require('compression') as compress.Make;

declare namespace compress {
  interface Make {
    (options?: Options): Handler;
    /** Whether a response is to be compressed. @default whether its type gains by compression */
    filter: Filter;
  }
  interface Options extends zlib.ZlibOptions {
    /** What is shorter goes out as it is. @default 1024 */
    threshold?: number | string | undefined;
    /** Whether a response is to be compressed. @default whether its type gains by compression */
    filter?: Filter | undefined;
  }
}

export = compress;
