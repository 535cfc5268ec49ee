/** The body parsers, compared with those of body-parser 2: what differs from body-parser 1. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { describe, test } from 'node:test';
import zlib from 'node:zlib';
import type web from 'ristretto5';
import type { Ask } from '../../engine/test/support/http.js';
import { words } from '../../engine/test/support/random.js';
import { alike, quiet, same } from './support/oracle.js';
import type { Web } from './support/oracle.js';

/* eslint-disable @typescript-eslint/no-explicit-any -- options that the types refuse */
type Name = 'json' | 'urlencoded' | 'text' | 'raw';
const FORM = 'application/x-www-form-urlencoded';
const TYPES = {
  json: 'application/json',
  urlencoded: FORM,
  text: 'text/plain',
  raw: 'application/octet-stream',
};

describe('bodies', () => {
  /** Parses, and responds with the request's body and state, or with the error. */
  const parsing =
    (name: Name, options?: object, before?: (req: any) => unknown) =>
    (web: Web): web.Application => {
      const app = quiet(web());
      app.use(async (req, _res, next) => {
        await before?.(req);
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

  test('web.json: parses in spite of malformed parameters', async () => {
    for (const type of ['application/json;;', 'application/json; x', 'application/json; charset=utf-16le'])
      await same(parsing('json'), post(type, '{"a":1}'));
  });

  test('parsers: decode br', async () => {
    const body = zlib.brotliCompressSync('{"a":"é"}');
    await same(parsing('json'), post('application/json', body, { 'Content-Encoding': 'br' }));
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

  test('web.urlencoded: accepts UTF-8 and ISO-8859-1, by header, default, sentinel and numeric entities', async () => {
    const forms = words(`
      a=%E9&b=\u00e9 utf8=%E2%9C%93&a=%C3%A9 utf8=%26%2310003%3B&a=%E9 a=%26%239786%3B utf8=x&a=1
      a=1&utf8=%E2%9C%93 a%26%23233%3B=%%23&b=%26%23%32%333%3B a=%c%26%23100%3B&b=%26%2337%3B41
    `);
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

  test('charset: is the first one, and is read in spite of malformed parameters beside it', async () => {
    for (const [name, type] of Object.entries(TYPES)) {
      for (const parameters of [
        ...['charset=utf-8; charset=latin1', 'charset=latin1; charset=utf-8', 'charset=; charset=latin1'],
        ...['charset=latin1; junk', 'junk; charset=latin1', 'charset=latin1;', 'charset="latin1'],
      ])
        await same(parsing(name as Name), post(`${type}; ${parameters}`, '[1]'));
    }
  });

  test('type: is a string, an array or a function; malformed parameters are ignored', async () => {
    const types: unknown[] = [
      'json',
      '*/*',
      ['text/*', '+json'],
      'x',
      () => true,
      (req: any) => req.method === 'PUT',
      '',
    ];
    for (const type of types) {
      for (const sent of ['application/json', 'text/x; y', 'a/vnd.b+json;;', 'a', '']) {
        await same(parsing('text', { type }), post(sent, '{}'));
      }
    }
  });

  test('parsers: skip a body that another middleware has read', async () => {
    for (const [name, type] of Object.entries(TYPES))
      await same(
        parsing(name as Name, {}, req => once(req.resume(), 'end')),
        post(type, '{}'),
      );
  });
});
