/** `web.json()`: parses JSON bodies, with the parser of 4.x. */
import { createParsers } from '@ristretto/private-engine/lib/body';
import type { NextHandleFunction, OptionsJson } from '@ristretto/private-engine/lib/types/body';
import { version } from '../version';

const { json: parseJson } = createParsers(version);

const TYPES = ['application/json', 'application/*+json'];

/**
 * Create middleware that parses bodies of `application/json` and `application/*+json` into `req.body`; an empty body
 * becomes `{}`.
 * @param options `limit` (`'1mb'`), `strict` (true: only objects and arrays), `reviver`, `inflate`, `type`, `verify`
 * @default limit '1mb'
 * @default type 'application/json' and 'application/*+json'
 * @throws TypeError for invalid options
 * @example
 * app.post('/', web.json({ limit: '10kb' }), (req, res) => res.send(req.body.name));
 * // POST / {"name":"Ada"} -> 200 Ada
 */
function json(options?: OptionsJson): NextHandleFunction {
  return parseJson({ ...options, limit: options?.limit ?? '1mb', type: options?.type ?? TYPES });
}

export = json;
