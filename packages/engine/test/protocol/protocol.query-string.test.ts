// runs: slow
/** Parses query strings as qs and Node do, within limits and safe from known attacks. */
import assert from 'node:assert/strict';
import querystring from 'node:querystring';
import { describe, test } from 'node:test';
import {
  countParameters,
  parseExtended,
  parseSimple,
} from '@ristretto/private-engine/lib/protocol/query-string';
import type { ExtendedOptions } from '@ristretto/private-engine/lib/protocol/query-string';
import { oracleModule } from '../support/fake-request.js';
import { Random, words } from '../support/random.js';
import { assertFast, assertLinear } from '../support/worst-case.js';

/** Random query strings, dense with characters that the extended parser treats specially. */
const PIECES = words(`
  a b [ ] = = & & % + . 0 1 2 3 9 __proto__ é %zz [] [0] [1] [3] [21] [b] a[ [__proto__] %5B %5D %C3%A9
  toString length [length] a= &a &a =1 %F0%9F%98%80 %ED%A0%80 %C0%80 %E9 %u0041 %5 constructor
`);
const NAMES = ['a', 'a', 'b', '1', 'toString', '__proto__', ''];

const STEPS = words('[] [0] [1] [2] [3] [4] [b] [c] [__proto__] [ [[b]] [21] ] [01]');
const VALUES = ['', '1', '2', 'x', 'x+y', '%25'];

/** Limits low enough that random queries exceed them. */
const BOUNDS = [
  {},
  { arrayLimit: 0 },
  { arrayLimit: 1, depth: 2 },
  { arrayLimit: 2 },
  { arrayLimit: 3, depth: 1, strictDepth: true },
  { arrayLimit: 100, parameterLimit: 3 },
  { depth: 0 },
];

/** Returns random pieces that need not make sense. */
function garbage(random: Random): string {
  return random.many(0, 20, () => random.pick(PIECES)).join('');
}

/** Returns a query of a few parameters whose keys collide. */
function colliding(random: Random): string {
  const parameter = () => {
    const key = random.pick(NAMES) + random.many(0, 3, () => random.pick(STEPS)).join('');
    return random.chance(0.1) ? key : `${key}=${random.pick(VALUES)}`;
  };
  return random.many(1, 6, parameter).join('&');
}

const qs = oracleModule('qs') as { parse(text: string, options: object): unknown };

function outcome(parse: () => unknown): unknown {
  try {
    return parse();
  } catch (error) {
    return String(error);
  }
}

/** Asserts that qs returns the same result in the same order, and returns it. */
function alike(text: string, options?: ExtendedOptions): unknown {
  const ours = outcome(() => parseExtended(text, options));
  const theirs = outcome(() => qs.parse(text, { allowPrototypes: true, ...options }));
  assert.deepEqual(ours, theirs, `${JSON.stringify(text)} ${JSON.stringify(options)}`);
  assert.equal(JSON.stringify(ours), JSON.stringify(theirs), text);
  return ours;
}

function noHoles(value: unknown): void {
  if (typeof value !== 'object' || value === null) return;
  if (Array.isArray(value)) assert.equal(Object.keys(value).length, value.length);
  for (const member of Object.values(value)) noHoles(member);
}

describe('protocol/query-string: parseExtended', () => {
  test('names with the same hash: are different members, in any query', () => {
    // As `31 * first + second`
    for (let i = 0; i < 2; i++) {
      assert.deepEqual(parseExtended('x[ap]=1&x[c2]=2'), { x: { ap: '1', c2: '2' } });
      assert.deepEqual(parseExtended('c2=1&ap[x]=2'), { c2: '1', ap: { x: '2' } });
    }
  });

  test('escapes: decodes values of any length', () => {
    const pieces = ['plain', '+', '%C3%A9', 'é', '日', '%E6%97%A5', '%F0%9F%98%80', '%zz', '%C3', '%2'];
    for (const length of [20, 23, 24, 25, 40, 1022, 1023, 1024, 1025, 2047, 2049, 5000]) {
      const full = '+a%20%C3%BF'.repeat(length / 3);
      for (const piece of pieces)
        alike(`a=${full.slice(0, length - 11)}${piece}&${piece}=${'x'.repeat(length)}${piece}`);
    }
    const decoded = alike(`a=${'%C3%A9'.repeat(3000)}`);
    assert.deepEqual(decoded, { a: 'é'.repeat(3000) });
  });

  test('strictDepth: throws a RangeError', () => {
    const text = 'a[b][c][d]=1';
    assert.equal(
      alike(text, { depth: 2, strictDepth: true }),
      'RangeError: Input depth exceeded depth option of 2 and strictDepth is true',
    );
    assert.deepEqual(alike(text, { depth: 3, strictDepth: true }), { a: { b: { c: { d: '1' } } } });
    assert.throws(() => parseExtended('a' + '[b]'.repeat(33), { depth: 32, strictDepth: true }), RangeError);
  });

  test('arrayLimit, CVE-2025-15284: longer arrays and greater indexes become objects', () => {
    assert.deepEqual(alike('a[19]=x'), { a: ['x'] });
    assert.deepEqual(alike('a[20]=x'), { a: { 20: 'x' } });
    assert.ok(Array.isArray((alike('a[]=1&'.repeat(20)) as { a: unknown }).a));
    assert.ok(!Array.isArray((alike('a[]=1&'.repeat(21)) as { a: unknown }).a));
    assert.ok(!Array.isArray((alike('a=1&'.repeat(21)) as { a: unknown }).a));
    for (const text of ['%61[]=1&', 'a[%5D=1&']) alike(text.repeat(21));
    alike(Array.from({ length: 30 }, (_, at) => `a[${at % 2 ? '' : at}]=${at}`).join('&'));
    for (const arrayLimit of [0, 1, 3]) alike('a=1&a=2&a=3&a=4&a[b]=5&c=1&c=2', { arrayLimit });
  });

  test('parameterLimit: defaults to 1000, and the rest is ignored', () => {
    assert.equal(
      Object.keys(parseExtended(Array.from({ length: 1001 }, (_, i) => `k${i}`).join('&'))).length,
      1000,
    );
    assert.deepEqual(alike('&&&a=1', { parameterLimit: 3 }), {});
    assert.deepEqual(alike('a[b]=1&c=2', { parameterLimit: 1 }), { a: { b: '1' } });
    assert.deepEqual(alike('a=1&b=2', { parameterLimit: Infinity }), { a: '1', b: '2' });
  });

  test('random pieces: return the same as qs 6.16, deeply, with the same order of keys', () => {
    const random = new Random(616);
    for (let at = 0; at < 12_000; at++)
      alike(garbage(random), at % 3 === 0 ? random.pick(BOUNDS) : undefined);
  });

  test('random keys that collide: return the same as qs 6.16, deeply, with the same order of keys', () => {
    const random = new Random(166);
    for (let at = 0; at < 12_000; at++)
      alike(colliding(random), at % 3 === 0 ? random.pick(BOUNDS) : undefined);
  });
});

describe('protocol/query-string: threats', () => {
  test('CVE-2014-7191, CVE-2025-15284: creates no sparse or unbounded arrays', () => {
    assert.deepEqual(alike('a[999999999]=x'), { a: { 999999999: 'x' } });
    const options = { arrayLimit: 100_000, parameterLimit: Infinity };
    noHoles(parseExtended('a[99999]=x&a[5000]=y&a[]=z&b[7]=1&b[3][9]=2&b[3][4]=3', options));
    const keys = Array.from({ length: 20_000 }, (_, i) => `k${i}[99999]=1`).join('&');
    noHoles(parseExtended(keys, options));
  });

  test('CVE-2017-1000048: stray brackets set no members of the prototype', () => {
    const query = alike('a]=1&[b=2&[]=3&]=4&toString[]=5') as object;
    assert.equal(Object.getPrototypeOf(query), Object.prototype);
    assert.equal(typeof Object.prototype.toString, 'function');
  });

  test('CVE-2022-24999: ignores __proto__ everywhere', () => {
    assert.deepEqual(alike('a[__proto__]=b&a[length]=100000000'), { a: { length: '100000000' } });
    assert.deepEqual(alike('__proto__=1&__proto__[x]=2&[__proto__]=3&%5f_proto__[y]=4'), {});
    for (const text of ['__proto__=x', '__proto__=x&__proto__=y&a=1', '%5f%5fproto__=x', '__proto__'])
      alike(text);
    assert.deepEqual(alike('a[__proto__][x]=1&b[]=1&b[__proto__][x]=2&c=1&c[__proto__]=1'), {
      a: {},
      b: { 0: '1' },
      c: ['1', {}],
    });
    assert.equal(({} as Record<string, unknown>).x, undefined);
  });

  test('CVE-2024-51999: sets names that objects inherit like any others', () => {
    assert.deepEqual(alike('toString=1&a[hasOwnProperty]=2&constructor[prototype][x]=3'), {
      toString: '1',
      a: { hasOwnProperty: '2' },
      constructor: { prototype: { x: '3' } },
    });
  });

  test('worst-case strings: take linear time', () => {
    for (const prefix of ['', 'a', 'a[', 'a%5B', '[]=', 'a=&'])
      assertFast(text => parseExtended(text), prefix);
    const nested = words('[ ] [] [a] a[]=& a[9]=& a[1][2]=& &[ ]= %zz=&[] %5B a[][]&');
    for (const piece of nested) assertFast(() => parseExtended(piece.repeat(16_384 / piece.length)), '');
  });

  test('CVE-2025-13466: parameters that lack a bracket or an equals sign take linear time', () => {
    const limits = { parameterLimit: Infinity, arrayLimit: 1e6 };
    for (const piece of ['[&', ']&', '[a]&', '[a&', 'a[]&', '[=&', 'a]&', '&[']) {
      assertLinear(
        length => {
          const text = piece.repeat(length / piece.length);
          return () => parseExtended(text, limits);
        },
        JSON.stringify(piece),
        64 * 1024,
      );
    }
  });
});

describe('protocol/query-string: parseSimple', () => {
  test("node's parser: does not nest, creates arrays from repeated keys, and has no prototype", () => {
    const text = 'a=1&a=2&b[c]=3&%zz=+';
    assert.deepEqual(parseSimple(text), querystring.parse(text));
    assert.equal(Object.getPrototypeOf(parseSimple(null)), null);
  });

  test('parameterLimit: defaults to 1000, and may be a number or Infinity', () => {
    const text = Array.from({ length: 1100 }, (_, i) => `k${i}`).join('&');
    assert.equal(Object.keys(parseSimple(text)).length, 1000);
    assert.equal(Object.keys(parseSimple(text, { parameterLimit: 3 })).length, 3);
    assert.equal(Object.keys(parseSimple(text, { parameterLimit: Infinity })).length, 1100);
  });
});

describe('protocol/query-string: countParameters', () => {
  test('limit: returns the number of parameters up to it, or undefined beyond it', () => {
    assert.equal(countParameters('', 1), 1);
    assert.equal(countParameters('a=1&b=2&', 3), 3);
    assert.equal(countParameters('a=1&b=2&', 2), undefined);
    assert.equal(countParameters('&'.repeat(1000), 1000), undefined);
    assert.equal(countParameters('&'.repeat(100_000), Infinity), 100_001);
  });
});
