/** `web.urlencoded()`: the bodies of HTML forms, by the parser of the 4.x interface. */
import body = require('ristretto/lib/body/urlencoded');
import type { NextHandleFunction, OptionsUrlencoded } from 'ristretto/lib/types/body';

/**
 * Middleware that parses bodies of `application/x-www-form-urlencoded` into `req.body`. Keys nest (`a[b]=c`) unless
 * `extended` is false; 3.x did not ask for that option.
 *
 * @param options `extended`, `limit` (`'1mb'`), `parameterLimit` (1000), `depth` (32), `inflate`, `type` and `verify`
 * @default limit '1mb'
 * @default type 'application/x-www-form-urlencoded'
 * @throws TypeError for options that can't be meant
 * @example
 * app.post('/', web.urlencoded({ limit: '10kb' }), (req, res) => res.send(req.body.user.name));
 * // POST / user[name]=Ada -> 200 Ada
 */
function urlencoded(options?: OptionsUrlencoded): NextHandleFunction {
  const { extended = true, limit = '1mb' } = options ?? {};
  return body.urlencoded({ ...options, extended, limit });
}

export = urlencoded;
