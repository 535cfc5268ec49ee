// runs: slow, http1, each
/** The direct write of a response: sends the same bytes as the fallback, and is never used if functions are patched. */
import assert from 'node:assert/strict';
import { Agent, createServer, get } from 'node:http';
import type { ServerResponse } from 'node:http';
import { describe, test } from 'node:test';
import web from 'ristretto';
import type { Application } from 'ristretto';
import { canWriteDirectly } from '@ristretto/private-engine/lib/serving/native';
import { askPort, exchangeRaw, withServer } from '../support/http.js';
import type { Answer } from '../support/http.js';

type Handler = (res: web.Response) => void;

/** Returns an application for both ways: with `X-Documented`, a wrapper of a response function forces the fallback. */
function application(answer: Handler): Application {
  const app = web();
  app.use((req, res, next) => {
    if (req.get('X-Documented')) {
      const { writeHead } = res;
      res.writeHead = function (this: ServerResponse, ...args: unknown[]) {
        return Reflect.apply(writeHead, this, args);
      } as never;
    }
    answer(res);
    next('router');
  });
  return app;
}

const withoutDate = (answer: Answer): string => answer.raw.replace(/\r\nDate: [^\r]*/, '\r\nDate: now');

async function bothWays(
  answer: Handler,
  headers: Record<string, string> = {},
  method = 'GET',
): Promise<void> {
  const app = application(answer);
  const kept = { Connection: 'keep-alive', ...headers };
  return withServer(app, async port => {
    const once = (extra: Record<string, string>): Promise<Answer> =>
      askOnKeptConnection(port, method, { ...kept, ...extra });
    const direct = await once({});
    const documented = await once({ 'X-Documented': '1' });
    assert.equal(withoutDate(direct), withoutDate(documented));
  });
}

/**
 * The first request keeps the connection open; a second one asks to close it, so that the end of the response is known.
 */
async function askOnKeptConnection(
  port: number,
  method: string,
  headers: Record<string, string>,
): Promise<Answer> {
  const fields = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  const first = `${method} / HTTP/1.1\r\nHost: a\r\n${fields.join('')}\r\n`;
  const bytes = await exchangeRaw(
    port,
    first + 'GET / HTTP/1.1\r\nHost: a\r\nX-Documented: 1\r\nConnection: close\r\n\r\n',
  );
  const text = bytes.toString('latin1');
  const second = text.indexOf('HTTP/1.1 ', 1);
  const raw = text.slice(0, second);
  return { raw } as Answer;
}

describe('http/write', () => {
  test('native: this version of Node supports the direct write', () => {
    assert.equal(canWriteDirectly, true);
  });

  const answers: Record<string, Handler> = {
    'a string': res => void res.send('hello'),
    'a non-ASCII string': res => void res.send('héllo € 𝄞'),
    'a long non-ASCII string': res => void res.send('é'.repeat(100_000)),
    'an empty string': res => void res.send(''),
    JSON: res => void res.json({ a: [1, 2, { b: null }] }),
    bytes: res => void res.send(Buffer.from([0, 1, 2, 255])),
    'empty bytes': res => void res.send(Buffer.alloc(0)),
    'many bytes': res => void res.send(Buffer.alloc(300_000, 'z')),
    'another status': res => void res.status(418).send('teapot'),
    'a status without a reason phrase': res => void res.status(799).send('?'),
    'no body': res => void res.send(),
    'status 204': res => void res.status(204).send('x'),
    'status 205': res => void res.status(205).send('x'),
    'status 304': res => void res.status(304).send('x'),
    'a custom reason phrase': res => {
      res.statusMessage = 'Very Fine';
      res.send('x');
    },
    'several cookies': res => void res.cookie('a', '1').cookie('b', '2').send('x'),
    'an array of values': res => void res.set('X-List', ['a', 'b']).send('x'),
    'a custom Date': res => void res.set('Date', 'Thu, 01 Jan 1970 00:00:00 GMT').send('x'),
    'no Date': res => {
      res.sendDate = false;
      res.send('x');
    },
    'Connection: close': res => void res.set('Connection', 'close').send('x'),
    'removed Connection': res => {
      res.removeHeader('Connection');
      res.send('x');
    },
    'a custom Keep-Alive': res => void res.set('Keep-Alive', 'timeout=99').send('x'),
    'a number as a value': res => {
      res.setHeader('X-Number', 42);
      res.send('x');
    },
    'a Latin-1 value': res => void res.set('X-Name', 'caf\u00e9').send('x'),
    'a Latin-1 value, a non-ASCII string': res => void res.set('X-Name', 'caf\u00e9').send('é€'),
    'a Latin-1 value, no tag': res => void res.set('X-Name', 'caf\u00e9').set('ETag', '"x"').send('é'),
    'a Latin-1 file name': res =>
      void res.set('Content-Disposition', 'attachment; filename="caf\u00e9"').send('x'),
    'a header named __proto__': res => {
      res.setHeader('__proto__', 'x');
      res.send('x');
    },
  };
  for (const [name, answer] of Object.entries(answers)) {
    test(`${name}: sends the same bytes both ways`, () => bothWays(answer));
    test(`${name} to HEAD: sends the same bytes both ways`, () => bothWays(answer, {}, 'HEAD'));
  }

  test('pipelining: nothing of a response is sent that was destroyed while it was queued', async () => {
    const app = web().set('env', 'test');
    app.get('/next-tick', (_req, res) => void process.nextTick(() => res.json({ a: 1 })));
    app.get('/destroyed', (_req, res) => {
      res.destroy();
      queueMicrotask(() => {
        if (!res.headersSent) res.send('destroyed');
      });
    });
    await withServer(app, async port => {
      const paths = ['/next-tick', '/destroyed', '/next-tick'];
      const requests = paths.map(path => `GET ${path} HTTP/1.1\r\nHost: a\r\n\r\n`).join('');
      const received = String(await exchangeRaw(port, `${requests}GET / HTTP/1.0\r\n\r\n`));
      assert.match(received, /^HTTP\/1\.1 200[^]*\{"a":1\}/);
      assert.doesNotMatch(received, /Content-Length: 9/);
    });
  });

  test('maxRequestsPerSocket: is announced in the headers, and the last response asks for a new connection', async () => {
    const app = web().use((_req, res) => void res.send('x'));
    const server = createServer(app);
    server.maxRequestsPerSocket = 2;
    // Node closes such a connection only when it has been idle
    server.keepAliveTimeout = 1000;
    const bytes = await withServer(server, port =>
      exchangeRaw(port, 'GET / HTTP/1.1\r\nHost: a\r\n\r\n'.repeat(2)),
    );
    const [first, second] = bytes.toString().split(/(?=HTTP\/1\.1 )/);
    assert.match(first!, /Keep-Alive: timeout=1, max=2/);
    assert.match(second!, /Connection: close/);
  });

  test('keepAliveTimeout: 0 omits the Keep-Alive header', async () => {
    const app = web().use((_req, res) => void res.send('x'));
    const server = createServer(app);
    server.keepAliveTimeout = 0;
    await withServer(server, async port => {
      const answer = await askOnKeptConnection(port, 'GET', {});
      assert.match(answer.raw, /Connection: keep-alive\r\n\r\n/);
    });
  });

  test('disconnected client: a response to a destroyed socket causes no error', async () => {
    let ended = false;
    const app = web().use((req, res) => {
      req.socket.destroy();
      res.send('x');
      ended = res.writableEnded;
    });
    await withServer(app, port =>
      exchangeRaw(port, 'GET / HTTP/1.1\r\nHost: a\r\n\r\n').catch(() => undefined),
    );
    assert.equal(ended, true);
  });

  test('Date: is the current time', async () => {
    const app = web().use((_req, res) => void res.send('x'));
    await withServer(app, async port => {
      const { headers } = await askPort(port);
      assert.ok(Math.abs(Date.parse(headers.date!) - Date.now()) < 2000);
    });
  });

  test('repeated headers: a response sends all of its own, and none of an earlier response', async () => {
    const lists: (readonly (readonly [name: string, value: string | number])[])[] = [
      [],
      [['X-A', '1']],
      [['X-A', 1]],
      [['x-a', '1']],
      [['X-A', '2']],
      [
        ['X-A', '1'],
        ['X-B', '2'],
      ],
      [
        ['X-B', '2'],
        ['X-A', '1'],
      ],
      [
        ['Set-Cookie', 'a=1'],
        ['X-B', '2'],
      ],
      [['Set-Cookie', 'a=2']],
      [['X-Long', 'x'.repeat(5000)]],
      [['Date', 'Thu, 01 Jan 1970 00:00:00 GMT']],
    ];
    // Each list follows each other one, and itself.
    const order = lists.flatMap(first => lists.flatMap(second => [first, second, second]));
    const app = web()
      .disable('x-powered-by')
      .use((req, res) => {
        for (const [name, value] of order[Number(req.url.slice(1))]!) res.setHeader(name, value);
        res.json({});
      });
    const agent = new Agent({ keepAlive: true });
    await withServer(app, async port => {
      const headersOf = (path: string): Promise<string[]> =>
        new Promise((resolve, reject) => {
          get({ port, path, agent }, res => {
            res.resume().on('end', () => resolve(res.rawHeaders));
          }).on('error', reject);
        });
      for (const [index, list] of order.entries()) {
        const headers = await headersOf(`/${String(index)}`);
        const own = headers.slice(0, headers.indexOf('Content-Type'));
        assert.deepEqual(own, list.flat().map(String));
        const dates = headers.filter(name => name === 'Date');
        assert.equal(dates.length, 1);
      }
      agent.destroy();
    });
  });
});
