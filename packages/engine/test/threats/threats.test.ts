/** Known attacks that concern more than one member, decoders and connections; the others are in the files of their members. */
import assert from 'node:assert/strict';
import type http from 'node:http';
import net from 'node:net';
import { describe, test } from 'node:test';
import type { TestContext } from 'node:test';
import zlib from 'node:zlib';
import type { ErrorRequestHandler, Response } from 'express';
import web from 'ristretto';
import { post } from '../support/body-parsers.js';
import { answering } from '../support/compare.js';
import { ask, askPort, exchangeRaw, withServer } from '../support/http.js';
import { same } from '../support/oracle.js';
import { words } from '../support/random.js';

describe('threats: paths', () => {
  const guarded = (path: string | RegExp | (string | RegExp)[]) => {
    const app = web();
    app.use(path, (_req, res) => void res.status(403).end());
    app.get('/admin/:page', (_req, res) => void res.send('secret'));
    return app as never;
  };
  const spellings = [
    ...words(`
      /admin/x /ADMIN/x /admin/x/ /admin//x /admin/x%2Fy /admin/;x /admin/x;y /admin/%78 /admin%2Fx
      //admin/x /admin;/x /admin;x/x /;/admin/x /%61dmin/x /./admin/x /x/../admin/x /admin%2fx /admin\\x
      /admin%5Cx /admin%00/x
    `),
    '/ admin/x',
    '/admin%20/x',
    '/admin./x',
  ];

  test('CVE-2026-33804: a doubled slash does not bypass a guard', async () => {
    for (const path of ['//admin/x', '/admin//x', '///admin///x', '//admin//x/'])
      assert.notEqual((await ask(guarded('/admin'), path)).text, 'secret', path);
  });

  test('CVE-2026-14198, CVE-2026-33808: %2F, a semicolon or another spelling does not bypass a guard', async () => {
    for (const path of spellings) assert.notEqual((await ask(guarded('/admin'), path)).text, 'secret', path);
  });

  test('CVE-2026-112712: a guard with a trailing slash, in a list or as an expression guards the same paths', async () => {
    for (const guard of [
      '/admin',
      '/admin/',
      ['/other', '/admin/'],
      /^\/admin(?=\/|$)/i,
      [/^\/admin(?=\/|$)/i],
    ]) {
      const statuses = await Promise.all(
        spellings.map(async path => (await ask(guarded(guard), path)).status),
      );
      assert.deepEqual(
        statuses,
        await Promise.all(spellings.map(async path => (await ask(guarded('/admin'), path)).status)),
      );
      assert.ok(!statuses.includes(200));
    }
  });
});

describe('threats: HTTP', () => {
  test('CVE-2025-7339: writeHead sends a list of headers as it is', async () => {
    const list = ['X-A', '1', 'x-b', '2', 'X-A', '3'];
    const answer = await same(
      answering((_req, res) => void res.writeHead(201, list as never).end('x'), { 'x-powered-by': false }),
    );
    assert.deepEqual(answer.rawHeaders.slice(0, 3).flat(), list);
    const merged = await same(
      answering(
        (_req, res) =>
          void res
            .set('X-B', 'set')
            .writeHead(201, ['x-a', '1', 'x-b', '2'] as never)
            .end(),
      ),
    );
    assert.deepEqual([merged.headers['x-a'], merged.headers['x-b']], ['1', '2']);
  });

  test('smuggling: headers that a handler changes do not affect the framing of the body', async () => {
    const app = web().use((req, _res, next) => {
      req.headers['content-length'] = '1';
      next();
    });
    app.use((req, res) => {
      let size = 0;
      req.on('data', (chunk: Buffer) => (size += chunk.length));
      req.on('end', () => void res.json(size));
    });
    assert.equal((await ask(app as never, post('text/plain', '0123456789'))).text, '10');
  });

  test('__proto__: as a header name changes no object, in requests and responses', async () => {
    const answer = await same(
      answering((req, res) => {
        res.set('__proto__', 'sent').set(JSON.parse('{"__proto__":"again"}') as object);
        res.json([Object.keys(req.headers), ({} as Record<string, unknown>).polluted]);
      }),
      { headers: { ['__proto__']: '{"polluted":1}' } },
    );
    assert.equal(answer.status, 200);
    assert.deepEqual(
      answer.rawHeaders.find(([name]) => name === '__proto__'),
      ['__proto__', 'again'],
    );
    assert.equal(({} as Record<string, unknown>).polluted, undefined);
  });

  test('one response per request: is sent, whatever the handlers do', async () => {
    const mischief: ((res: Response, next: (err?: unknown) => void) => void)[] = [
      res =>
        void res
          .once('error', () => {})
          .send('1')
          .end('2'),
      res => {
        res.send('1');
        res.send('2');
      },
      (res, next) => {
        res.send('1');
        next(new Error('late'));
      },
      (res, next) => {
        res.send('1');
        next();
      },
      res => {
        res.redirect('/x');
        res.json({});
      },
      res => {
        res.sendStatus(200);
        throw new Error('late');
      },
    ];
    for (const [at, act] of mischief.entries()) {
      const app = web().set('env', 'test');
      app.use((_req, res, next) => act(res as unknown as Response, next));
      await withServer(app as never, async port => {
        const answer = await askPort(port);
        assert.equal(answer.raw.match(/HTTP\/1\.1 /g)?.length, 1, String(at));
        assert.ok(answer.text === '1' || answer.text === 'OK' || answer.status === 302, answer.text);
      });
    }
  });
});

/** Records the decoders created and the unhandled errors. */
function watch(t: TestContext): { decoders: zlib.Gunzip[]; unhandled: unknown[] } {
  const decoders: zlib.Gunzip[] = [];
  const make = zlib.createGunzip;
  t.mock.method(zlib, 'createGunzip', () => {
    decoders.push(make());
    return decoders.at(-1);
  });
  const unhandled: unknown[] = [];
  const note = (error: unknown): number => unhandled.push(error);
  process.on('uncaughtException', note);
  t.after(() => process.off('uncaughtException', note));
  return { decoders, unhandled };
}

describe('threats: bodies', () => {
  test('CVE-2026-111181: a decoder is destroyed before the response, and reads no more of the body', async t => {
    const { decoders, unhandled } = watch(t);
    const app = web();
    app.use(web.text({ limit: 10 }) as never);
    let settle: (status: number) => void;
    const refused = new Promise<number>(resolve => (settle = resolve));
    const refuse: ErrorRequestHandler = (error: { status: number }, _req, res, _next) => {
      settle(error.status);
      res.status(error.status).end();
    };
    app.use(refuse as never);
    const good = zlib.gzipSync(Buffer.alloc(1000, 'x'));
    const bad = Buffer.alloc(50_000, 0xff);
    await withServer(app as never, async port => {
      const socket = net.connect(port, '127.0.0.1');
      const closed = new Promise(resolve => socket.on('close', resolve));
      socket.on('error', () => undefined).resume();
      const head = `POST / HTTP/1.1\r\nHost: x\r\nContent-Type: text/plain\r\nContent-Encoding: gzip\r\nConnection: close\r\n`;
      socket.write(`${head}Content-Length: ${good.length - 8 + bad.length}\r\n\r\n`);
      socket.write(good.subarray(0, -8));
      // The limit is exceeded as soon as the first part is decoded
      while (decoders.length === 0 || decoders[0]!.bytesWritten === 0 || !decoders[0]!.destroyed) {
        await new Promise(resolve => setImmediate(resolve));
      }
      assert.equal(decoders[0]!.listenerCount('data'), 0);
      const read = decoders[0]!.bytesWritten;
      socket.write(bad);
      assert.equal(await refused, 413);
      await closed;
      assert.equal(decoders[0]!.bytesWritten, read);
    });
    assert.deepEqual([decoders.length, unhandled], [1, []]);
  });

  test('CVE-2026-111181: an unknown charset is rejected before a decoder is created', async t => {
    const { decoders } = watch(t);
    const app = web();
    app.set('env', 'production').use(web.text() as never);
    const body = zlib.gzipSync('x');
    const headers = { 'content-type': 'text/plain; charset=foo', 'content-encoding': 'gzip' };
    await withServer(app as never, async port => {
      const answer = await fetch(`http://127.0.0.1:${port}/`, { method: 'POST', headers, body });
      assert.equal(answer.status, 415);
      await answer.arrayBuffer();
    });
    assert.equal(decoders.length, 0);
  });
});

/** Returns everything received for two requests on one connection, which the second one closes. */
async function kept(app: unknown): Promise<string> {
  const requests =
    'GET / HTTP/1.1\r\nHost: x\r\n\r\nGET /last HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n';
  return (await withServer(app as http.Server, port => exchangeRaw(port, requests))).toString('latin1');
}

const breaking = ['a\r\nX-Evil: 1', 'a\nX-Evil: 1', 'a\rb', 'a\0b', 'a\u0100\r\nX-Evil: 1'];

/** Asserts that every use of such a value throws and that nothing of it is sent. */
async function assertThrows(use: (res: Response, value: string) => void): Promise<void> {
  for (const value of breaking) {
    let thrown: unknown;
    const app = web().use((req, res) => {
      if (req.url === '/last') {
        res.send('last');
        return;
      }
      try {
        use(res as never, value);
      } catch (error) {
        thrown = error;
        res.statusMessage = 'OK';
        res.removeHeader('Content-Length');
        res.end();
      }
    });
    const answers = await kept(app);
    assert.ok(thrown instanceof Error, JSON.stringify(value));
    assert.doesNotMatch(answers, /x-evil/i);
    assert.match(answers, /last$/);
  }
}

describe('threats: keep-alive connections', () => {
  test('CR LF: reason phrases throw', () =>
    assertThrows((res, value) => {
      res.statusMessage = value;
      res.send('x');
    }));

  test('CR LF: header values throw', async () => {
    await assertThrows((res, value) => void res.set('X-A', value).send('x'));
    await assertThrows((res, value) => void res.set({ 'X-A': ['b', value] }).send('x'));
    await assertThrows((res, value) => void res.append('X-A', value).send('x'));
    await assertThrows((res, value) => void res.links({ next: value }).send('x'));
    await assertThrows((res, value) => void res.vary(value).send('x'));
    await assertThrows((res, value) => void res.type(`text/${value}`).send('x'));
    await assertThrows((res, value) => void res.set('ETag', value).json('x'));
  });

  test('CR LF: cookies throw', async () => {
    await assertThrows((res, value) => void res.cookie(value, 'x').send('x'));
    await assertThrows((res, value) => void res.cookie('a', 'x', { path: value }).json('x'));
    await assertThrows((res, value) => void res.cookie('a', 'x', { domain: value }).json('x'));
    await assertThrows((res, value) => void res.cookie('a', value, { encode: text => text }).send('x'));
  });

  test('CR LF: header names throw', async () => {
    await assertThrows((res, value) => void res.set(`X-${value}`, 'x').send('x'));
  });
});
