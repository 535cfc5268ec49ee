/** `res.json`: sends any JSON value, and throws for values that JSON cannot express. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { answering, loose, sameEach, sameNotices } from '../../support/compare.js';
import { same } from '../../support/oracle.js';

describe('res.json', () => {
  test('body: may be any JSON type', async () => {
    const bodies = [
      { a: 1 },
      [1, [2]],
      'text',
      '',
      5,
      0,
      true,
      false,
      null,
      new Date(0),
      { toJSON: () => 'own' },
    ];
    for (const body of bodies) {
      const answer = await same(answering((_req, res) => res.json(body)));
      assert.equal(answer.headers['content-type'], 'application/json; charset=utf-8');
      assert.equal(answer.text, JSON.stringify(body));
    }
  });

  test('body that JSON cannot express: sends only the type and no body', async () => {
    for (const body of [undefined, () => 1, Symbol('s')]) {
      const answer = await same(answering((_req, res) => res.json(body)));
      assert.equal(answer.text, '');
    }
    await same(answering((_req, res) => res.json()));
  });

  test('body with a cycle or a bigint: throws a TypeError', async () => {
    const cycle: Record<string, unknown> = {};
    cycle.self = cycle;
    for (const body of [cycle, { big: 10n }]) {
      assert.match((await same(answering((_req, res) => res.json(body)))).text, /^TypeError: /);
    }
  });

  test('body: random values are sent as in Express', async () => {
    const values = fc.sample(fc.jsonValue({ depthSize: 'small' }), { seed: 11, numRuns: 40 });
    const build = answering((req, res) => res.json(values[Number(req.url.slice(1))]));
    await sameEach(
      build,
      values.map((_value, at) => `/${at}`),
    );
  });

  test('Content-Type: an existing value is kept', async () => {
    const answer = await same(answering((_req, res) => res.type('application/vnd.api+json').json({ a: 1 })));
    assert.equal(answer.headers['content-type'], 'application/vnd.api+json; charset=utf-8');
  });

  test('deprecated res.json(status, obj): sets the status', async () => {
    const notices = await sameNotices(answering((_req, res) => loose(res).json!(201, { a: 1 })));
    assert.deepEqual(notices, ['res.json(status, obj): Use res.status(status).json(obj) instead']);
  });

  test('deprecated res.json(obj, status): sets the status', async () => {
    const notices = await sameNotices(answering((_req, res) => loose(res).json!({ a: 1 }, 201)));
    assert.deepEqual(notices, ['res.json(obj, status): Use res.status(status).json(obj) instead']);
    await same(answering((_req, res) => loose(res).json!(200, 201)));
  });

  test('members replaced by applications: send gets the serialized text', async () => {
    await same(
      answering((_req, res) => {
        const send = res.send.bind(res);
        res.send = body => send(`seen ${String(body)}`);
        assert.equal(res.json({ a: 1 }), res);
      }),
    );
  });

  test('HEAD and freshness: behave as for send', async () => {
    const build = answering((_req, res) => res.json({ a: 1 }));
    const { headers } = await same(build, { method: 'HEAD' });
    assert.equal((await same(build, { headers: { 'If-None-Match': headers.etag! } })).status, 304);
  });
});
