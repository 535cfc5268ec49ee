/** `web.raw()`: bodies as a Buffer. */
import type { NextHandleFunction, Options } from '../types/body';
import { acceptsBody, createTypeFilter, passOn } from './accept-body';
import { express4 } from './dialect';
import type { Dialect } from './dialect';
import { readCommonOptions } from './options';
import { read } from './read';

/**
 * Middleware that puts the bytes of a body, inflated, into `req.body`. Mirrors `raw` of body-parser 1.20.
 *
 * @param options - `inflate`, `limit` (bytes, or a string such as `'1mb'`; 100 KiB by default), `type`
 * (`'application/octet-stream'`) and `verify`.
 * @throws TypeError for invalid options.
 * @example
 * app.post('/upload', web.raw({ type: 'image/*', limit: '5mb' }), (req, res) => res.send(String(req.body.length)));
 */
export function raw(options?: Options): NextHandleFunction {
  return makeRawParser(options, express4);
}

/** Creates the middleware for a version of the API. */
export function makeRawParser(options: Options | undefined, dialect: Dialect): NextHandleFunction {
  const settings = readCommonOptions(options ?? {}, 'application/octet-stream', dialect);
  const filter = createTypeFilter(settings);

  return function rawParser(req, res, next) {
    if (acceptsBody(req, filter)) read(req, res, next, settings, asIs, null);
    else passOn(req, next);
  };
}

function asIs(body: Buffer): Buffer {
  return body;
}
