/** The body parsers, compared with those of body-parser 2: what differs from body-parser 1, and what does not. */
import assert from 'node:assert/strict';
import net from 'node:net';
import { describe, test } from 'node:test';
import zlib from 'node:zlib';
import web from 'ristretto5';
import { ask, withServer } from '../../engine/test/support/http.js';
import type { Ask } from '../../engine/test/support/http.js';
import { alike, frameworks, quiet, same } from './support/oracle.js';
import type { Web } from './support/oracle.js';

/* eslint-disable @typescript-eslint/no-explicit-any -- options that the types refuse */
type Name = 'json' | 'urlencoded' | 'text' | 'raw';
const FORM = 'application/x-www-form-urlencoded';

/** The body parsers, compared with those of body-parser 2. */
describe('bodies', () => {
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

const NAMES: Name[] = ['json', 'urlencoded', 'text', 'raw'];

const TYPES = {
  json: 'application/json',
  urlencoded: 'application/x-www-form-urlencoded',
  text: 'text/plain',
  raw: 'application/octet-stream',
};

/** Errors and options of the body parsers that are the same in body-parser 2 as in body-parser 1. */
describe('bodies', () => {
  /** Parses, and responds with the body, or with the properties of the error. */
  const parsing =
    (name: Name, options?: object, before?: web.RequestHandler) =>
    (web: Web): web.Application => {
      const app = quiet(web());
      if (before) app.use(before);
      app.use((web[name] as (options?: object) => web.RequestHandler)(options));
      app.use((req: any, res) => {
        const { body } = req;
        res.json([typeof body, Buffer.isBuffer(body) ? body.toString('hex') : body]);
      });
      app.use(((error, _req, res, _next) => {
        const { message, body, ...shown } = error;
        res
          .status(error.status ?? 500)
          .json({ name: error.name, message: name === 'json' ? '' : message, body, ...shown });
      }) as web.ErrorRequestHandler);
      return app;
    };
  const post = (name: Name, body: string | Buffer, headers: Record<string, string> = {}): Ask => ({
    method: 'POST',
    headers: { 'Content-Type': TYPES[name], ...headers },
    body,
  });

  test('errors: those for limits, codings, charsets and lengths have the properties of body-parser 2', async () => {
    for (const name of NAMES) {
      await same(parsing(name, { limit: 3 }), post(name, '{"a":1}'));
      await same(
        parsing(name, { limit: '2b' }),
        post(name, zlib.gzipSync('{"a":1}'), { 'Content-Encoding': 'gzip' }),
      );
      await same(parsing(name), post(name, '{}', { 'Content-Encoding': 'gzip' }));
      await same(parsing(name), post(name, '{}', { 'Content-Encoding': 'x-own' }));
      await same(parsing(name), post(name, '{}', { 'Content-Encoding': 'gzip, gzip' }));
      await same(parsing(name), post(name, '{}', { 'Content-Encoding': 'identity' }));
      await same(parsing(name, { inflate: false }), post(name, '{}', { 'Content-Encoding': 'br' }));
      await same(parsing(name), post(name, '{}', { 'Content-Type': `${TYPES[name]}; charset=x-own` }));
      await same(parsing(name), post(name, '[1]', { 'Content-Type': `${TYPES[name]}; charset="utf-16le"` }));
    }
  });

  test('charset: is the first one, and is read in spite of malformed parameters beside it', async () => {
    for (const name of NAMES) {
      for (const parameters of [
        ...['charset=utf-8; charset=latin1', 'charset=latin1; charset=utf-8', 'charset=; charset=latin1'],
        ...['charset=latin1; junk', 'junk; charset=latin1', 'charset=latin1;', 'charset="latin1'],
      ])
        await same(parsing(name), post(name, '[1]', { 'Content-Type': `${TYPES[name]}; ${parameters}` }));
    }
  });

  test('verify: gets the bytes and the charset, and its error is a 403', async () => {
    for (const name of NAMES) {
      for (const thrown of [
        new Error('no'),
        Object.assign(new Error('no'), { status: 400, type: 'own' }),
        'text',
      ]) {
        const verify = (_req: unknown, _res: unknown, bytes: Buffer, charset: string) => {
          if (bytes.length > 2) throw thrown;
          assert.ok(charset === undefined || typeof charset === 'string');
        };
        for (const body of ['{}', '{"a":1}']) await same(parsing(name, { verify }), post(name, body));
      }
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
        await same(parsing('text', { type }), {
          method: 'POST',
          headers: { 'Content-Type': sent },
          body: '{}',
        });
      }
    }
  });

  test('web.json: handles reviver, strict and empty bodies', async () => {
    const reviver = (key: string, value: unknown) => (key === 'a' ? 'revived' : value);
    for (const body of [
      '{"a":1}',
      '[{"a":1}]',
      '\uFEFF{"a":1}',
      '  ',
      '\n[1]',
      '{"__proto__":{"x":1}}',
      '5',
      '{"a":1}x',
    ]) {
      await same(parsing('json', { reviver }), post('json', body));
      await same(parsing('json', { strict: false }), post('json', body));
    }
  });

  test('parsers: skip a body that another middleware has read', async () => {
    for (const name of NAMES) {
      await same(
        parsing(name, {}, (req, _res, next) => {
          req.resume().on('end', () => setImmediate(next));
        }),
        post(name, '{}'),
      );
    }
  });

  test('errors: a truncated body is request.aborted, and one of the wrong length is a 400', async () => {
    for (const framework of Object.values(frameworks)) {
      const app = quiet(framework());
      let disconnect = (): void => undefined;
      app.use((_req, _res, next) => {
        setImmediate(() => {
          disconnect();
        });
        next();
      });
      app.use(framework.json());
      const reported = new Promise<any>(resolve => {
        app.use(((error, _req, _res, _next) => {
          resolve(error);
        }) as web.ErrorRequestHandler);
      });
      await withServer(app as never, async port => {
        const socket = net.connect(port, '127.0.0.1');
        socket.write(
          'POST / HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: 9\r\n\r\n{"a"',
        );
        disconnect = () => void socket.destroy();
        const { message, type, status, code, expected, received } = await reported;
        assert.deepEqual(
          { message, type, status, code, expected, received },
          {
            message: 'request aborted',
            type: 'request.aborted',
            status: 400,
            code: 'ECONNABORTED',
            expected: 9,
            received: 4,
          },
        );
      });
    }
    for (const name of NAMES) {
      await same(
        parsing(name, {}, (req, _res, next) => {
          req.headers['content-length'] = '5';
          next();
        }),
        post(name, '{}'),
      );
    }
  });
});
