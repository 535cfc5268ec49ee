/** Queries of Express 5: parsed as by its own parsers, within their limits, and without members that were not sent. */
import { compileQueryParser } from 'ristretto5/lib/protocol';
import { assertPlain } from '../plain.js';
import { assertSame } from '../target.js';
import type { Target } from '../target.js';
import { isBalanced, target as express4 } from './query.js';
import { words } from '../../../packages/engine/test/support/random.js';

type Parse = (text: string) => object;
type Utils = Record<'compileQueryParser', (setting: string) => Parse>;

const theirs = require('express5/lib/utils') as Utils;
const parsers = ['extended', 'simple'].map(setting => ({
  ours: compileQueryParser(setting) as Parse,
  theirs: theirs.compileQueryParser(setting),
}));
const [extended, simple] = parsers as [(typeof parsers)[0], (typeof parsers)[0]];

/** Five levels in brackets, the name before and the rest after them, each possibly in an array. */
const DEEPEST = 14;

export const target: Target = {
  seeds: [
    ...express4.seeds,
    'a[19]=x&a[20]=y',
    `${'a=1&'.repeat(21)}a[]=2`,
    'a=1&'.repeat(19),
    'a[]=1&'.repeat(20),
  ],
  dictionary: [
    ...words('[19] [21] a=1& a[]=1& %F4%8F%BF%BF a=1&a=1&a=1&a=1&a=1&a=1&a=1&'),
    ...express4.dictionary,
  ],
  run(text) {
    const query = extended.ours(text);
    assertPlain(query, { depth: DEEPEST, arrayLimit: 20 });
    if (isBalanced(text)) assertSame(query, extended.theirs(text));
    assertSame(simple.ours(text), simple.theirs(text));
  },
};
