/** `web.urlencoded()`: parses the bodies of HTML forms, in UTF-8 or ISO-8859-1, flat unless nesting is enabled. */
import { createCharsetFormParser } from '@ristretto/private-engine/lib/charset-form';
import type { NextHandleFunction } from '@ristretto/private-engine/lib/types/body';
import type { OptionsUrlencoded5 } from '../types/body';
import { version } from '../version';

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
  return createCharsetFormParser(options, version);
}
