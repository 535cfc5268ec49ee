/** Errors and options of the body parsers that are the same in body-parser 2 as in body-parser 1. */
import assert from 'node:assert/strict';
import net from 'node:net';
import { describe, test } from 'node:test';
import zlib from 'node:zlib';
import type web from 'ristretto5';
import { withServer } from '../../engine/test/support/http.js';
import type { Ask } from '../../engine/test/support/http.js';
import { frameworks, quiet, same } from './support/oracle.js';
import type { Web } from './support/oracle.js';

/* eslint-disable @typescript-eslint/no-explicit-any -- options that the types refuse */
type Name = 'json' | 'urlencoded' | 'text' | 'raw';
const NAMES: Name[] = ['json', 'urlencoded', 'text', 'raw'];
const TYPES = {
  json: 'application/json',
  urlencoded: 'application/x-www-form-urlencoded',
  text: 'text/plain',
  raw: 'application/octet-stream',
};

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

describe('bodies', () => {
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
