/** `web.multipart()`: the bodies of forms with files. */
import { deprecated } from '../deprecate';
import type { Handler } from './connect';
import type { MultipartOptions } from './multipart/options';
import { receiver } from './multipart/receive';

/**
 * Middleware that parses bodies of `multipart/form-data`: fields go to `req.body`, files to a temporary place and
 * their descriptions to `req.files`. Files of a request that fails are removed; all others are the application's to
 * move or remove, also those that it did not ask for, which is why uploads should be taken only where they are meant.
 *
 * Deprecated: use a parser from npm, such as multer, on the routes that take uploads.
 *
 * @param options `limit` (`'100mb'`), `uploadDir` (the system's), `keepExtensions` (true), `hash` (none), `maxFields`
 *   (1000), `maxFieldsSize` (2 MiB), `maxFiles` (1000), `maxFilesSize`, `defer` (false)
 * @throws TypeError for options that can't be meant
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
