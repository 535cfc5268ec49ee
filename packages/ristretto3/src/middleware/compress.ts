/** `web.compress()`: compresses responses and sets `Content-Encoding`, with the package compression. */
import type * as http from 'node:http';
import type * as zlib from 'node:zlib';
import type { Handler, Request } from './connect';

type Filter = (req: Request, res: http.ServerResponse) => boolean;

/**
 * Create middleware that compresses responses of 1 KiB and more, if the client accepts it and the content type is
 * compressible. Mount it before the handlers whose responses it compresses. `web.compress.filter` is the default
 * `filter`.
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
    /** Whether to compress a response. @default whether its content type is compressible */
    filter: Filter;
  }
  interface Options extends zlib.ZlibOptions {
    /** The size in bytes below which a response is not compressed. @default 1024 */
    threshold?: number | string | undefined;
    /** Whether to compress a response. @default whether its content type is compressible */
    filter?: Filter | undefined;
  }
}

export = compress;
