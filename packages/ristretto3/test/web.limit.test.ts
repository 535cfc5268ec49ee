/** `web.limit`: rejects bodies that are too large, by their declared length or while they arrive. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Handler } from 'ristretto3/lib/middleware/connect';
import { askPort, exchange, withServer } from '../../engine/test/support/http.js';
import { askAll, chain, loose, post, sameEach, web } from './support/middleware.js';
import type { Web } from './support/middleware.js';

/** Responds with the number of bytes received. */
const size: Handler = (req, res) => {
  let length = 0;
  req.on('data', (chunk: Buffer) => (length += chunk.length));
  req.on('end', () => res.end(String(length)));
};
const body = (length: number) => post('text/plain', 'x'.repeat(length));
const chunked = (...chunks: string[]) =>
  'POST / HTTP/1.1\r\nHost: x\r\nConnection: close\r\nTransfer-Encoding: chunked\r\n\r\n' +
  [...chunks, ''].map(chunk => `${chunk.length.toString(16)}\r\n${chunk}\r\n`).join('');

describe('web.limit', () => {
  test('Content-Length: sends 413 beyond the limit', async () => {
    const answers = await sameEach(web => [web.limit('5b'), size], [body(5), body(6), {}, body(0)]);
    assert.deepEqual(
      answers.map(answer => answer.status),
      [200, 413, 200, 200],
    );
  });

  test('chunked: closes the connection when the body exceeds the limit', async () => {
    await withServer(chain(web.limit(5), size), async port => {
      assert.equal((await exchange(port, chunked('abc', 'de'))).text, '5');
      await assert.rejects(exchange(port, chunked('abc', 'def')), /no complete answer/);
      assert.equal((await askPort(port, body(5))).text, '5');
    });
  });

  test('unread body: is left untouched', async () => {
    const late: Handler = (req, res, next) => void setImmediate(() => size(req, res, next));
    assert.equal((await askAll([web.limit(5), late], [body(5)]))[0]!.text, '5');
  });

  test('two limits: the first one counts', async () => {
    const build = (web: Web) => [web.limit(5), web.limit(2), size];
    const [answer] = await sameEach(build, [body(4)]);
    assert.equal(answer!.text, '4');
  });

  test('wrong size: throws, since it would let every body pass', () => {
    for (const wrong of ['abc', NaN, {}, -1, undefined, null]) {
      assert.throws(
        () => loose(web.limit)(wrong),
        /^TypeError: web\.limit\(\): size must be a number of bytes/,
      );
    }
  });
});
