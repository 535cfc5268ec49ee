/** Creates `Content-Disposition` headers byte for byte as the package content-disposition does. */
import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { contentDisposition } from '@ristretto/private-engine/lib/protocol/content-disposition';
import { cpuTime } from '../support/cpu-time.js';

type Make = (...args: unknown[]) => string;
const ours = contentDisposition as Make;
/** The package that the oracle itself uses, resolved from its folder. */
const oracle = createRequire(require.resolve('express'))('content-disposition') as Make;

/** Returns the value, or the class and message of the error. */
function outcome(make: Make, args: unknown[]): string {
  try {
    return make(...args);
  } catch (error) {
    return `${(error as Error).name}: ${(error as Error).message}`;
  }
}

function assertSame(...args: unknown[]): string {
  const value = outcome(ours, args);
  assert.equal(value, outcome(oracle, args), JSON.stringify(args));
  return value;
}

describe('contentDisposition', () => {
  test('filename: returns only the type if it is missing', () => {
    assert.equal(assertSame(), 'attachment');
    assertSame(undefined, { type: 'inline' });
    assertSame(undefined, { fallback: 42 });
    assertSame(undefined, null);
  });

  test('filename: is quoted, with quotes and backslashes escaped', () => {
    assert.equal(assertSame('plans.pdf'), 'attachment; filename="plans.pdf"');
    assert.equal(assertSame('a "b" \\c.txt'), 'attachment; filename="a \\"b\\" \\\\c.txt"');
    assertSame('');
  });

  test('filename: is the last part of a path', () => {
    for (const path of ['/x/y.txt', 'x/y/', 'x\\y', '/', '../y', 'é/€.txt']) assertSame(path);
  });

  test('filename: outside ISO-8859-1 has a fallback and the extended form', () => {
    assert.equal(assertSame('€.txt'), `attachment; filename="?.txt"; filename*=UTF-8''%E2%82%AC.txt`);
    for (const name of [
      'naïve.txt',
      '\ud83d\ude00.txt',
      "*'()~!.txt€",
      'тест',
      '\x85',
      '\xa0',
      '\x7f',
      'a\nb',
    ])
      assertSame(name);
  });

  test('filename: has the extended form if it contains a percent escape', () => {
    for (const name of ['a%20b', 'a%zz', '100%', '%41%', 'é%41']) assertSame(name);
  });

  test('filename: throws if it is not a string or has an unpaired surrogate', () => {
    for (const bad of [null, 42, {}, [], true])
      assert.match(assertSame(bad), /^TypeError: filename must be a string$/);
    assert.match(assertSame('\ud800'), /^URIError/);
  });

  test('type: is any token, in lower case', () => {
    for (const type of ['inline', 'INLINE', 'x-a', '', null, undefined, 'a!b']) assertSame('a', { type });
    for (const type of ['b d', 'a;b', 'a/b', 'é', 42, {}, 'a\n']) {
      assert.equal(assertSame('a', { type }), 'TypeError: invalid type');
    }
  });

  test('fallback: may be false for none, or a string for another name', () => {
    for (const fallback of [true, false, undefined, 'e.txt', '', '/y/z.txt', 'a "b"']) {
      for (const name of ['€.txt', 'a.txt', 'a%20b', 'e.txt', 'z.txt']) assertSame(name, { fallback });
    }
  });

  test('fallback: throws if it is not a string or boolean, or outside ISO-8859-1', () => {
    for (const fallback of [42, null, {}]) {
      assert.equal(assertSame('a', { fallback }), 'TypeError: fallback must be a string or boolean');
    }
    // The oracle misses every other one of these, because its regular expression keeps lastIndex between calls.
    for (const fallback of ['€', 'a\x85', 'a\nb', '€']) {
      assert.equal(outcome(ours, ['a', { fallback }]), 'TypeError: fallback must be ISO-8859-1 string');
    }
  });

  test('random names: return the same as content-disposition', () => {
    const name = fc.string({ unit: fc.constantFrom(...Array.from('a"\\/%41é€\x85\x7f\n😀\'*() .')) });
    const fallback = fc.constantFrom(true, false, undefined, '', 'a', 'é%41', '"');
    fc.assert(
      fc.property(name, fallback, (filename, plain) => void assertSame(filename, { fallback: plain })),
      { seed: 1, numRuns: 500 },
    );
  });

  test('CVE-2016-10539 class: long names take linear time', () => {
    for (const piece of ['"', '\\', '%41', '€', '%', "'", '%4']) {
      const start = cpuTime();
      contentDisposition(piece.repeat(100_000 / piece.length));
      assert.ok(cpuTime() - start < 200, piece);
    }
  });
});
