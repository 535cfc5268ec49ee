/** `web.staticCache`: sets `X-Cache` and otherwise only warns that it is deprecated. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { at } from '../../engine/test/support/tree.js';
import { sameEach } from './support/middleware.js';

describe('web.staticCache', () => {
  test('X-Cache: says that the response is not from a cache, as in 3.21', async () => {
    const answers = await sameEach(
      web => [web.staticCache(), web.static(at('')) as never],
      [
        '/todo.txt',
        '/todo.txt',
        '/nope',
        { method: 'HEAD', path: '/todo.txt' },
        { method: 'POST', path: '/todo.txt' },
        { path: '/todo.txt', headers: { Range: 'bytes=0-1' } },
      ],
    );
    const fields = answers.map(answer => answer.headers['x-cache']);
    assert.deepEqual(fields, ['MISS', 'MISS', 'MISS', 'MISS', undefined, undefined]);
  });
});
