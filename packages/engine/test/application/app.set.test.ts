/** `app.set`: assigns a setting. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { frameworks } from '../support/oracle.js';
import type { Web } from '../support/oracle.js';

type Loose = Record<string, (...args: unknown[]) => unknown> & { settings: Record<string, unknown> };
const both = Object.entries(frameworks) as [string, Web][];
const make = (web: Web): Loose => web() as unknown as Loose;

describe('app.set', () => {
  for (const [framework, web] of both) {
    test(`name, value: stores the value and reads it back (${framework})`, () => {
      const app = make(web);
      for (const value of ['text', 0, false, null, undefined, { a: 1 }, () => undefined, Symbol('s')]) {
        assert.equal(app.set!('any name at all', value), app);
        assert.equal(app.set!('any name at all'), value);
        assert.equal(app.settings['any name at all'], value);
      }
    });
    test(`name alone: reads the setting (${framework})`, () => {
      assert.equal(make(web).set!('etag'), 'weak');
      assert.equal(make(web).set!('unknown'), undefined);
    });
    test(`undefined as value: sets the value instead of reading it (${framework})`, () => {
      const app = make(web);
      assert.equal(app.set!('env', undefined), app);
      assert.equal(app.set!('env'), undefined);
      assert.equal(Object.hasOwn(app.settings, 'env'), true);
    });
    test(`etag, query parser, trust proxy: are compiled when they are set (${framework})`, () => {
      const app = make(web);
      for (const name of ['etag', 'query parser', 'trust proxy']) {
        const own = (): unknown => name;
        app.set!(name, own);
        assert.equal(app.set!(name), own);
        assert.equal(app.set!(`${name} fn`), own);
        app.set!(name, true);
        assert.equal(typeof app.set!(`${name} fn`), 'function');
        assert.notEqual(app.set!(`${name} fn`), own);
      }
    });
    test(`names that objects inherit: are undefined until they are set (${framework})`, () => {
      const app = make(web);
      for (const name of ['constructor', 'toString', 'hasOwnProperty', 'valueOf']) {
        assert.equal(app.set!(name), undefined);
        app.set!(name, 1);
        assert.equal(app.set!(name), 1);
      }
    });
    test(`bad value: throws an error that names it (${framework})`, () => {
      const app = make(web);
      assert.throws(() => app.set!('etag', 'other'), {
        name: 'TypeError',
        message: 'unknown value for etag function: other',
      });
      assert.throws(() => app.set!('query parser', 'other'), {
        name: 'TypeError',
        message: 'unknown value for query parser function: other',
      });
      assert.throws(() => app.set!('trust proxy', 'nonsense'), {
        name: 'TypeError',
        message: 'invalid IP address: nonsense',
      });
    });
  }
  test('__proto__: neither reads nor changes a shared prototype', () => {
    const app = make(frameworks.ristretto);
    assert.equal(app.set!('__proto__'), undefined);
    app.set!('__proto__', { polluted: true });
    assert.equal(({} as Record<string, unknown>).polluted, undefined);
    assert.equal(make(frameworks.ristretto).set!('polluted'), undefined);
  });
});
