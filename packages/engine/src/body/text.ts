/** `web.text()`: bodies as a string. */
import type { NextHandleFunction, OptionsText } from '../types/body';
import { acceptsBody, createTypeFilter, passOn } from './accept-body';
import { charsetOf, prepareTables } from './charset';
import { express4 } from './dialect';
import type { Dialect } from './dialect';
import { readCommonOptions } from './options';
import { read } from './read';

/**
 * Middleware that puts the text of a body into `req.body`. Mirrors `text` of body-parser 1.20.
 *
 * @param options - `inflate`, `limit` (bytes, or a string such as `'1mb'`; 100 KiB by default), `type`
 * (`'text/plain'`), `verify` and `defaultCharset` (`'utf-8'`) for bodies that do not declare a charset.
 * @throws TypeError for invalid options.
 * @example
 * app.post('/notes', web.text({ defaultCharset: 'iso-8859-1' }), (req, res) => res.send(req.body));
 */
export function text(options?: OptionsText): NextHandleFunction {
  return makeTextParser(options, express4);
}

/** Creates the middleware for a version of the API. */
export function makeTextParser(options: OptionsText | undefined, dialect: Dialect): NextHandleFunction {
  const settings = readCommonOptions(options ?? {}, 'text/plain', dialect);
  const filter = createTypeFilter(settings);
  const defaultCharset = options?.defaultCharset || 'utf-8';
  if (typeof defaultCharset !== 'string') {
    throw new TypeError(`option defaultCharset must be a string, not "${String(defaultCharset)}"`);
  }

  prepareTables();

  return function textParser(req, res, next) {
    if (!acceptsBody(req, filter)) {
      passOn(req, next);
      return;
    }
    read(req, res, next, settings, asIs, charsetOf(req.headers['content-type']) ?? defaultCharset);
  };
}

function asIs(body: string): string {
  return body;
}
