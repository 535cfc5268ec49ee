/** `res.end`: the method of Node's response. */
import { describe, test } from 'node:test';
import assert from 'node:assert/strict';
import http from 'node:http';
import { answering } from '../../support/compare.js';
import { same } from '../../support/oracle.js';

describe('res.end', () => {
  test('data: is sent as it is, without a type or an ETag', async () => {
    const answer = await same(answering((_req, res) => void res.end('text')));
    assert.equal(answer.text, 'text');
    assert.equal(answer.headers['content-type'], undefined);
    assert.equal(answer.headers.etag, undefined);
    assert.equal((await same(answering((_req, res) => void res.end(Buffer.from([0, 255]))))).body.length, 2);
  });

  test('data: may be omitted, to send no body', async () => {
    const answer = await same(answering((_req, res) => void res.status(404).end()));
    assert.deepEqual([answer.status, answer.text], [404, '']);
  });

  test('encoding: applies to text', async () => {
    assert.equal(
      (await same(answering((_req, res) => void res.end('e9e8', 'hex')))).body.toString('latin1'),
      'éè',
    );
    assert.equal((await same(answering((_req, res) => void res.end('é', 'latin1')))).body.length, 1);
  });

  test('native: calls the current http.ServerResponse.prototype.end', async t => {
    await same(answering((_req, res) => void res.end('before')));
    const end = t.mock.method(http.ServerResponse.prototype, 'end');
    await same(answering((_req, res) => void res.end('x')));
    await same(answering((_req, res) => void res.send('x')));
    assert.equal(end.mock.callCount(), 4);
  });

  test('native: calls the callback', async () => {
    let calls = 0;
    await same(
      answering((_req, res) => {
        assert.equal(
          res.end('x', () => calls++),
          res,
        );
      }),
    );
    assert.equal(calls, 2);
  });
});
