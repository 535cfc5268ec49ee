/**
 * Queries: parsed as by qs, and those of Express 5 as by its own parsers, within their limits, without holes and without members
 * that were not sent.
 */
import assert from 'node:assert/strict';
import qs from 'qs';
import {
  compileQueryParser,
  parseExtended,
  parseSimple,
} from '@ristretto/private-engine/lib/protocol/query-string';
import { compileQueryParser as compileQueryParser5 } from 'ristretto5/lib/protocol';
import { words } from '../../../packages/engine/test/support/random.js';
import { assertPlain, assertSame } from '../target.js';
import type { Target } from '../target.js';

const LIMITS = { arrayLimit: 1000, depth: 5 };
/** A name, the names in brackets, and the rest as one name; each possibly in an array, if the value exists already. */
const deepest = (depth: number): number => 2 * (depth + 2);

const parseQuery = compileQueryParser('extended');

type Compile = (setting: string) => (text: string) => object;
const oracle5 = require('express5/lib/utils') as { compileQueryParser: Compile };
const [extended5, simple5] = ['extended', 'simple'].map(setting => ({
  ours: (compileQueryParser5 as Compile)(setting),
  theirs: oracle5.compileQueryParser(setting),
})) as [Record<'ours' | 'theirs', ReturnType<Compile>>, Record<'ours' | 'theirs', ReturnType<Compile>>];

/** If brackets do not match and several such keys meet in one array, the trees may differ. */
export function isBalanced(text: string): boolean {
  return /^(?:[^[\]]|\[[^[\]&=]*\])*$/.test(text.replace(/%5b/gi, '[').replace(/%5d/gi, ']'));
}

export const target: Target = {
  seeds: [
    ...words(`a=1&b=2 a[b][c]=1 a[]=1&a[]=2 a[0]=1&a[5]=2 a%5Bb%5D=c+d%20e __proto__[x]=1 a[b]=1&a=2
      a[19]=x&a[20]=y`),
    ...[`${'a=1&'.repeat(21)}a[]=2`, 'a=1&'.repeat(19), 'a[]=1&'.repeat(20)],
  ],
  dictionary: words(`a b [ ] = & [] [0] [1] [20] [1001] [b] ]= &a %5B %5D %C3%A9 %F0%9F%98%80 %ED%A0%80
    + __proto__ [__proto__] constructor prototype toString length hasOwnProperty [length] %zz % [-1] [01]
    999999999 [19] [21] a=1& a[]=1& %F4%8F%BF%BF a=1&a=1&a=1&a=1&a=1&a=1&a=1&`),
  run(text) {
    const query = parseQuery(text);
    assertPlain(query, { depth: deepest(LIMITS.depth), arrayLimit: LIMITS.arrayLimit });
    if (isBalanced(text)) assertSame(query, qs.parse(text, { ...LIMITS, allowPrototypes: true }));
    const short = parseExtended(text, { depth: 1, arrayLimit: 2, parameterLimit: 3 });
    assertPlain(short, { depth: deepest(1), arrayLimit: 2 });
    const simple = parseSimple(text);
    assert.equal(Object.getPrototypeOf(simple), null);
    const query5 = extended5.ours(text);
    assertPlain(query5, { depth: deepest(LIMITS.depth), arrayLimit: 20 });
    if (isBalanced(text)) assertSame(query5, extended5.theirs(text));
    assertSame(simple5.ours(text), simple5.theirs(text));
  },
};
