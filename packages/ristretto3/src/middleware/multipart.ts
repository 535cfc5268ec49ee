/** `web.multipart()`: parses the bodies of forms with files. */
import { deprecated } from '../deprecate';
import type { Handler } from './connect';
import type { MultipartOptions } from './multipart/options';
import { receiver } from './multipart/receive';

/**
 * Create middleware that parses bodies of `multipart/form-data`: sets `req.body` to the fields, writes files to a
 * temporary directory, and sets `req.files` to their descriptions. The files of a failed request are removed; the
 * application must move or remove all others, even those that it did not expect, so accept uploads only on the routes
 * that need them.
 *
 * Deprecated: use a parser from npm, such as multer, on the routes that accept uploads.
 *
 * @param options `limit` (`'100mb'`), `uploadDir` (the system's), `keepExtensions` (true), `hash` (none), `maxFields`
 * (1000), `maxFieldsSize` (2 MiB), `maxFiles` (1000), `maxFilesSize`, `defer` (false)
 * @throws TypeError for invalid options
 * @example
 * app.post('/photo', web.multipart({ limit: '5mb' }), (req, res) => res.send(req.files.photo.name));
 * // POST /photo (Content-Type: multipart/form-data; boundary=x)
 * //   --x\r\nContent-Disposition: form-data; name="photo"; filename="a.png"\r\n\r\n0123\r\n--x--\r\n
 * //   -> 200 a.png
 */
function multipart(options?: MultipartOptions): Handler {
  return receiver(options);
}

export = deprecated('multipart: use parser (multiparty, busboy, formidable) npm module instead', multipart);
