/** `web.urlencoded()`: parses the bodies of HTML forms, with the parser of 4.x. */
import { createParsers } from '@ristretto/private-engine/lib/body';
import type { NextHandleFunction, OptionsUrlencoded } from '@ristretto/private-engine/lib/types/body';
import { version } from '../version';

const { urlencoded: parseForm } = createParsers(version);

/**
 * Create middleware that parses bodies of `application/x-www-form-urlencoded` into `req.body`. Keys nest (`a[b]=c`)
 * unless `extended` is false; unlike 4.x, 3.x does not require that option.
 * @param options `extended`, `limit` (`'1mb'`), `parameterLimit` (1000), `depth` (32), `inflate`, `type` and `verify`
 * @default limit '1mb'
 * @default type 'application/x-www-form-urlencoded'
 * @throws TypeError for invalid options
 * @example
 * app.post('/', web.urlencoded({ limit: '10kb' }), (req, res) => res.send(req.body.user.name));
 * // POST / user[name]=Ada -> 200 Ada
 */
function urlencoded(options?: OptionsUrlencoded): NextHandleFunction {
  const { extended = true, limit = '1mb' } = options ?? {};
  return parseForm({ ...options, extended, limit });
}

export = urlencoded;
