/** `web.json()`, `web.raw()` and `web.text()`. */
import { makeJsonParser, makeRawParser, makeTextParser } from '@ristretto/private-engine/lib/body';
import type {
  NextHandleFunction,
  Options,
  OptionsJson,
  OptionsText,
} from '@ristretto/private-engine/lib/types/body';
import { express5 } from './dialect';

/**
 * Create middleware that parses JSON bodies into `req.body`; an empty body is `{}`.
 *
 * @param options `inflate`, `limit` (bytes, or text such as `'1mb'`; 100 KiB by default), `type`
 * (`'application/json'`), `verify`, `strict` (true: only objects and arrays) and `reviver` for `JSON.parse`
 * @throws TypeError for invalid options
 * @example app.post('/users', web.json({ limit: '10kb' }), (req, res) => res.json(req.body));
 */
export function json(options?: OptionsJson): NextHandleFunction {
  return makeJsonParser(options, express5);
}

/**
 * Create middleware that reads the decompressed bytes of a body into `req.body`.
 *
 * @param options `inflate`, `limit`, `type` (`'application/octet-stream'`) and `verify`
 * @throws TypeError for invalid options
 * @example app.post('/upload', web.raw({ type: 'image/*', limit: '5mb' }), save);
 */
export function raw(options?: Options): NextHandleFunction {
  return makeRawParser(options, express5);
}

/**
 * Create middleware that reads the text of a body into `req.body`.
 *
 * @param options `inflate`, `limit`, `type` (`'text/plain'`), `verify` and `defaultCharset` (`'utf-8'`) for bodies that
 * do not name theirs
 * @throws TypeError for invalid options
 * @example app.post('/notes', web.text({ defaultCharset: 'iso-8859-1' }), (req, res) => res.send(req.body));
 */
export function text(options?: OptionsText): NextHandleFunction {
  return makeTextParser(options, express5);
}
