import assert from 'node:assert/strict';
import crypto, { createHmac, createSecretKey, randomBytes } from 'node:crypto';
import { createRequire } from 'node:module';
import { describe, test } from 'node:test';
import { findCookie, Keyed, unsign } from '@ristretto/signed-cookies';
import { Random } from '../../../engine/test/support/random.js';

const load = createRequire(__filename);
const { parse } = load('cookie') as { parse(header: string): Record<string, string | undefined> };
const cookieSignature = load('cookie-signature') as {
  sign(value: string, secret: string): string;
  unsign(text: string, secret: string): string | false;
};

describe('signed-cookies', () => {
  test('signed-cookies: signatures are compared in constant time, by crypto.timingSafeEqual (CVE-2016-1000236)', t => {
    const compare = t.mock.method(crypto, 'timingSafeEqual');
    const keyed = new Keyed('secret');
    const signed = keyed.sign('a');
    const forged = signed.slice(0, -1) + (signed.endsWith('A') ? 'B' : 'A');
    assert.deepEqual([unsign(signed, [keyed]), unsign(forged, [keyed])], ['a', false]);
    assert.equal(compare.mock.callCount(), 2);
  });

  test('signed-cookies: findCookie returns the same as the package cookie', () => {
    const random = new Random(5);
    const parts = [
      ...['a', 'b', 'ab', '=', ';', ' ', '\t', '"', '%41', '%', '%zz', 'x', '; a=', 'a=', ' a = ', ','],
      '\u00e9',
    ];
    for (let count = 0; count < 20_000; count++) {
      const header = random.many(0, 12, () => random.pick(parts)).join('');
      for (const name of ['a', 'ab', 'connect.sid']) {
        assert.equal(findCookie(header, name), parse(header)[name], JSON.stringify([header, name]));
      }
    }
  });

  test('signed-cookies: signatures equal those of createHmac, for keys and texts of any length', () => {
    const random = new Random(6);
    for (let count = 0; count < 2000; count++) {
      const secret = random.pick([0, 1, 20, 63, 64, 65, 200]);
      const key = randomBytes(secret);
      const text = random
        .many(0, 40, () => random.pick(['a', '.', '\u20ac', '\ud800', '\u{1f600}', '=', 'x'.repeat(30)]))
        .join('');
      for (const algorithm of ['sha1', 'sha256'] as const) {
        const expected = createHmac(algorithm, key).update(text).digest('base64').replace(/=+$/, '');
        const keyed = new Keyed(key, algorithm);
        assert.equal(keyed.digest(text), expected);
        assert.equal(keyed.digest(text, 'base64url'), expected.replaceAll('+', '-').replaceAll('/', '_'));
        assert.ok(keyed.verify(text, expected));
      }
    }
  });

  test('signed-cookies: a string, its bytes and its key object are the same secret', () => {
    const signed = cookieSignature.sign('tobi', 'caf\u00e9');
    const bytes = Buffer.from('caf\u00e9');
    for (const secret of ['caf\u00e9', bytes, new Uint8Array(bytes), createSecretKey(bytes)]) {
      assert.equal(new Keyed(secret).sign('tobi'), signed);
    }
    for (const secret of [undefined, null, 5, {}, ['a']]) {
      assert.throws(() => new Keyed(secret as never), /Expected a secret to sign cookies with .*, got /);
    }
  });

  test('signed-cookies: unsign accepts what cookie-signature accepts', () => {
    const random = new Random(7);
    const keys = [new Keyed('b'), new Keyed('a')];
    const right = cookieSignature.sign('tobi', 'a');
    for (let count = 0; count < 20_000; count++) {
      const at = random.between(0, right.length);
      const change = random.pick(['', '.', 'A', '=', '\u0141', '\u00e9', right[at] ?? '']);
      const text = right.slice(0, at) + change + right.slice(at + random.between(0, 2));
      const expected = cookieSignature.unsign(text, 'b') || cookieSignature.unsign(text, 'a');
      assert.equal(unsign(text, keys), expected, text);
    }
  });

  test('signed-cookies: a signature that is too short is not compared with the rest of the previous one', () => {
    const key = new Keyed('a');
    const signature = key.digest('tobi');
    assert.ok(key.verify('tobi', signature));
    // These have the right number of characters, but the last ones do not fit into the bytes.
    for (const count of [1, 2, 10, 43]) {
      assert.equal(key.verify('tobi', '\u20ac'.repeat(count) + signature.slice(count)), false);
    }
    assert.equal(key.verify('tobi', ''), false);
  });
});
