// runs: each
/** Requests and responses: tools can replace their prototypes, patch their functions and read their fields. */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import http from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { ask, askPort, exchangeRaw, withServer } from '../../engine/test/support/http.js';
import type { Ask } from '../../engine/test/support/http.js';
import { frameworks } from '../../engine/test/support/oracle.js';
import type { Web } from '../../engine/test/support/oracle.js';

type Loose = Record<string, unknown>;

for (const [framework, web] of Object.entries(frameworks) as [string, Web][]) {
  describe(`internals: messages (${framework})`, () => {
    test('express.request.__proto__: can be replaced, as for HTTP/2', async () => {
      const other = Object.create(http.IncomingMessage.prototype, {
        mark: { value: 'other', configurable: true },
      }) as object;
      const { request } = web as unknown as { request: object };
      Object.setPrototypeOf(request, other);
      try {
        const app = web().get('/', (req, res) => void res.send((req as unknown as { mark: string }).mark));
        assert.equal((await ask(app)).text, 'other');
      } finally {
        Object.setPrototypeOf(request, http.IncomingMessage.prototype);
      }
    });
    for (const [holder, name] of [
      ['request', 'aborted'],
      ['request', 'method'],
      ['request', 'httpVersion'],
      ['request', 'headers'],
      ['response', 'finished'],
      ['response', 'shouldKeepAlive'],
    ] as const) {
      test(`app.${holder}: may have a getter '${name}', which Node's own property hides if there is one`, async () => {
        const app = web().use(
          (req, res) => void res.send(`${req.method}${req.url} ${Object.keys(req.headers).join()}`),
        );
        const prototype = (app as unknown as Record<string, object>)[holder]!;
        const define = (): unknown => Object.defineProperty(prototype, name, { get: () => ({ own: 1 }) });
        // Node reads the headers before the application: another object there is for all requests of a server
        if (name === 'headers') define();
        const one = 'GET / HTTP/1.1\r\nHost: a\r\n';
        const bytes = await withServer(app, port => {
          if (name !== 'headers') define();
          return exchangeRaw(port, `${one}\r\n`.repeat(3) + `${one}Connection: close\r\n\r\n`);
        });
        const seen = bytes.toString().match(/GET\/ .*?(?=HTTP|$)/gs);
        const kept = name === 'headers' ? 'GET/ own' : 'GET/ host';
        assert.deepEqual(seen, [kept, kept, kept, name === 'headers' ? kept : 'GET/ host,connection']);
      });
    }
    test('app.request =: through a proxy of the application, applies to its requests', async () => {
      const app = web().get('/', (req, res) => void res.send(String((req as unknown as Loose).mark)));
      const { request } = app as unknown as { request: object };
      const marked = Object.create(request, { mark: { value: 'other' } }) as object;
      (new Proxy(app, {}) as unknown as { request: object }).request = marked;
      assert.equal((await ask(app)).text, 'other');
    });
    test('app.response.send =: applies to one application', async () => {
      const app = web().get('/', (_req, res) => void res.send('x'));
      const { response } = app as unknown as { response: Loose };
      const { send } = response as { send: (body: string) => unknown };
      response.send = function (this: object, body: string) {
        return send.call(this, `${body} wrapped`);
      };
      assert.equal((await ask(app)).text, 'x wrapped');
      assert.equal((await ask(web().get('/', (_req, res) => void res.send('x')))).text, 'x');
    });
    test('res._header: is null before the header block is created, then its text', async () => {
      const seen: unknown[] = [];
      const app = web().get('/', (_req, res) => {
        const internals = res as unknown as { _header: unknown };
        seen.push(internals._header);
        res.send('x');
        seen.push(typeof internals._header, String(internals._header).split('\r\n')[0]);
      });
      await ask(app);
      assert.deepEqual(seen, [null, 'string', 'HTTP/1.1 200 OK']);
    });
    const members = 'end write writeHead on setHeader getHeader _implicitHeader _storeHeader _send';
    for (const member of members.split(' ')) {
      test(`res.${member}: is called if patched in middleware, as on-headers, compression and sessions do`, async () => {
        const calls: unknown[] = [];
        const app = web();
        app.use((_req, res, next) => {
          const target = res as unknown as Record<string, (...args: unknown[]) => unknown>;
          const original = target[member]!;
          target[member] = function (this: unknown, ...args: unknown[]) {
            calls.push(member);
            return original.apply(this, args);
          };
          next();
        });
        app.get('/', (_req, res) => {
          res.once('finish', () => undefined);
          res.write('a');
          res.end('b');
        });
        app.get('/send', (_req, res) => void res.once('finish', () => undefined).send('ab'));
        assert.equal((await ask(app)).text, 'ab');
        // `end` need not call `write`, as in Node itself
        if (member !== 'write') calls.length = 0;
        assert.equal((await ask(app, '/send')).text, 'ab');
        assert.ok(calls.length > 0);
      });
    }
    test('res._implicitHeader: creates the header block when tools call it', async () => {
      const app = web().get('/', (_req, res) => {
        res.set('X-Early', 'yes');
        (res as unknown as { _implicitHeader(): void })._implicitHeader();
        assert.equal(res.headersSent, true);
        res.end('x');
      });
      assert.equal((await ask(app)).headers['x-early'], 'yes');
    });
    test('res.locals: exists before the first middleware, and can be assigned', async () => {
      const app = web().use((_req, res, next) => {
        assert.deepEqual({ ...res.locals }, {});
        assert.equal(Object.getPrototypeOf(res.locals), null);
        res.locals = { mine: 'yes' };
        next();
      });
      app.use(web().use((_req, res) => void res.json(res.locals)));
      assert.equal((await ask(app)).text, '{"mine":"yes"}');
    });
    test('res.locals: is kept if it was set before the application', async () => {
      const app = web().use((_req, res) => void res.json(res.locals));
      const handler = (req: object, res: object): void => {
        Object.assign(res, { locals: { before: 1 } });
        (app as (req: object, res: object) => void)(req, res);
      };
      await withServer(handler, async port => {
        for (let i = 0; i < 3; i++) assert.equal((await askPort(port)).text, '{"before":1}');
      });
    });
    test('app.response: can be an object that inherits from the response of all applications', async () => {
      const app = web().use((_req, res) => void res.json([res.locals, res.req.url]));
      (app as unknown as { response: object }).response = Object.create(
        (web as unknown as { response: object }).response,
        { app: { value: app } },
      ) as object;
      assert.equal((await ask(app, '/x')).text, '[{},"/x"]');
      assert.equal((await ask(app.listen(0), '/x')).text, '[{},"/x"]');
    });
    test('Object.create(res): removes headers of the original', async () => {
      const app = web().use((_req, res) => {
        const made = Object.create(res) as typeof res;
        made.setHeader('X-A', 'a').setHeader('X-B', 'b');
        made.removeHeader('X-Powered-By');
        made.removeHeader('X-A');
        res.end(res.getHeaderNames().join());
      });
      assert.equal((await ask(app)).text, 'x-b');
    });
    test('req.socket.server: is not modified if it is not an HTTP server', (_context, done) => {
      const server = { kept: true };
      const req = Object.assign(new http.IncomingMessage({ server } as never), { method: 'GET', url: '/' });
      const app = web().use(() => {
        assert.deepEqual(server, { kept: true });
        assert.equal(Reflect.ownKeys(server).length, 1);
        done();
      });
      (app as (req: object, res: object) => void)(req, new http.ServerResponse(req));
    });
    test('req._parsedUrl: exists in a layer before all others, on any server', async () => {
      const app = web();
      app.use('/api', (_req, res) => void res.json('reached'));
      const paths: string[] = [];
      const router = (app as unknown as { _router: { stack: unknown[] } })._router;
      app.use((req, _res, next) => {
        paths.push((req as unknown as { _parsedUrl: { pathname: string } })._parsedUrl.pathname);
        next();
      });
      router.stack.unshift(router.stack.pop());
      // The wrapper hides the application from the server until its first layers have run
      const handle = app as unknown as http.RequestListener;
      const listener = (req: http.IncomingMessage, res: http.ServerResponse): void => void handle(req, res);
      assert.equal((await ask(listener, '/api?b')).text, '"reached"');
      assert.deepEqual(paths, ['/api']);
    });
  });
}

describe('internals: messages', () => {
  test('Object.create(res): if passed to an application, ends with the same error as in Express', async () => {
    const errors: string[][] = [];
    for (const web of Object.values(frameworks)) {
      const seen: string[] = [];
      const app = web().disable('x-powered-by');
      app.use((_req, res) => {
        try {
          res.end('x');
          seen.push('none');
        } catch (error) {
          seen.push(String(error));
        }
      });
      const server = http.createServer((req, res) => {
        (app as http.RequestListener)(req, Object.create(res) as typeof res);
        res.end();
      });
      await ask(server);
      errors.push(seen);
    }
    assert.deepEqual(errors[0], errors[1]);
    assert.equal(errors[0]!.length, 1);
  });
});

const folder = mkdtempSync(join(tmpdir(), 'ristretto-writes-'));

/** Creates an application that records the chunks passed to `write` and `end`. */
function patched(web: Web, calls: string[], etag: boolean): ReturnType<Web> {
  const app = web();
  app.set('etag', etag);
  app.use((_req, res, next) => {
    const target = res as unknown as Record<string, (...args: unknown[]) => unknown>;
    for (const name of ['write', 'end']) {
      const original = target[name]!;
      target[name] = function (...args) {
        const [chunk] = args;
        const shown = Buffer.isBuffer(chunk) ? `${chunk.length} bytes` : JSON.stringify(chunk);
        calls.push(`${name} ${shown}`);
        return original.apply(this, args);
      };
    }
    next();
  });
  app.get('/text', (_req, res) => res.send('text'));
  app.get('/bytes', (_req, res) => res.send(Buffer.from('bytes')));
  app.get('/empty', (_req, res) => res.send(''));
  app.get('/nothing', (_req, res) => res.send());
  app.get('/json', (_req, res) => res.json({ a: 1 }));
  app.get('/redirect', (_req, res) => res.redirect('/text'));
  app.get('/status/:code', (req, res) => res.status(Number(req.params.code)).send('text'));
  app.get('/download', (_req, res) => res.download(join(folder, 'small.txt')));
  app.use('/files', web.static(folder));
  return app;
}

/** Returns the recorded chunks, after asserting that they are the same on both frameworks. */
async function seen(request: Ask | string, etag = true): Promise<string[]> {
  const [ours, theirs] = [[], []] as string[][];
  await ask(patched(frameworks.ristretto, ours!, etag), request);
  await ask(patched(frameworks.express, theirs!, etag), request);
  assert.deepEqual(ours, theirs);
  return ours!;
}

/**
 * Middleware that patches `res.write` and `res.end` (body loggers, caches, markup injectors) receives the same calls as
 * in Express.
 */
describe('internals: patched write and end', () => {
  after(() => rmSync(folder, { recursive: true }));
  writeFileSync(join(folder, 'small.txt'), 'small');
  writeFileSync(join(folder, 'empty.txt'), '');
  writeFileSync(join(folder, 'large.txt'), Buffer.alloc(150_000, 'x'));

  test('send: passes whole bodies to end, as bytes if they are hashed', async () => {
    assert.deepEqual(await seen('/text'), ['end 4 bytes']);
    assert.deepEqual(await seen('/text', false), ['end "text"']);
    for (const path of ['/bytes', '/empty', '/nothing', '/json', '/redirect', '/elsewhere']) await seen(path);
    await seen('/empty', false);
  });

  test('send: passes an empty string to end for responses without a body, except HEAD', async () => {
    for (const code of [204, 205]) assert.deepEqual(await seen(`/status/${code}`), ['end ""']);
    assert.deepEqual(await seen({ path: '/text', headers: { 'If-None-Match': '*' } }), ['end ""']);
    for (const path of ['/text', '/json', '/nothing', '/redirect']) {
      assert.deepEqual(await seen({ method: 'HEAD', path }), ['end undefined']);
    }
  });

  test('files: are written as streams, whatever their size', async () => {
    const pieces = ['write 65536 bytes', 'write 65536 bytes', 'write 18928 bytes', 'end undefined'];
    assert.deepEqual(await seen('/files/small.txt'), ['write 5 bytes', 'end undefined']);
    assert.deepEqual(await seen('/files/large.txt'), pieces);
    assert.deepEqual(await seen('/download'), ['write 5 bytes', 'end undefined']);
    await seen({ path: '/files/small.txt', headers: { Range: 'bytes=1-2' } });
    await seen({ path: '/files/small.txt', headers: { 'If-None-Match': '*' } });
    await seen({ path: '/files/empty.txt' });
    await seen({ method: 'HEAD', path: '/files/small.txt' });
  });
});
