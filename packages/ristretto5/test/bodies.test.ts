/** The body parsers, compared with those of body-parser 2. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import zlib from 'node:zlib';
import web from 'ristretto5';
import { ask } from '../../engine/test/support/http.js';
import type { Ask } from '../../engine/test/support/http.js';
import { alike, quiet, same } from './support/oracle.js';
import type { Web } from './support/oracle.js';

/* eslint-disable @typescript-eslint/no-explicit-any -- options that the types refuse */
type Name = 'json' | 'urlencoded' | 'text' | 'raw';

/** Parses, and responds with the request's body and state, or with the error. */
const parsing =
  (name: Name, options?: object, before?: (req: any) => void) =>
  (web: Web): web.Application => {
    const app = quiet(web());
    app.use((req, _res, next) => {
      before?.(req);
      next();
    });
    app.use((web[name] as (options?: object) => web.RequestHandler)(options));
    app.use((req: any, res) => {
      const { body } = req;
      res.json([
        Object.hasOwn(req, 'body'),
        '_body' in req,
        body ?? String(body),
        Object.getPrototypeOf(Object(body)) === null,
      ]);
    });
    app.use(((error, _req, res, _next) => {
      const { status, type, message, name, limit, charset, encoding } = error;
      res.status(status ?? 500).json({
        status,
        type,
        message: type === 'entity.parse.failed' ? '' : message,
        name,
        limit,
        charset,
        encoding,
      });
    }) as web.ErrorRequestHandler);
    return app;
  };

const post = (type: string, body: string | Buffer, headers: Record<string, string> = {}): Ask => ({
  method: 'POST',
  headers: { 'Content-Type': type, ...headers },
  body,
});
const FORM = 'application/x-www-form-urlencoded';

describe('bodies', () => {
  test('req.body: is unchanged, or an own undefined property, if there is nothing to parse', async () => {
    for (const name of ['json', 'urlencoded', 'text', 'raw'] as const) {
      await same(parsing(name), {});
      await same(parsing(name), post('image/png', 'x'));
      await same(
        parsing(name, {}, req => (req.body = 'mine')),
        post('image/png', 'x'),
      );
    }
    await same(parsing('json'), post('application/json', ''));
  });

  test('req._body: is neither set nor read', async () => {
    await same(
      parsing('json', {}, req => (req._body = true)),
      post('application/json', '{"a":1}'),
    );
    await same(parsing('json'), post('application/json', '{"a":1}'));
  });

  test('parsers: skip a body that another parser has read', async () => {
    await same(
      web => {
        const app = quiet(web());
        app.use(web.json(), web.text({ type: '*/*' }), web.json(), web.raw({ type: '*/*' }));
        return app.use((req, res) => void res.json([req.body as unknown]));
      },
      post('application/json', '{"a":1}'),
    );
  });

  test('web.json: parses and rejects as body-parser 2 does', async () => {
    for (const body of ['{"a":[1]}', '', '[]', '"text"', '{bad', ' {"a":1}', 'null']) {
      await same(parsing('json'), post('application/json', body));
      await same(parsing('json', { strict: false }), post('application/json', body));
    }
    await same(parsing('json', { limit: 3 }), post('application/json', '{"a":1}'));
    await same(
      parsing('json', { inflate: false }),
      post('application/json', zlib.gzipSync('{}'), { 'Content-Encoding': 'gzip' }),
    );
    for (const type of [
      'application/json;;',
      'application/json; x',
      'application/json; charset=latin1',
      'application/json; charset=utf-16le',
    ]) {
      await same(parsing('json'), post(type, '{"a":1}'));
    }
  });

  test('parsers: decode gzip, deflate and br, in any case', async () => {
    const bytes = Buffer.from('{"a":"é"}');
    const coded = {
      gzip: zlib.gzipSync(bytes),
      GZIP: zlib.gzipSync(bytes),
      deflate: zlib.deflateSync(bytes),
      br: zlib.brotliCompressSync(bytes),
    };
    for (const [coding, body] of Object.entries(coded)) {
      await same(parsing('json'), post('application/json', body, { 'Content-Encoding': coding }));
    }
    await same(parsing('json'), post('application/json', bytes, { 'Content-Encoding': 'x-none' }));
  });

  test('parsers: decode zstd if Node supports it', async () => {
    const { zstdCompressSync } = zlib as { zstdCompressSync?: (bytes: string) => Buffer };
    const body = zstdCompressSync?.('{"a":1}') ?? Buffer.from('x');
    const { status } = await same(
      parsing('json'),
      post('application/json', body, { 'Content-Encoding': 'zstd' }),
    );
    assert.equal(status, zstdCompressSync ? 200 : 415);
  });

  test('web.urlencoded: is flat by default, without a warning', async () => {
    const forms = [
      'a=1&a=2&b[c]=3&d',
      'a[]=1&a[]=2',
      '__proto__[x]=1&toString=2',
      'a=%zz&b=%E9&c=+',
      '',
      '&&',
      'a.b=1',
      'a[b][c][d]=1',
    ];
    for (const form of forms) {
      await same(parsing('urlencoded'), post(FORM, form));
      await same(parsing('urlencoded', { extended: false }), post(FORM, form));
      await same(parsing('urlencoded', { extended: true }), post(FORM, form));
    }
  });

  test('web.urlencoded: limits depth and parameters', async () => {
    await same(parsing('urlencoded', { extended: true }), post(FORM, `a${'[b]'.repeat(33)}=1`));
    await same(parsing('urlencoded', { extended: true, depth: 1 }), post(FORM, 'a[b][c]=1'));
    await same(parsing('urlencoded', { parameterLimit: 2 }), post(FORM, 'a&b&c'));
    await same(parsing('urlencoded', { limit: 2 }), post(FORM, 'abc'));
  });

  test('web.urlencoded: accepts UTF-8 and ISO-8859-1, by header, default, sentinel and numeric entities', async () => {
    const forms = [
      'a=%E9&b=\u00e9',
      'utf8=%E2%9C%93&a=%C3%A9',
      'utf8=%26%2310003%3B&a=%E9',
      'a=%26%239786%3B',
      'utf8=x&a=1',
      'a=1&utf8=%E2%9C%93',
      'a%26%23233%3B=%%23&b=%26%23%32%333%3B',
      'a=%c%26%23100%3B&b=%26%2337%3B41',
    ];
    const all = [
      {},
      { charsetSentinel: true },
      { interpretNumericEntities: true },
      { charsetSentinel: true, interpretNumericEntities: true },
    ];
    for (const form of forms) {
      for (const options of all) {
        for (const extended of [true, false]) {
          for (const charset of ['', '; charset=utf-8', '; charset=iso-8859-1', '; charset=koi8-r']) {
            await same(
              parsing('urlencoded', { extended, ...options }),
              post(FORM + charset, Buffer.from(form, 'latin1')),
            );
          }
          await same(
            parsing('urlencoded', { extended, defaultCharset: 'iso-8859-1', ...options }),
            post(FORM, Buffer.from(form, 'latin1')),
          );
        }
      }
    }
    alike(web => web.urlencoded({ defaultCharset: 'latin1' } as any));
  });

  test('web.text, web.raw: parse as body-parser 2 does', async () => {
    await same(parsing('text'), post('text/plain', 'é'));
    await same(parsing('text'), post('text/plain; charset=latin1', Buffer.from('é', 'latin1')));
    await same(parsing('text', { defaultCharset: 'latin1' }), post('text/plain', Buffer.from('é', 'latin1')));
    await same(parsing('raw'), post('application/octet-stream', Buffer.from([0, 255])));
    await same(parsing('raw', { type: 'x/y' }), post('x/y', 'abc'));
  });

  test('options: are rejected as by body-parser 2', () => {
    for (const options of [{ limit: 'x' }, { verify: 1 }]) alike(web => web.json(options as any));
    for (const options of [{ parameterLimit: 'x' }, { extended: true, depth: -1 }])
      alike(web => web.urlencoded(options as any));
  });

  test('fetch: an application without a server parses bodies too', async () => {
    const app = web().use(web.json(), (req, res) => void res.json(req.body));
    const response = await app.fetch(
      new Request('http://x/', {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: '{"a":1}',
      }),
    );
    assert.equal(await response.text(), '{"a":1}');
    assert.equal((await ask(app, post('application/json', '{"b":2}'))).text, '{"b":2}');
  });
});
