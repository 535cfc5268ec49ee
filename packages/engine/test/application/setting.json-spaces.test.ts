/** The setting `json spaces`: the indentation of JSON responses. */
import { describe, test } from 'node:test';
import assert from 'node:assert/strict';
import { answering, sameEach } from '../support/compare.js';
import { same } from '../support/oracle.js';

const body = { name: 'tobi', list: [1, { a: [] }] };
const using = (spaces?: unknown) => answering((_req, res) => res.json(body), { 'json spaces': spaces });

describe('setting json spaces', () => {
  test('default: is undefined, and no spaces are added', async () => {
    const answer = await same(
      answering((req, res) => {
        assert.equal(req.app.get('json spaces'), undefined);
        res.json(body);
      }),
    );
    assert.equal(answer.text, JSON.stringify(body));
  });

  test('number: is the number of spaces for each level', async () => {
    for (const spaces of [0, 1, 2, 4, 11, -1, NaN]) await same(using(spaces));
  });

  test('text: is used as the indentation', async () => {
    for (const spaces of ['', '\t', '--', 'x'.repeat(12)]) await same(using(spaces));
  });

  test('sub-app: inherits it', async () => {
    await sameEach(
      web => {
        const app = web();
        const sub = web();
        app.set('json spaces', 2);
        sub.get('/', (_req, res) => res.json(body));
        app.use('/sub', sub);
        return app;
      },
      ['/sub'],
    );
  });
});
