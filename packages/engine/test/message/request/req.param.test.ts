/** `req.param`: the deprecated lookup of a name in params, body and query. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Request } from 'express';
import { sameNotices } from '../../support/compare.js';
import { alike } from '../../support/fake-request.js';
import { same } from '../../support/oracle.js';

/** Calls `req.param` on a request with these values. */
function param(
  values: Partial<Record<'params' | 'body' | 'query', unknown>>,
  ...args: [name: string, other?: unknown]
) {
  return alike({}, req => (Object.assign(req, values) as Request).param(...args));
}

// The deprecation warnings are asserted below; without a listener, these tests would print one for each call.
process.on('deprecation' as never, () => undefined);

describe('req.param', () => {
  test('name: is looked up in params, then body, then query', () => {
    const [params, body, query] = [
      { a: 'params' },
      { a: 'body', b: 'body' },
      { a: 'query', b: 'query', c: 'query' },
    ];
    assert.equal(param({ params, body, query }, 'a'), 'params');
    assert.equal(param({ params, body, query }, 'b'), 'body');
    assert.equal(param({ params, body, query }, 'c'), 'query');
  });

  test('name: null and undefined count as not found, other values as found', () => {
    assert.equal(param({ params: { a: null }, query: { a: 'query' } }, 'a'), 'query');
    assert.equal(param({ params: { a: undefined }, body: { a: null }, query: {} }, 'a', 'other'), 'other');
    assert.equal(param({ params: { a: '' } }, 'a', 'other'), '');
    assert.equal(param({ body: { a: 0 } }, 'a', 'other'), 0);
  });

  test('name: inherited properties of params are not found', () => {
    assert.equal(param({ params: Object.create({ a: 'inherited' }) }, 'a'), undefined);
  });

  test('defaultValue: is returned when nothing is found', () => {
    assert.equal(param({}, 'a', 'other'), 'other');
    assert.equal(param({ params: {}, body: {}, query: {} }, 'a', 5), 5);
    assert.equal(param({}, 'a'), undefined);
    assert.equal(param({ body: null }, 'a', 'other'), 'other');
    assert.equal(param({ body: 'text' }, 'length'), 4);
  });

  test('deprecated: warns once for each call site, with the form of the call', async () => {
    const notices = await sameNotices(
      web => web().get('/:a', (req, res) => void res.json([req.param('a'), req.param('b', 'other')])),
      '/x',
    );
    assert.deepEqual(notices, [
      'req.param(name): Use req.params, req.body, or req.query instead',
      'req.param(name, default): Use req.params, req.body, or req.query instead',
    ]);
  });

  test('over the wire: returns the same values as Express', async () => {
    const answer = await same(
      web =>
        web().get('/:a', (req, res) => void res.json([req.param('a'), req.param('b'), req.param('c', 'd')])),
      '/x?a=1&b=2',
    );
    assert.equal(answer.text, '["x","2","d"]');
  });
});
