/** Generates what a handler reads of its request. */
import type { Step, Value } from './description.js';
import { words } from '../../packages/engine/test/support/random.js';
import type { Random } from '../../packages/engine/test/support/random.js';
import { TYPES } from './values.js';

/** Returns a step that reads a member of the request. */
export function look(random: Random): Step {
  return random.weighted<Step>([
    [
      6,
      () => ({
        req: random.pick(
          words(`hostname host ip ips protocol secure subdomains xhr fresh stale path query
          body baseUrl originalUrl url method route.path route.methods cookies signedCookies
          _parsedUrl.pathname complete`),
        ),
      }),
    ],
    [2, () => ({ req: 'accepts', args: random.many<Value>(0, 3, () => random.pick(TYPES)) })],
    [1, () => ({ req: 'accepts', args: [random.many<Value>(0, 3, () => random.pick(TYPES))] })],
    [
      1,
      () => ({
        req: random.pick(['acceptsCharsets', 'acceptsCharset']),
        args: random.many<Value>(0, 2, () => random.pick(['utf-8', 'iso-8859-1', 'UTF-8', '*'])),
      }),
    ],
    [
      1,
      () => ({
        req: random.pick(['acceptsEncodings', 'acceptsEncoding']),
        args: random.many<Value>(0, 3, () => random.pick(['gzip', 'deflate', 'br', 'identity', '*'])),
      }),
    ],
    [
      1,
      () => ({
        req: random.pick(['acceptsLanguages', 'acceptsLanguage']),
        args: random.many<Value>(0, 3, () => random.pick(['en', 'en-US', 'de', 'fr', 'EN-gb', '*'])),
      }),
    ],
    [
      2,
      () => ({
        req: random.pick(['get', 'header']),
        args: [random.pick<Value>(words('Host referer Referrer content-type X-Nothing cookie Accept'))],
      }),
    ],
    [2, () => ({ req: 'is', args: random.many<Value>(0, 3, () => random.pick(TYPES)) })],
    [1, () => ({ req: 'is', args: [random.many<Value>(0, 3, () => random.pick(TYPES))] })],
    [
      1,
      () => ({
        req: 'param',
        args: [random.pick<Value>(['id', 'x', 'a', 'q']), ...(random.chance(0.5) ? ['fallback'] : [])],
      }),
    ],
    [
      2,
      () => ({
        req: 'range',
        args: [random.pick<Value>([10, 100, 1000, 0]), ...(random.chance(0.4) ? [{ combine: true }] : [])],
      }),
    ],
    [
      1,
      () => ({
        setting: random.pick([
          ...['env', 'etag', 'query parser', 'trust proxy', 'strict routing', 'json spaces', 'view engine'],
          ...['trust proxy fn', 'etag fn', 'subdomain offset', 'x-powered-by'],
        ]),
      }),
    ],
    [
      0.2,
      () => ({
        req: random.pick(['get', 'range', 'header', 'accepts']),
        args: random.pick<Value[]>([[], [{ $: 'undefined' }], [null]]),
      }),
    ],
  ]);
}
