/** `web.query`: parses the query string into `req.query`. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { askAll, given, sameEach, show, web } from './support/middleware.js';

const query = show(req => req.query as unknown);

describe('web.query', () => {
  test('req.query: has nested keys and arrays, and is empty without a query', async () => {
    const paths = [
      '/',
      '/?',
      '/?a=1&b[c]=2',
      '/?d[]=3&d[]=4',
      '/?a[0]=1&a[21]=2',
      '/?a[b][c][d][e][f][g]=1',
      '/?toString=1',
    ];
    const answers = await sameEach(web => [web.query() as never, query], paths);
    assert.equal(answers[2]!.text, '{"a":"1","b":{"c":"2"}}');
  });

  test('req.query: an existing value is kept', async () => {
    const [answer] = await sameEach(
      web => [given({ query: { z: 1 } }), web.query() as never, query],
      ['/?a=1'],
    );
    assert.equal(answer!.text, '{"z":1}');
  });

  test('__proto__: is ignored', async () => {
    const [answer] = await sameEach(web => [web.query() as never, query], ['/?__proto__[a]=1&b=2']);
    assert.equal(answer!.text, '{"b":"2"}');
  });

  test('options: of the 4.x API are accepted (Express 3 ignores them)', async () => {
    const [answer] = await askAll([web.query({ depth: 1 }) as never, query], ['/?a[b][c]=1']);
    assert.equal(answer!.text, '{"a":{"b":{"[c]":"1"}}}');
  });
});
