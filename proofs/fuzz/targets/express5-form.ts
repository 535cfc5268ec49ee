/** Urlencoded bodies of Express 5: parsed as by its own parser, or rejected with the same status. */
import { createRequire } from 'node:module';
import web from 'ristretto5';
import { bodyOf } from '../body.js';
import { assertPlain } from '../plain.js';
import { assertSame } from '../target.js';
import type { Target } from '../target.js';
import { target as express4 } from './urlencoded.js';
import { isBalanced } from './query.js';
import { words } from '../../../packages/engine/test/support/random.js';

type Parser = Parameters<typeof bodyOf>[0];
type Make = (options: object) => Parser;
const { urlencoded } = createRequire(require.resolve('express5'))('body-parser') as { urlencoded: Make };

const LIMITS = { parameterLimit: 30, limit: 1500 };
const VARIANTS = [
  { extended: true },
  { extended: false },
  { extended: false, charsetSentinel: true },
  { extended: true, charsetSentinel: true, interpretNumericEntities: true, defaultCharset: 'iso-8859-1' },
].map(options => ({
  ours: (web.urlencoded as unknown as Make)({ ...LIMITS, ...options }),
  theirs: urlencoded({ ...LIMITS, ...options }),
}));
const TYPES = ['', '; charset=utf-8', '; charset=iso-8859-1'];

export const target: Target = {
  cost: 2,
  // The first character selects the type.
  seeds: [
    ...express4.seeds.map(seed => `0${seed}`),
    '0utf8=%E2%9C%93&a=%C3%A9',
    '1utf8=%26%2310003%3B&a=%E9',
    '2a=%26%239786%3B&b=%26%23127%3B',
  ],
  dictionary: [
    ...words(`utf8= %E2%9C%93 %26%2310003%3B %E9 %26%23 %3B &#1; %26%23127%3B %26%23128%3B 255
      256`),
    ...express4.dictionary,
  ],
  async run(text) {
    const headers = {
      'content-type': `application/x-www-form-urlencoded${TYPES[text.charCodeAt(0) % 3] ?? ''}`,
    };
    const bytes = Buffer.from(text.slice(1), 'latin1');
    for (const { ours, theirs } of VARIANTS) {
      const [own, expected] = [await bodyOf(ours, bytes, headers), await bodyOf(theirs, bytes, headers)];
      if (own.body !== undefined) assertPlain(own.body, { depth: 33, arrayLimit: 100 });
      assertSame([own.error?.status, own.error?.type], [expected.error?.status, expected.error?.type]);
      if (isBalanced(text)) assertSame(own.body, expected.body);
    }
  },
};
