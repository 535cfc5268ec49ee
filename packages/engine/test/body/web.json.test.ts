// runs: each
/** `web.json`: parses JSON bodies, with its options, charsets and errors. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { gzipSync } from 'node:zlib';
import ristretto from 'ristretto';
import ristretto3 from 'ristretto3';
import ristretto5 from 'ristretto5';
import { ask } from '../support/http.js';
import { post, postChunked, reporting, testCommonOptions } from '../support/body-parsers.js';
import { same } from '../support/oracle.js';
import type { Answer } from '../support/http.js';

const JSON_TYPE = 'application/json';
const GZIPPED = { 'Content-Type': JSON_TYPE, 'Content-Encoding': 'gzip' };

async function sameJson(body: string | Buffer, options: object = {}, type = JSON_TYPE): Promise<Answer> {
  return same(
    reporting(web => web.json(options)),
    post(type, body),
  );
}

async function bodyOf(body: string | Buffer, options: object = {}, type = JSON_TYPE): Promise<unknown> {
  const answer = await sameJson(body, options, type);
  assert.equal(answer.status, 200, answer.text);
  return JSON.parse(answer.text).body;
}

describe('web.json', () => {
  testCommonOptions({
    member: 'json',
    type: JSON_TYPE,
    body: '{"user":"tobi"}',
    parsed: { user: 'tobi' },
  });

  test('strict: true accepts objects and arrays after white space', async () => {
    assert.deepEqual(await bodyOf(' \t\r\n{"a":[1,2]} '), { a: [1, 2] });
    assert.deepEqual(await bodyOf('[]', { strict: true }), []);
    assert.deepEqual(await bodyOf('[null]', { strict: undefined }), [null]);
  });

  test('strict: true rejects primitives with the message of Node for an unexpected token', async () => {
    for (const body of [
      '"abc"',
      ' 123',
      'true',
      'null',
      '-1',
      'garbage',
      '  #abc{',
      '\n\n  x{}{',
      '\u00a0{}',
      '\f{}',
      '\v{}',
      '\0{}',
      '\ufeff\ufeff{}',
      '😀😀',
      '1234567890'.repeat(5),
      `"${'a'.repeat(200)}"`,
      ' '.repeat(100) + `"${'a'.repeat(200)}"`,
      `"${'#'.repeat(60)}`,
      `${'\n'.repeat(50)}x#`,
    ]) {
      const answer = await sameJson(body);
      assert.equal(answer.status, 400, body);
      const error = JSON.parse(answer.text);
      assert.deepEqual(
        [error.name, error.type, error.body],
        ['SyntaxError', 'entity.parse.failed', body.replace(/^\ufeff/, '')],
      );
    }
  });

  test('strict: false accepts what JSON.parse accepts', async () => {
    assert.equal(await bodyOf('123', { strict: false }), 123);
    assert.equal(await bodyOf('null', { strict: false }), null);
    assert.equal(await bodyOf(' "a" ', { strict: false }), 'a');
    assert.equal((await sameJson('nul', { strict: false })).status, 400);
  });

  test('reviver: is passed to JSON.parse, and an error that it throws is 400', async () => {
    const reviver = (key: string, value: unknown): unknown => (key === 'a' ? 2 : value);
    assert.deepEqual(await bodyOf('{"a":1,"b":1}', { reviver }), { a: 2, b: 1 });
    const throws = (): never => {
      throw new RangeError('boom');
    };
    const answer = await sameJson('{"a":1}', { reviver: throws });
    assert.equal(answer.status, 400);
    assert.equal(JSON.parse(answer.text).message, 'boom');
    assert.deepEqual(await bodyOf('{"a":1}', { reviver: null }), { a: 1 });
  });

  test('error entity.parse.failed: is a 400 with the body and the message of JSON.parse', async () => {
    for (const body of ['{"a"', ' {"a":x}', '{', '[1,]', '{"a":1}}', '  \n ', '{"a":"\u0001"}']) {
      for (const strict of [true, false]) {
        const answer = await sameJson(body, { strict });
        assert.equal(answer.status, 400, body);
        const error = JSON.parse(answer.text);
        assert.deepEqual([error.type, error.body, error.expose], ['entity.parse.failed', body, true]);
      }
    }
  });

  test('empty body: becomes {} with and without strict', async () => {
    assert.deepEqual(await bodyOf('', { strict: false }), {});
    assert.deepEqual(await bodyOf('', { strict: true }), {});
    assert.deepEqual(await bodyOf('\ufeff'), {});
  });

  test('charset: UTF-8 is accepted with and without a byte order mark, in quotes, and if it is empty', async () => {
    for (const parameter of ['', '; charset=utf-8', '; charset=UTF-8', '; CharSet="utf-8"', '; charset=""']) {
      assert.deepEqual(await bodyOf('{"name":"论"}', {}, JSON_TYPE + parameter), { name: '论' });
      assert.deepEqual(await bodyOf('\ufeff{"name":"论"}', {}, JSON_TYPE + parameter), { name: '论' });
    }
  });

  test('charset: UTF-16 is accepted in both byte orders, with and without a byte order mark', async () => {
    const text = '{"name":"论"}';
    const little = Buffer.from(text, 'utf16le');
    const big = Buffer.from(little).swap16();
    const marked = Buffer.from(`\ufeff${text}`, 'utf16le');
    for (const [charset, bytes] of [
      ['utf-16', little],
      ['utf-16', big],
      ['utf-16', marked],
      ['utf-16', Buffer.from(marked).swap16()],
      ['UTF-16LE', little],
      ['utf-16le', marked],
      ['utf-16be', big],
      ['utf-16be', Buffer.from(marked).swap16()],
    ] as [string, Buffer][]) {
      assert.deepEqual(await bodyOf(bytes, {}, `${JSON_TYPE}; charset=${charset}`), { name: '论' });
    }
  });

  test('charset: others than utf-* are 415', async () => {
    for (const charset of ['iso-8859-1', 'KOI8-R', 'utf8', 'utf-9', 'foo', 'utf']) {
      const answer = await sameJson('{"a":1}', {}, `${JSON_TYPE}; charset=${charset}`);
      assert.equal(answer.status, 415, charset);
      assert.equal(JSON.parse(answer.text).type, 'charset.unsupported');
    }
  });

  test('prototypes: __proto__ is an ordinary key and changes no prototype', async () => {
    const answer = await sameJson('{"__proto__":{"polluted":1},"constructor":2}');
    assert.equal(answer.text, '{"body":{"__proto__":{"polluted":1},"constructor":2},"_body":true}');
    assert.equal(({} as { polluted?: number }).polluted, undefined);
  });

  test('deep recursion: 100,000 levels are parsed, and are 400 with a reviver', async () => {
    const deep = '['.repeat(100_000) + ']'.repeat(100_000);
    const parsed = await same(
      web => {
        const app = web();
        app.use(web.json({ limit: '1mb' }), (req, res) => res.send(String(Array.isArray(req.body))));
        return app;
      },
      post(JSON_TYPE, deep),
    );
    assert.equal(parsed.text, 'true');
    const reviver = (_key: string, value: unknown): unknown => value;
    const refused = await sameJson(deep, { reviver, limit: '1mb' });
    assert.equal(refused.status, 400);
    assert.equal(JSON.parse(refused.text).name, 'RangeError');
  });

  test('method: a body is parsed for any method, including GET', async () => {
    const answer = await same(
      reporting(web => web.json()),
      { method: 'GET', headers: { 'Content-Type': JSON_TYPE }, body: '[1]' },
    );
    assert.deepEqual(JSON.parse(answer.text).body, [1]);
  });

  test('several parsers: the first that accepts the body parses it', async () => {
    const answer = await same(
      web => {
        const app = web();
        app.use(web.text(), web.json(), web.raw({ type: '*/*' }));
        app.use((req, res) => res.json(req.body));
        return app;
      },
      postChunked(JSON_TYPE, '{"a":1}'),
    );
    assert.equal(answer.text, '{"a":1}');
  });

  for (const [name, web] of Object.entries({
    ristretto,
    ristretto5: ristretto5 as unknown as typeof ristretto,
  })) {
    test(`raw: keeps the bytes beside the parsed body in ${name}`, async () => {
      const app = web();
      const seen: unknown[] = [];
      const raw = (req: { url?: string }): boolean => req.url === '/hook';
      app.use(web.json({ raw, verify: (_req, _res, bytes) => void seen.push(bytes.length) }));
      app.use((req: { body?: unknown; rawBody?: Buffer }, res: { json(value: unknown): void }) => {
        res.json([req.body, req.rawBody?.toString()]);
      });
      const body = '{ "a": "\u00e4" }';
      const answers = [];
      for (const path of ['/hook', '/other']) {
        const { text } = await ask(app, { ...post(JSON_TYPE, gzipSync(body)), path, headers: GZIPPED });
        answers.push(JSON.parse(text));
      }
      assert.deepEqual(answers, [
        [{ a: 'ä' }, body],
        [{ a: 'ä' }, null],
      ]);
      assert.deepEqual(seen, [13, 13]);
      assert.deepEqual(JSON.parse((await ask(app, '/hook')).text)[1], null);
    });
  }

  test('raw: a request whose bytes are kept is piped from them, to its end, unless it was compressed', async () => {
    for (const web of [ristretto, ristretto3, ristretto5] as unknown as (typeof ristretto)[]) {
      const app = web();
      app.use(web.json({ raw: true }));
      app.post('/', async (req, res) => {
        const [first, second] = [new PassThrough(), new PassThrough()];
        req.pipe(first);
        await pipeline(req, second).catch(() => second.end());
        res.json([await text(first), await text(second), req.body]);
      });
      const body = '{ "a": 1 }';
      for (const sent of [post(JSON_TYPE, body), postChunked(JSON_TYPE, body)]) {
        assert.deepEqual(JSON.parse((await ask(app, sent)).text), [body, body, { a: 1 }]);
      }
      const compressed = await ask(app, { ...post(JSON_TYPE, gzipSync(body)), headers: GZIPPED });
      assert.deepEqual(JSON.parse(compressed.text), ['', '', { a: 1 }]);
    }
  });

  test('raw: another value throws at registration', () => {
    assert.throws(() => ristretto.json({ raw: 'yes' as never }), {
      message: "option raw must be a boolean or a function, got 'yes'",
    });
  });
});
