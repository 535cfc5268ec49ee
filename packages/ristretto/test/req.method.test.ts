/** `req.method`: the property of Node's request. */
import { describe, test } from 'node:test';
import assert from 'node:assert/strict';
import { answering, sameEach } from './support/compare.js';
import { same } from './support/oracle.js';

describe('req.method', () => {
  test('value: is the method in the request line', async () => {
    const methods = ['GET', 'POST', 'PUT', 'DELETE', 'M-SEARCH', 'PROPFIND'];
    const answers = await sameEach(
      answering((req, res) => void res.send(req.method)),
      methods.map(method => ({ method })),
    );
    assert.deepEqual(
      answers.map(({ text }) => text),
      methods,
    );
  });

  test('native: is an own property that middleware may change', async () => {
    const answer = await same(
      web =>
        web()
          .use((req, _res, next) => {
            assert.ok(Object.hasOwn(req, 'method'));
            req.method = 'DELETE';
            next();
          })
          .post('/', (_req, res) => void res.send('posted'))
          .delete('/', (_req, res) => void res.send('deleted')),
      { method: 'POST' },
    );
    assert.equal(answer.text, 'deleted');
  });
});
