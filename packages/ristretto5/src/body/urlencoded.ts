/** `web.urlencoded()`: parses the bodies of HTML forms, in UTF-8 or ISO-8859-1, flat unless nesting is enabled. */
import {
  FORM,
  acceptsBody,
  charsetOf,
  createTypeFilter,
  extendedParser,
  passOn,
  prepareCharsets,
  read,
  readCommonOptions,
  unsupportedCharset,
} from '@ristretto/private-engine/lib/body';
import type { NextHandleFunction } from '@ristretto/private-engine/lib/types/body';
import type { OptionsUrlencoded5 } from '../types/body';
import { version } from '../version';
import { toUtf8 } from './form-charset';

/**
 * Create middleware that parses bodies of `application/x-www-form-urlencoded` into `req.body`.
 *
 * @param options `inflate`, `limit` (bytes, or text such as `'1mb'`; 100 KiB by default), `type`, `verify`, `extended`
 * (false; true: `a[b]=c` nests), `parameterLimit` (1000 parameters), `depth` (32 levels, if extended), `defaultCharset`
 * (`'utf-8'` or `'iso-8859-1'`), `charsetSentinel` and `interpretNumericEntities`
 * @throws TypeError for invalid options
 * @example
 * app.post('/login', web.urlencoded(), (req, res) => res.send(req.body.name));
 */
export function urlencoded(options?: OptionsUrlencoded5): NextHandleFunction {
  const given = options ?? {};
  const settings = readCommonOptions(given, FORM, version);
  const filter = createTypeFilter(settings);
  const parse = extendedParser(given, !given.extended);
  const defaultCharset = given.defaultCharset || 'utf-8';
  if (defaultCharset !== 'utf-8' && defaultCharset !== 'iso-8859-1') {
    throw new TypeError('option defaultCharset must be either utf-8 or iso-8859-1');
  }
  const parsers = {
    'utf-8': (text: string) => parse(toUtf8(text, 'utf-8', given)),
    'iso-8859-1': (text: string) => parse(toUtf8(text, 'iso-8859-1', given)),
  };

  prepareCharsets();

  return function urlencodedParser(req, res, next) {
    if (!acceptsBody(req, filter)) {
      passOn(req, next);
      return;
    }
    const charset = charsetOf(req.headers['content-type']) ?? defaultCharset;
    if (charset !== 'utf-8' && charset !== 'iso-8859-1') {
      next(unsupportedCharset(charset));
      return;
    }
    read(req, res, next, settings, parsers[charset], charset);
  };
}
