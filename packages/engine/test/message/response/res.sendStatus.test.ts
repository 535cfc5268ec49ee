/** `res.sendStatus`: sets the status and sends its reason phrase as plain text. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { answering, loose, returning, sameEach } from '../../support/compare.js';
import { same } from '../../support/oracle.js';

describe('res.sendStatus', () => {
  test('known code: sends its reason phrase as plain text', async () => {
    const build = answering((req, res) => res.sendStatus(Number(req.url.slice(1))));
    const codes = [200, 201, 202, 300, 301, 400, 401, 403, 404, 418, 421, 422, 429, 500, 503, 511];
    const [first] = await sameEach(
      build,
      codes.map(code => `/${code}`),
    );
    assert.equal(first?.text, 'OK');
    assert.equal(first.headers['content-type'], 'text/plain; charset=utf-8');
  });

  test('unknown code: sends the number', async () => {
    const answer = await same(answering((_req, res) => res.sendStatus(599)));
    assert.equal(answer.text, '599');
  });

  test('code as text: is sent unchanged', async () => {
    await same(answering((_req, res) => loose(res).sendStatus!('404')));
  });

  test('code 204, 205, 304: sends no body', async () => {
    for (const code of [204, 205, 304]) {
      assert.equal((await same(answering((_req, res) => res.sendStatus(code)))).body.length, 0);
    }
  });

  test('code out of range: throws a RangeError', async () => {
    assert.match(
      (await same(answering((_req, res) => res.sendStatus(1000)))).text,
      /^RangeError: Invalid status code: 1000/,
    );
  });

  test('type that is set: is replaced by plain text', async () => {
    await same(answering((_req, res) => res.type('json').sendStatus(400)));
  });

  test('returns: returns the response', async () => {
    await same(returning(res => res.sendStatus(200)));
  });
});
