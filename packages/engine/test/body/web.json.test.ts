// runs: each
/** The four body parsers: `web.json`, `web.urlencoded`, `web.text`, `web.raw`. */
import assert from 'node:assert/strict';
import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { describe, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import ristretto from 'ristretto';
import ristretto3 from 'ristretto3';
import ristretto5 from 'ristretto5';
import { post, postChunked, reporting, testCommonOptions } from '../support/body-parsers.js';
import { cpuTime } from '../support/worst-case.js';
import { ask } from '../support/http.js';
import type { Answer } from '../support/http.js';
import { frameworks, same } from '../support/oracle.js';
import { words } from '../support/random.js';

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

const FORM_TYPE = 'application/x-www-form-urlencoded';

async function sameForm(body: string, options: object = {}, type = FORM_TYPE): Promise<Answer> {
  return same(
    reporting(web => web.urlencoded({ extended: true, ...options })),
    post(type, body),
  );
}

async function formOf(body: string, options: object = {}): Promise<unknown> {
  const answer = await sameForm(body, options);
  assert.equal(answer.status, 200, answer.text);
  return JSON.parse(answer.text).body;
}

async function errorOf(
  body: string,
  options: object = {},
): Promise<{ status: number; type: string; body: string }> {
  const answer = await sameForm(body, options);
  return JSON.parse(answer.text);
}

describe('web.urlencoded', () => {
  testCommonOptions({
    member: 'urlencoded',
    type: FORM_TYPE,
    body: 'user=tobi',
    parsed: { user: 'tobi' },
    options: { extended: true },
  });

  test('extended: true parses nested keys', async () => {
    assert.deepEqual(await formOf('a=1&b[c]=2&d[]=3&a=4&e%5Bf%5D=+5'), {
      a: ['1', '4'],
      b: { c: '2' },
      d: ['3'],
      e: { f: ' 5' },
    });
    assert.deepEqual(await formOf('a[b]=1', { extended: undefined }), { a: { b: '1' } });
  });

  test('extended: false parses flat keys', async () => {
    assert.deepEqual(await formOf('a=1&b[c]=2&d[]=3&a=4', { extended: false }), {
      a: ['1', '4'],
      'b[c]': '2',
      'd[]': '3',
    });
  });

  test('empty body: becomes {} in both syntaxes', async () => {
    for (const extended of [true, false]) assert.deepEqual(await formOf('', { extended }), {});
  });

  test('extended: omitted warns and parses nested keys', async () => {
    const warnings: string[] = [];
    const write = process.stderr.write;
    process.stderr.write = (text: string) => warnings.push(text) > 0;
    try {
      frameworks.ristretto.urlencoded();
    } finally {
      process.stderr.write = write;
    }
    assert.match(warnings.join(''), /undefined extended: provide extended option/);
    const parse = reporting(web => web.urlencoded())(frameworks.ristretto);
    assert.deepEqual(JSON.parse((await ask(parse, post(FORM_TYPE, 'a[b]=1'))).text).body, { a: { b: '1' } });
  });

  test('parameterLimit: 1000 is the default, and more is 413 with the body', async () => {
    for (const extended of [true, false]) {
      assert.ok(await formOf('a=1&'.repeat(999), { extended }));
      const body = 'a=1&'.repeat(1000);
      const error = await errorOf(body, { extended });
      assert.deepEqual([error.status, error.type, error.body], [413, 'parameters.too.many', body]);
    }
  });

  test('parameterLimit: may be a number, a numeric string, a fraction or Infinity', async () => {
    for (const extended of [true, false]) {
      for (const [parameterLimit, allowed] of [
        [3, 3],
        ['2', 2],
        [1.5, 1],
      ] as [number, number][]) {
        const body = Array.from({ length: allowed }, (_, at) => `k${String(at)}=v`).join('&');
        assert.ok(await formOf(body, { extended, parameterLimit }));
        assert.equal((await errorOf(`${body}&x=y`, { extended, parameterLimit })).status, 413);
        assert.equal((await errorOf('&'.repeat(allowed), { extended, parameterLimit })).status, 413);
      }
      const all = (await formOf('a=1&'.repeat(2000), { extended, parameterLimit: Infinity })) as {
        a: string[];
      };
      assert.equal(all.a.length, 2000);
      // Express takes the limit modulo 2 ** 32.
      const huge = reporting(web => web.urlencoded({ extended, parameterLimit: 2 ** 33 }));
      assert.equal((await ask(huge(frameworks.ristretto), post(FORM_TYPE, 'a=1&b=2'))).status, 200);
    }
  });

  test('parameterLimit: NaN or less than 1 throws when the parser is created', () => {
    for (const web of Object.values(frameworks)) {
      for (const extended of [true, false]) {
        for (const parameterLimit of [Number.NaN, 0, -1, 0.5, 'abc', null, false] as number[]) {
          assert.throws(() => web.urlencoded({ extended, parameterLimit }), {
            name: 'TypeError',
            message: 'option parameterLimit must be a positive number',
          });
        }
      }
    }
  });

  test('depth: is 32 levels by default, and more is 400 (CVE-2024-45590)', async () => {
    assert.ok(await formOf(`a${'[b]'.repeat(32)}=1`));
    const error = await errorOf(`a${'[b]'.repeat(33)}=1`);
    assert.deepEqual([error.status, error.type], [400, 'querystring.parse.rangeError']);
    assert.equal((await errorOf(`a${'[b]'.repeat(30_000)}=1`)).status, 400);
    assert.ok(await formOf(`a${'[b]'.repeat(33)}=1`, { extended: false }));
  });

  test('depth: numbers apply, 0 and false turn nesting off, and other values mean 5 levels', async () => {
    for (const [depth, levels] of [
      [1, 1],
      [2, 2],
      [1.5, 2],
      ['1', 5],
      [true, 5],
      [null, 5],
    ] as [number, number][]) {
      assert.ok(await formOf(`a${'[b]'.repeat(levels)}=1`, { depth }));
      assert.equal((await errorOf(`a${'[b]'.repeat(levels + 1)}=1`, { depth })).status, 400, String(depth));
    }
    for (const depth of [0, false]) assert.deepEqual(await formOf('a[b]=1', { depth }), { 'a[b]': '1' });
    assert.ok(await formOf(`a${'[b]'.repeat(50)}=1`, { depth: Infinity }));
  });

  test('depth: NaN or a negative number throws when an extended parser is created', () => {
    for (const web of Object.values(frameworks)) {
      for (const depth of [Number.NaN, -1, 'abc'] as number[]) {
        const options = { extended: true, depth } as object;
        assert.throws(() => web.urlencoded(options), {
          name: 'TypeError',
          message: 'option depth must be a zero or a positive number',
        });
        assert.doesNotThrow(() => web.urlencoded({ ...options, extended: false }));
      }
    }
  });

  test('arrays: have up to 100 elements, or as many as there are parameters, and become objects beyond', async () => {
    const { a } = (await formOf('a[]=1&'.repeat(150))) as { a: string[] };
    assert.equal(a.length, 150);
    assert.deepEqual(await formOf('a[99]=x'), { a: ['x'] });
    assert.deepEqual(await formOf('a[101]=x'), { a: { 101: 'x' } });
    assert.deepEqual(((await formOf('b=1&'.repeat(150) + 'a[149]=x')) as { a: string[] }).a, ['x']);
    assert.deepEqual(await formOf('a[999999999]=x'), { a: { 999999999: 'x' } });
  });

  test('charset: UTF-8 is accepted, others are 415', async () => {
    assert.equal((await sameForm('a=é&%c3%a9=b', {}, `${FORM_TYPE}; charset=UTF-8`)).status, 200);
    for (const extended of [true, false]) {
      for (const charset of ['iso-8859-1', 'utf-16', 'utf8', 'foo']) {
        const answer = await sameForm('a=%e9', { extended }, `${FORM_TYPE}; charset=${charset}`);
        assert.equal(answer.status, 415, charset);
        assert.equal(JSON.parse(answer.text).type, 'charset.unsupported');
      }
    }
  });

  test('decoding: plus signs, escapes, broken escapes, bare keys and byte order marks are decoded as in Express', async () => {
    for (const extended of [true, false]) {
      for (const body of [
        ...words('a+b=c+d a=%zz&b=%e9 a a&b= =x &&a=1&& a.b=c&x;y=1'),
        '\ufeffa=1',
        'a=b=c',
      ]) {
        assert.equal((await sameForm(body, { extended })).status, 200);
      }
    }
  });

  test('prototypes: no name in the body changes a prototype', async () => {
    for (const extended of [true, false]) {
      await formOf('__proto__[x]=1&constructor[prototype][y]=2&toString=3&a[__proto__][z]=4', { extended });
      const untouched = {} as Record<string, unknown>;
      assert.deepEqual([untouched.x, untouched.y, untouched.z], [undefined, undefined, undefined]);
    }
  });

  test('CVE-2025-13466: thousands of parameters take linear time', async () => {
    const parse = reporting(web => web.urlencoded({ extended: true, parameterLimit: 1e6, limit: '10mb' }));
    const milliseconds = async (count: number): Promise<number> => {
      const body = Array.from({ length: count }, (_, at) => `k${String(at)}[]=v`).join('&');
      const start = cpuTime();
      const answer = await ask(parse(frameworks.ristretto), post(FORM_TYPE, body));
      assert.equal(answer.status, 200);
      return cpuTime() - start;
    };
    await milliseconds(2000);
    const small = await milliseconds(4000);
    assert.ok((await milliseconds(16_000)) < 16 * small + 50);
  });
});

const TEXT_TYPE = 'text/plain';

async function textOf(body: string | Buffer, type: string, options: object = {}): Promise<string> {
  const answer = await same(
    reporting(web => web.text(options)),
    post(type, body),
  );
  assert.equal(answer.status, 200, answer.text);
  return JSON.parse(answer.text).body;
}

describe('web.text', () => {
  testCommonOptions({ member: 'text', type: TEXT_TYPE, body: 'user is tobi', parsed: 'user is tobi' });

  test('empty body: becomes an empty string', async () => {
    assert.equal(await textOf('', TEXT_TYPE), '');
  });

  test('defaultCharset: is utf-8 by default', async () => {
    assert.equal(await textOf('héé', TEXT_TYPE), 'héé');
    assert.equal(await textOf(Buffer.from([0xe9]), TEXT_TYPE, { defaultCharset: 'iso-8859-1' }), 'é');
    assert.equal(await textOf(Buffer.from([0xc1]), TEXT_TYPE, { defaultCharset: 'KOI8-R' }), 'а');
    assert.equal(await textOf('é', TEXT_TYPE, { defaultCharset: 'UTF-8' }), 'é');
    for (const defaultCharset of [null, '', undefined]) {
      assert.equal(await textOf('é', TEXT_TYPE, { defaultCharset }), 'é');
    }
  });

  test('defaultCharset: also applies if the parameter is empty or Content-Type is malformed', async () => {
    const bytes = Buffer.from([0xe9]);
    assert.equal(await textOf(bytes, `${TEXT_TYPE}; charset=""`, { defaultCharset: 'latin1' }), 'é');
    const options = { defaultCharset: 'latin1', type: () => true };
    assert.equal(await textOf(bytes, `${TEXT_TYPE}; charset=KOI8-R; foo`, options), 'é');
  });

  test('defaultCharset: an unknown charset is a 415; a value that is not a string throws when the parser is created', async () => {
    const answer = await same(
      reporting(web => web.text({ defaultCharset: 'foo' })),
      post(TEXT_TYPE, 'a'),
    );
    assert.equal(answer.status, 415);
    assert.throws(() => frameworks.ristretto.text({ defaultCharset: 5 as never }), {
      name: 'TypeError',
      message: 'option defaultCharset must be a string, not "5"',
    });
  });

  test('defaultCharset: is passed to verify unchanged, while the request’s charset is in lower case', async () => {
    const seen: unknown[] = [];
    const verify = (_req: unknown, _res: unknown, _bytes: Buffer, encoding: unknown): void => {
      seen.push(encoding);
    };
    await textOf('a', TEXT_TYPE, { verify, defaultCharset: 'KOI8-R' });
    await textOf('a', `${TEXT_TYPE}; charset=KOI8-R`, { verify });
    assert.deepEqual(seen, ['KOI8-R', 'KOI8-R', 'koi8-r', 'koi8-r']);
  });

  test('charset: legacy charsets are decoded as in Express', async () => {
    const bytes = Buffer.from('61e9e8d0b1c1a4b5f0203132', 'hex');
    for (const charset of words(`
      utf8 latin1 us-ascii binary windows-1252 cp1251 koi8-r iso-8859-15 macroman shift_jis euc-jp big5
      gbk gb18030 euc-kr utf-7 cesu-8 ucs2 utf-16be
    `)) {
      assert.ok(await textOf(bytes, `${TEXT_TYPE}; charset=${charset}`), charset);
    }
  });

  test('charset: an unknown charset is a 415', async () => {
    for (const charset of ['foo', 'utf-9', '__proto__', 'toString', 'internal', 'null']) {
      const answer = await same(
        reporting(web => web.text()),
        post(`${TEXT_TYPE}; charset=${charset}`, 'abc'),
      );
      assert.equal(answer.status, 415, charset);
      assert.equal(JSON.parse(answer.text).charset, charset.toLowerCase());
    }
    const own = await ask(
      reporting(web => web.text())(frameworks.ristretto),
      post(`${TEXT_TYPE}; charset=constructor`, 'abc'),
    );
    assert.equal(own.status, 415);
  });

  test('charset: UTF-32 is decoded in both byte orders, with and without a byte order mark', async () => {
    const parse = reporting(web => web.text())(frameworks.ristretto);
    for (const [charset, hex] of [
      ['utf-32le', '6100000000f60100'],
      ['utf-32be', '000000610001f600'],
      ['utf-32', 'fffe00006100000000f60100'],
      ['utf-32', '0000feff000000610001f600'],
      ['utf-32', '6100000000f60100'],
    ] as [string, string][]) {
      const answer = await ask(parse, post(`${TEXT_TYPE}; charset=${charset}`, Buffer.from(hex, 'hex')));
      assert.equal(JSON.parse(answer.text).body, 'a😀', charset + hex);
    }
  });

  test('charset: invalid bytes become U+FFFD, and one byte order mark at the start is removed', async () => {
    assert.equal(await textOf(Buffer.from('61ffc3e282', 'hex'), TEXT_TYPE), 'a\ufffd\ufffd\ufffd');
    assert.equal(await textOf(Buffer.from('efbbbfefbbbf61', 'hex'), TEXT_TYPE), '\ufeffa');
    assert.equal(await textOf(Buffer.from('efbb', 'hex'), TEXT_TYPE), '\ufffd');
    assert.equal(await textOf(Buffer.from('fffe', 'hex'), `${TEXT_TYPE}; charset=utf-16`), '');
  });
});

const RAW_TYPE = 'application/octet-stream';
const raw = reporting(web => web.raw());

describe('web.raw', () => {
  testCommonOptions({
    member: 'raw',
    type: RAW_TYPE,
    body: 'user=tobi',
    parsed: { hex: Buffer.from('user=tobi').toString('hex') },
  });

  test('body: every byte is kept', async () => {
    const bytes = Buffer.from(Array.from({ length: 256 }, (_, value) => value));
    const answer = await same(raw, post(RAW_TYPE, bytes));
    assert.equal(JSON.parse(answer.text).body.hex, bytes.toString('hex'));
  });

  test('empty body: becomes an empty Buffer', async () => {
    assert.deepEqual(JSON.parse((await same(raw, post(RAW_TYPE, ''))).text).body, { hex: '' });
  });

  test('charset: is ignored, even for verify', async () => {
    let charset: unknown;
    const verify = (_req: unknown, _res: unknown, _bytes: Buffer, encoding: unknown): void => {
      charset = encoding;
    };
    const answer = await same(
      reporting(web => web.raw({ verify })),
      post(`${RAW_TYPE}; charset=foo`, '\ufeffa'),
    );
    assert.equal(JSON.parse(answer.text).body.hex, 'efbbbf61');
    assert.equal(charset, null);
  });
});
