/**
 * Urlencoded bodies: an object within the limits, or an error with status 400 or 413; of Express 5, parsed as by its own parser, or
 * rejected with the same status.
 */
import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import web4 from 'ristretto';
import web5 from 'ristretto5';
import { words } from '../../../packages/engine/test/support/random.js';
import { assertPlain, assertSame, bodyOf } from '../target.js';
import type { Target } from '../target.js';
import { isBalanced } from './query.js';

type Parser = Parameters<typeof bodyOf>[0];
type Make = (options: object) => Parser;
const { urlencoded } = createRequire(require.resolve('express5'))('body-parser') as { urlencoded: Make };
const [make4, make5] = [web4.urlencoded as unknown as Make, web5.urlencoded as unknown as Make];

const LIMITS = { parameterLimit: 30, limit: 1500 };
const PARSERS = [true, false].map(extended => make4({ ...LIMITS, extended }));
const VARIANTS = [
  { extended: true },
  { extended: false },
  { extended: false, charsetSentinel: true },
  { extended: true, charsetSentinel: true, interpretNumericEntities: true, defaultCharset: 'iso-8859-1' },
].map(options => ({ ours: make5({ ...LIMITS, ...options }), theirs: urlencoded({ ...LIMITS, ...options }) }));
const MEDIA = 'application/x-www-form-urlencoded';
const TYPES = ['', '; charset=utf-8', '; charset=iso-8859-1'];
const REFUSALS = ['querystring.parse.rangeError', 'parameters.too.many', 'entity.too.large'];
const PLAIN = { depth: 33, arrayLimit: 100 };

export const target: Target = {
  cost: 3,
  // The first character selects the type.
  seeds: [
    ...['0a=1&b=2', `0a${'[b]'.repeat(33)}=1`, '0a[]=1&a[]=2', `0${'&'.repeat(40)}`, '0a=%C3%A9+x'],
    ...['0a[__proto__]=b', '0utf8=%E2%9C%93&a=%C3%A9', '1utf8=%26%2310003%3B&a=%E9'],
    '2a=%26%239786%3B&b=%26%23127%3B',
  ],
  dictionary: words(`a [b] [] [0] [99] = & %5B __proto__ constructor % + &&&&&& [a][a][a][a] utf8= %E2%9C%93
    %26%2310003%3B %E9 %26%23 %3B &#1; %26%23127%3B %26%23128%3B 255 256`),
  async run(text) {
    const headers = { 'content-type': `${MEDIA}${TYPES[text.charCodeAt(0) % 3] ?? ''}` };
    const bytes = Buffer.from(text.slice(1), 'latin1');
    for (const parser of PARSERS) {
      const { error, body } = await bodyOf(parser, bytes, { 'content-type': MEDIA });
      if (!error) assertPlain(body, PLAIN);
      else assert.ok([400, 413].includes(error.status) && REFUSALS.includes(error.type), error.stack);
    }
    for (const { ours, theirs } of VARIANTS) {
      const [own, expected] = [await bodyOf(ours, bytes, headers), await bodyOf(theirs, bytes, headers)];
      if (own.body !== undefined) assertPlain(own.body, PLAIN);
      assertSame([own.error?.status, own.error?.type], [expected.error?.status, expected.error?.type]);
      if (isBalanced(text)) assertSame(own.body, expected.body);
    }
  },
};
