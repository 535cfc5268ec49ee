/** `web.bodyParser()`: the parsers of JSON, of forms, and of forms with files, one after the other. */
import type { OptionsJson, OptionsUrlencoded } from '@ristretto/private-engine/lib/types/body';
import type { Handler } from './connect';
import json = require('./json');
import multipart = require('./multipart');
import type { MultipartOptions } from './multipart/options';
import urlencoded = require('./urlencoded');

/**
 * Create middleware that parses JSON bodies, forms, and forms with files into `req.body` and `req.files`.
 *
 * Deprecated: use `web.json()` and `web.urlencoded()`, and a parser from npm, such as multer, for files.
 * @param options those of `web.json()`, `web.urlencoded()` and `web.multipart()`; all of them are passed to each
 * @throws TypeError for invalid options
 * @example
 * app.use(web.bodyParser());
 * app.post('/', (req, res) => res.send(req.body.name));
 * // POST / {"name":"Ada"} -> 200 Ada
 * // POST / name=Ada -> 200 Ada
 */
function bodyParser(options?: OptionsJson & OptionsUrlencoded & MultipartOptions): Handler {
  const parseJson = json(options);
  const parseForm = urlencoded(options);
  const parseUpload = multipart(options);
  return function bodyParser(req, res, next) {
    parseJson(req, res, error => {
      if (error) next(error);
      else parseForm(req, res, formError => (formError ? next(formError) : parseUpload(req, res, next)));
    });
  };
}

export = bodyParser;
