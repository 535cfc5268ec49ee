/** Generates what a handler reads of its request. */
import type { Step, Value } from './description.js';
import { words } from '../../packages/engine/test/support/random.js';
import type { Random } from '../../packages/engine/test/support/random.js';
import { callsOf, TYPES } from './values.js';

const MEMBERS = words(`hostname host ip ips protocol secure subdomains xhr fresh stale path query body baseUrl
  originalUrl url method route.path route.methods cookies signedCookies _parsedUrl.pathname complete`);

const SETTINGS = [
  ...['env', 'etag', 'query parser', 'trust proxy', 'strict routing', 'json spaces', 'view engine'],
  ...['trust proxy fn', 'etag fn', 'subdomain offset', 'x-powered-by'],
];

/** Returns a step that reads a member of the request. */
export function look(random: Random): Step {
  const req = callsOf(random, 'req');
  const some = (most: number, values: Value[]) => random.many<Value>(0, most, () => random.pick(values));
  const maybe = (share: number, value: Value) => (random.chance(share) ? [value] : []);
  return random.weighted<Step>([
    [6, () => ({ req: random.pick(MEMBERS) })],
    req(2, 'accepts', () => some(3, TYPES)),
    req(1, 'accepts', () => [some(3, TYPES)]),
    req(1, ['acceptsCharsets', 'acceptsCharset'], () => some(2, words('utf-8 iso-8859-1 UTF-8 *'))),
    req(1, ['acceptsEncodings', 'acceptsEncoding'], () => some(3, words('gzip deflate br identity *'))),
    req(1, ['acceptsLanguages', 'acceptsLanguage'], () => some(3, words('en en-US de fr EN-gb *'))),
    req(2, ['get', 'header'], () => [
      random.pick(words('Host referer Referrer content-type X-Nothing cookie Accept')),
    ]),
    req(2, 'is', () => some(3, TYPES)),
    req(1, 'is', () => [some(3, TYPES)]),
    req(1, 'param', () => [random.pick(words('id x a q')), ...maybe(0.5, 'fallback')]),
    req(2, 'range', () => [random.pick([10, 100, 1000, 0]), ...maybe(0.4, { combine: true })]),
    [1, () => ({ setting: random.pick(SETTINGS) })],
    req(0.2, ['get', 'range', 'header', 'accepts'], () =>
      random.pick<Value[]>([[], [{ $: 'undefined' }], [null]]),
    ),
  ]);
}
