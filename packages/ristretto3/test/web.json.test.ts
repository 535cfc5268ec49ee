/** `web.json`: parses JSON bodies with the defaults of 3.x. */
import assert from 'node:assert/strict';
import { gzipSync } from 'node:zlib';
import { describe, test } from 'node:test';
import { post, postJson, sameEach, show } from './support/middleware.js';

const body = show(req => req.body);
const MESSAGES = { body: true };

describe('web.json', () => {
  test('body: parses objects and arrays, and ignores empty bodies and other types', async () => {
    const answers = await sameEach(
      web => [web.json(), body],
      [
        postJson({ name: 'tobi', pets: [1, { a: null }] }),
        postJson([1, 2]),
        post('application/json', ''),
        post('application/json', '  \n{"a":1}'),
        post('text/plain', '{"a":1}'),
        {},
      ],
    );
    const expected = ['{"name":"tobi","pets":[1,{"a":null}]}', '[1,2]', '{}', '{"a":1}', '{}', '{}'];
    assert.deepEqual(
      answers.map(answer => answer.text),
      expected,
    );
  });

  test('types: application/json and application/*+json are parsed, and no others', async () => {
    const parsed = [
      'application/vnd.api+json',
      'application/ld+json; charset=utf-8',
      'application/x+JSON',
      'application/json',
    ];
    const ignored = ['text/x+json', 'text/json', 'application/jsonx', 'application/json+x', '+json'];
    for (const parser of ['json', 'bodyParser'] as const) {
      const answers = await sameEach(
        web => [web[parser](), body],
        [...parsed, ...ignored].map(type => post(type, '{"a":1}')),
      );
      assert.deepEqual(
        answers.map(answer => answer.text),
        [...parsed.map(() => '{"a":1}'), ...ignored.map(() => '{}')],
      );
    }
  });

  test('strict: accepts only objects and arrays, unless it is false', async () => {
    const values = ['1', '"text"', 'null', 'true'].map(text => post('application/json', text));
    const strict = await sameEach(web => [web.json(), body], values, MESSAGES);
    assert.deepEqual(new Set(strict.map(answer => answer.status)), new Set([400]));
    const open = await sameEach(web => [web.json({ strict: false }), body], values);
    assert.deepEqual(new Set(open.map(answer => answer.status)), new Set([200]));
  });

  test('limit: is 1 MiB by default', async () => {
    const sized = (size: number) => postJson({ a: 'x'.repeat(size - 8) });
    const length = show(req => (req.body as { a: string }).a.length);
    const answers = await sameEach(
      web => [web.json(), length],
      [sized(1_048_576), sized(1_048_577)],
      MESSAGES,
    );
    assert.deepEqual([answers[0]!.status, answers[1]!.status], [200, 413]);
    const [small] = await sameEach(web => [web.json({ limit: '1kb' }), length], [sized(1025)], MESSAGES);
    assert.equal(small!.status, 413);
  });

  test('reviver, verify and type: work as in the 4.x API', async () => {
    const reviver = (_key: string, value: unknown) => (typeof value === 'number' ? value * 2 : value);
    const [revived] = await sameEach(web => [web.json({ reviver }), body], [postJson({ a: 1 })]);
    assert.equal(revived!.text, '{"a":2}');
    const verify = () => {
      throw new Error('forged');
    };
    const [forged] = await sameEach(web => [web.json({ verify }), body], [postJson({ a: 1 })]);
    assert.equal(forged!.status, 403);
    const [typed] = await sameEach(web => [web.json({ type: 'text/x' }), body], [post('text/x', '{"a":1}')]);
    assert.equal(typed!.text, '{"a":1}');
  });

  test('malformed, charsets and codings: send the same status', async () => {
    const answers = await sameEach(
      web => [web.json(), body],
      [
        post('application/json', '{'),
        post('application/json; charset=x', '{}'),
        post('application/json; charset=utf-16le', Buffer.from('{"a":"☃"}', 'utf16le')),
        post('application/json', gzipSync('{"a":1}'), { headers: { 'Content-Encoding': 'gzip' } }),
        post('application/json', '{}', { headers: { 'Content-Encoding': 'x' } }),
      ],
      MESSAGES,
    );
    assert.deepEqual(
      answers.map(answer => answer.status),
      [400, 415, 200, 200, 415],
    );
  });
});
