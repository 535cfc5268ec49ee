/** `web.bodyParser` and what it consists of: `json`, `urlencoded`; `limit` and `query`. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import type { Handler } from 'ristretto3/lib/middleware/connect';
import { askPort, each, exchange, withServer } from '../../engine/test/support/http.js';
import { askAll, chain, given, loose, post, postJson, sameEach, show, web } from './support/middleware.js';
import type { Web } from './support/middleware.js';
import { form, uploadDirectory } from './support/multipart.js';
import { words } from '../../engine/test/support/random.js';

const seen = show(req => [req.body as unknown, Object.keys((req as { files?: object }).files ?? {})]);

/** `web.bodyParser`: parses JSON, forms and uploads in one middleware. */
describe('web.bodyParser', () => {
  test('JSON, forms, and forms with files: are parsed into req.body and req.files', async t => {
    const { uploadDir } = uploadDirectory(t);
    const answers = await sameEach(
      web => [web.bodyParser({ uploadDir }), seen],
      [
        postJson({ a: [1] }),
        post('application/x-www-form-urlencoded', 'a[b]=1&c=2'),
        form([
          { name: 'a[b]', value: '1' },
          { name: 'f', filename: 'x.txt', value: 'content' },
        ]),
        post('text/plain', 'x'),
        {},
      ],
    );
    assert.deepEqual(each(answers, 'text'), [
      '[{"a":[1]},[]]',
      '[{"a":{"b":"1"},"c":"2"},[]]',
      '[{"a":{"b":"1"}},["f"]]',
      '[{},[]]',
      '[{},[]]',
    ]);
  });

  test('errors: of each parser go to the error handlers', async () => {
    const answers = await sameEach(
      web => [web.bodyParser(), seen],
      [post('application/json', '{'), post('application/json; charset=x', '{}')],
      { body: true },
    );
    assert.deepEqual(each(answers, 'status'), [400, 415]);
    const [urlencoded, multipart] = await askAll(
      [web.bodyParser(), seen],
      [post('application/x-www-form-urlencoded; charset=x', 'a=1'), post('multipart/form-data', 'x')],
    );
    assert.deepEqual([urlencoded!.status, multipart!.status], [415, 400]);
  });

  test('options: each parser gets all of them', async t => {
    const { uploadDir, left } = uploadDirectory(t);
    const [json, urlencoded, multipart] = await askAll(
      [web.bodyParser({ uploadDir, limit: 100, extended: false }), seen],
      [
        postJson('x'.repeat(100)),
        post('application/x-www-form-urlencoded', 'a[b]=1'),
        form([{ name: 'f', filename: 'x', value: 'x'.repeat(100) }]),
      ],
    );
    assert.deepEqual([json!.status, urlencoded!.text, multipart!.status], [413, '[{"a[b]":"1"},[]]', 413]);
    assert.deepEqual(left(), []);
    assert.throws(() => loose(web.bodyParser)({ limit: 'x' }), TypeError);
  });
});

/** `web.json`: parses JSON bodies with the defaults of 3.x. */
describe('web.json', () => {
  const body = show(req => req.body);
  const MESSAGES = { body: true };

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
    assert.deepEqual(each(answers, 'text'), expected);
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
      assert.deepEqual(each(answers, 'text'), [...parsed.map(() => '{"a":1}'), ...ignored.map(() => '{}')]);
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
    assert.deepEqual(each(answers, 'status'), [400, 415, 200, 200, 415]);
  });
});

const TYPE = 'application/x-www-form-urlencoded';

/** `web.urlencoded`: parses forms with the defaults of 3.x. */
describe('web.urlencoded', () => {
  const form = (text: string) => post(TYPE, text);
  const body = show(req => req.body);

  test('body: parses flat and nested keys by default', async () => {
    const answers = await sameEach(
      web => [web.urlencoded(), body],
      [
        form('a=1&b=x%20y+z&a=2'),
        form('a[b][c]=1&a[b][d]=2'),
        form('tags[]=a&tags[]=b&list[0]=x&list[1]=y'),
        form(''),
        form('a'),
        post('text/plain', 'a=1'),
        {},
      ],
    );
    assert.equal(answers[1]!.text, '{"a":{"b":{"c":"1","d":"2"}}}');
  });

  test('extended: false parses flat pairs', async () => {
    const build = (extended: boolean) => (web: Web) => [web.urlencoded({ extended }), body];
    const [flat] = await sameEach(build(false), [form('a[b]=1&c=2&c=3')]);
    assert.equal(flat!.text, '{"a[b]":"1","c":["2","3"]}');
    const [nested] = await sameEach(build(true), [form('a[b]=1')]);
    assert.equal(nested!.text, '{"a":{"b":"1"}}');
  });

  test('limit and parameterLimit: send 413', async () => {
    const many = form(Array.from({ length: 1001 }, (_, index) => `a${index}=1`).join('&'));
    const [large] = await sameEach(web => [web.urlencoded({ limit: 10 }), body], [form('a=1234567890')], {
      body: true,
    });
    assert.equal(large!.status, 413);
    const [parameters] = await sameEach(web => [web.urlencoded(), body], [many], { body: true });
    assert.equal(parameters!.status, 413);
  });

  test('depth: allows 32 levels, then sends 400 (Express 3 has no limit)', async () => {
    const deep = (levels: number) => form(`a${'[b]'.repeat(levels)}=1`);
    const answers = await askAll([web.urlencoded(), body], [deep(32), deep(33)]);
    assert.deepEqual([answers[0]!.status, answers[1]!.status], [200, 400]);
  });
});

/** Responds with the number of bytes received. */
const size: Handler = (req, res) => {
  let length = 0;
  req.on('data', (chunk: Buffer) => (length += chunk.length));
  req.on('end', () => res.end(String(length)));
};

const chunked = (...chunks: string[]) =>
  'POST / HTTP/1.1\r\nHost: x\r\nConnection: close\r\nTransfer-Encoding: chunked\r\n\r\n' +
  [...chunks, ''].map(chunk => `${chunk.length.toString(16)}\r\n${chunk}\r\n`).join('');

/** `web.limit`: rejects bodies that are too large, by their declared length or while they arrive. */
describe('web.limit', () => {
  const body = (length: number) => post('text/plain', 'x'.repeat(length));

  test('Content-Length: sends 413 beyond the limit', async () => {
    const answers = await sameEach(web => [web.limit('5b'), size], [body(5), body(6), {}, body(0)]);
    assert.deepEqual(each(answers, 'status'), [200, 413, 200, 200]);
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

const query = show(req => req.query as unknown);

/** `web.query`: parses the query string into `req.query`. */
describe('web.query', () => {
  test('req.query: has nested keys and arrays, and is empty without a query', async () => {
    const paths = words(
      `/ /? /?a=1&b[c]=2 /?d[]=3&d[]=4 /?a[0]=1&a[21]=2 /?a[b][c][d][e][f][g]=1 /?toString=1`,
    );
    const answers = await sameEach(web => [web.query() as never, query], paths);
    assert.equal(answers[2]!.text, '{"a":"1","b":{"c":"2"}}');
  });

  test('req.query: lists may be longer than 20', async () => {
    const paths = ['a', 'a[]'].map(name => `/?${Array(50).fill(`${name}=1`).join('&')}`);
    const answers = await sameEach(web => [web.query() as never, query], paths);
    assert.equal((JSON.parse(answers[1]!.text) as { a: string[] }).a.length, 50);
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
