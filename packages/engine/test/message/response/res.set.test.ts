/** `res.set` and its other name, `res.header`: set headers from a name and value or from an object, and reject invalid ones. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { answering, loose, returning, sameEach } from '../../support/compare.js';
import { same } from '../../support/oracle.js';

for (const name of ['set', 'header'] as const) {
  describe(`res.${name}`, () => {
    test('field, value: sets a header and returns the response', async () => {
      await same(returning(res => res[name]('X-A', 'one')));
      const answer = await same(
        answering((_req, res) => void res[name]('X-A', 'one')[name]('x-a', 'two').end()),
      );
      assert.equal(answer.headers['x-a'], 'two');
    });

    test('value: is converted to a string', async () => {
      for (const value of [5, true, null, undefined, { a: 1 }, '', new Date(0), 10n]) {
        await same(answering((_req, res) => loose(res)[name]!('X-A', value).end()));
      }
    });

    test('array: sends the header several times', async () => {
      const answer = await same(
        answering((_req, res) => void loose(res)[name]!('X-A', ['a', 2, null]).end()),
      );
      assert.equal(answer.rawHeaders.filter(([field]) => field === 'X-A').length, 3);
      await same(answering((_req, res) => void res[name]('X-A', []).end()));
    });

    test('object: sets every property, inherited ones too', async () => {
      const fields = Object.assign(Object.create({ 'X-Inherited': 'i' }) as object, {
        'X-A': 'a',
        'X-B': ['b', 'c'],
      });
      await same(answering((_req, res) => void res[name](fields).end()));
      await same(answering((_req, res) => void res[name]({ 'content-type': 'text/plain' }).end()));
      for (const nothing of [{}, null, undefined, 5]) {
        await same(answering((_req, res) => void loose(res)[name]!(nothing).end()));
      }
    });

    test('field alone: is treated as an object', async () => {
      await same(answering((_req, res) => void loose(res)[name]!('X').end()));
    });

    test('Content-Type: adds a charset to text types that have none', async () => {
      const types = [
        'text/html',
        'text/html; charset=latin1',
        'text/html;charset=x',
        'text/html; Charset=x',
        'text/html; level=1',
        'text/x-unknown',
        'TEXT/HTML',
        'application/json',
        'application/javascript',
        'application/json5',
        'application/xml',
        'image/png',
        'text/plain;   charset  = x',
        '',
        'x',
      ];
      const build = answering(
        (req, res) => void res[name]('CONTENT-type', types[Number(req.url.slice(1))]).end(),
      );
      await sameEach(
        build,
        types.map((_type, at) => `/${at}`),
      );
    });

    test('Content-Type: an array throws a TypeError', async () => {
      const answer = await same(
        answering((_req, res) => void res[name]('Content-Type', ['text/html']).end()),
      );
      assert.equal(answer.text.startsWith('TypeError: Content-Type cannot be set to an Array'), true);
    });

    test('line breaks and invalid names: throw a TypeError', async () => {
      for (const value of ['a\r\nX: y', 'a\nb', 'a\rb', '\u0000', '\u0100']) {
        const answer = await same(answering((_req, res) => void res[name]('X-A', value).end()));
        assert.match(answer.text, /^TypeError: Invalid character in header content/);
      }
      for (const field of ['a b', 'a:', '', 'ä']) {
        const answer = await same(answering((_req, res) => void res[name](field, 'x').end()));
        assert.match(answer.text, /^TypeError: Header name must be a valid HTTP token/);
      }
    });

    test('__proto__: has no effect as a name', async () => {
      const fields = JSON.parse('{"__proto__": "x"}') as object;
      await same(answering((_req, res) => void res[name](fields).end()));
      assert.equal(({} as Record<string, unknown>).x, undefined);
    });
  });
}
