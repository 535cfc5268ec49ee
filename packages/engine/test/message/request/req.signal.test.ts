/** `req.signal`: aborts when the client disconnects before the response is finished, and never otherwise. */
import assert from 'node:assert/strict';
import { EventEmitter, once } from 'node:events';
import http from 'node:http';
import http2 from 'node:http2';
import type { Socket } from 'node:net';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import web from 'ristretto';
import type { Request, Response } from 'ristretto';
import { Connection } from '../../support/connection.js';
import { ask, withServer } from '../../support/http.js';
import { askSession, withSession } from '../../support/http2.js';
import { until } from '../../support/until.js';

const CANCEL = 8;
/** Milliseconds after which any expected event has happened. */
const SOON = 30;

type Handler = (req: Request, res: Response) => unknown;

const appOf = (handler: Handler): ReturnType<typeof web> => {
  const app = web().set('env', 'test');
  app.use(handler as never);
  return app;
};

/** Opens a connection to a server with one handler, and closes both after `use`. */
const connected = (
  handler: Handler | http.RequestListener,
  use: (connection: Connection, port: number) => Promise<void>,
): Promise<void> =>
  withServer(http.createServer(handler as http.RequestListener), async port => {
    const connection = await Connection.open(port);
    await use(connection, port);
    connection.socket.destroy();
  });

const abortOf = async (signal: AbortSignal): Promise<unknown> => {
  if (!signal.aborted) await once(signal, 'abort');
  return signal.reason;
};

const isAbortError = (reason: unknown): boolean =>
  reason instanceof DOMException && reason.name === 'AbortError' && reason.code === DOMException.ABORT_ERR;

/** The signals of the first requests, by path. */
class Signals extends Map<string, AbortSignal> {
  async of(path: string): Promise<AbortSignal> {
    await until(() => this.has(path));
    return this.get(path)!;
  }
}

describe('req.signal', () => {
  test('member: is an AbortSignal, created on the first read and then always the same', async () => {
    const { text } = await ask(
      appOf((req, res) => {
        const { signal } = req;
        const members = [...Object.keys(req), ...Reflect.ownKeys(req)];
        res.json([signal instanceof AbortSignal, signal === req.signal, members.includes('signal')]);
      }),
    );
    assert.equal(text, '[true,true,false]');
  });

  test('member: is not enumerable, and undefined if there is no response', () => {
    const descriptor = Object.getOwnPropertyDescriptor(web.request, 'signal')!;
    assert.equal(descriptor.enumerable, false);
    assert.equal(descriptor.configurable, true);
    assert.equal(web.request.signal, undefined);
    assert.equal(web().request.signal, undefined);
  });

  test('assignment: defines an ordinary property on the request', async () => {
    const app = appOf((req, res) => {
      (req as { signal: unknown }).signal = 'mine';
      res.json([req.signal, Object.getOwnPropertyDescriptor(req, 'signal')]);
    });
    const property = { value: 'mine', writable: true, enumerable: true, configurable: true };
    assert.deepEqual(JSON.parse((await ask(app)).text), ['mine', property]);
  });

  test('disconnect: aborts it with an AbortError before a response is sent', () => {
    const signals = new Signals();
    return connected(
      appOf(req => signals.set(req.path, req.signal)),
      async ({ socket }) => {
        socket.write('POST /a HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\n\r\nhalf');
        const signal = await signals.of('/a');
        assert.equal(signal.aborted, false);
        socket.destroy();
        assert.ok(isAbortError(await abortOf(signal)));
      },
    );
  });

  test('disconnect: aborts it in the middle of a response', () => {
    const signals = new Signals();
    const handler: Handler = (req, res) => {
      signals.set(req.path, req.signal);
      res.write('begun');
    };
    return connected(appOf(handler), async connection => {
      await connection.get('/a').until(/begun/);
      connection.socket.destroy();
      assert.ok(isAbortError(await abortOf(await signals.of('/a'))));
    });
  });

  test('disconnect: aborts it while the last bytes are being sent', () => {
    const signals = new Signals();
    const handler: Handler = (req, res) => {
      signals.set(req.path, req.signal);
      res.send(Buffer.alloc(30_000_000));
    };
    return connected(appOf(handler), async connection => {
      connection.socket.pause();
      connection.get('/a');
      const signal = await signals.of('/a');
      await sleep(SOON);
      assert.equal(signal.aborted, false);
      connection.socket.destroy();
      assert.ok(isAbortError(await abortOf(signal)));
    });
  });

  test('res.destroy: aborts it, because the response will not be finished', () => {
    const signals = new Signals();
    const handler: Handler = (req, res) => {
      signals.set(req.path, req.signal);
      res.destroy();
    };
    return connected(appOf(handler), async connection => {
      connection.get('/a');
      assert.ok(isAbortError(await abortOf(await signals.of('/a'))));
    });
  });

  test('finished responses: their signals never abort, even if the client disconnects during a later response', () => {
    const signals = new Signals();
    const handler: Handler = (req, res) => {
      signals.set(req.path, req.signal);
      if (req.path !== '/hangs') res.send(`sent ${req.path}`);
    };
    return connected(appOf(handler), async connection => {
      await connection.get('/a').until(/sent \/a/);
      await connection.get('/b').until(/sent \/b/);
      connection.get('/hangs');
      const last = await signals.of('/hangs');
      connection.socket.destroy();
      await abortOf(last);
      await sleep(SOON);
      assert.deepEqual(
        ['/a', '/b', '/hangs'].map(path => signals.get(path)!.aborted),
        [false, false, true],
      );
    });
  });

  test('read late: is already aborted when first read after a disconnect', () => {
    const late: Record<string, boolean> = {};
    const handler: Handler = (req, res) => {
      res.once('close', () => {
        if (req.path === '/ended') res.send('too late');
        setTimeout(() => (late[req.path] = isAbortError(req.signal.reason)), SOON);
      });
      if (req.path === '/begun') res.write('begun');
    };
    return connected(appOf(handler), async (_, port) => {
      for (const path of ['/nothing', '/begun', '/ended']) {
        const connection = (await Connection.open(port)).get(path);
        await sleep(SOON);
        connection.socket.destroy();
        await until(() => path in late);
      }
      assert.deepEqual(late, { '/nothing': true, '/begun': true, '/ended': true });
    });
  });

  test('read late: is not aborted after a finished response, before or after the client disconnects', () => {
    const late: boolean[] = [];
    const handler: Handler = (req, res) => {
      const read = (): unknown => late.push(req.signal.aborted);
      if (req.path === '/finish') res.once('finish', read);
      if (req.path === '/close') res.once('close', read);
      if (req.path === '/after') req.socket.once('close', read);
      res.send(`sent ${req.path}`);
    };
    return connected(appOf(handler), async (connection, port) => {
      for (const path of ['/finish', '/close', '/after']) {
        const pattern = new RegExp(`sent ${path}`);
        await connection.get(path).until(pattern);
      }
      connection.socket.destroy();
      await until(() => late.length === 3);
      const another = await Connection.open(port);
      await another.get('/finish').until(/sent/);
      assert.deepEqual(late, [false, false, false, false]);
      another.socket.destroy();
    });
  });

  test('pipelined requests: are aborted together by one listener on the connection', () => {
    const signals = new Signals();
    let socket: Socket | undefined;
    const paths = Array.from({ length: 30 }, (_, i) => `/${String(i)}`);
    const handler: Handler = (req, res) => {
      ({ socket } = req);
      signals.set(req.path, req.signal);
      if (req.path === '/0') setTimeout(() => res.send('first'), SOON);
    };
    const warnings: Error[] = [];
    const note = (warning: Error): unknown => warnings.push(warning);
    process.on('warning', note);
    return connected(appOf(handler), async connection => {
      connection.get(...paths);
      await signals.of('/29');
      assert.ok(socket!.listenerCount('close') < 10);
      await connection.until(/first/);
      connection.socket.destroy();
      await Promise.all(paths.slice(1).map(async path => abortOf(signals.get(path)!)));
      assert.equal(signals.get('/0')!.aborted, false);
      assert.deepEqual(warnings, []);
      process.off('warning', note);
    });
  });

  test('pipelined requests: a signal first read after the disconnect is already aborted', () => {
    const late: unknown[] = [];
    const handler: Handler = req => {
      req.socket.once('close', () => setTimeout(() => late.push(req.signal.aborted), SOON));
    };
    return connected(appOf(handler), async connection => {
      connection.get('/a', '/b');
      await sleep(SOON);
      connection.socket.destroy();
      await until(() => late.length === 2);
      assert.deepEqual(late, [true, true]);
    });
  });

  test('upgraded connections: are aborted on close, through the response that a WebSocket library creates', () => {
    const signals = new Signals();
    const app = appOf(req => signals.set(req.path, req.signal));
    const server = http.createServer(app);
    server.on('upgrade', (req: http.IncomingMessage, socket: Socket) => {
      socket.on('end', () => socket.end()).resume();
      app(req, new http.ServerResponse(req));
    });
    return withServer(server, async port => {
      const { socket } = await Connection.open(port);
      socket.write('GET /ws HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\n');
      const signal = await signals.of('/ws');
      await sleep(SOON);
      assert.equal(signal.aborted, false);
      socket.destroy();
      assert.ok(isAbortError(await abortOf(signal)));
    });
  });

  test('listeners: are removed from the connection and the response when it has finished', () => {
    const counts: number[][] = [];
    const app = appOf((req, res) => {
      const { socket } = req;
      if (!req.path.startsWith('/unread')) void req.signal;
      res.send(`sent ${req.path}`);
      res.once('close', () => counts.push([socket.listenerCount('close'), res.listenerCount('close')]));
    });
    return connected(app, async connection => {
      for (const path of ['/unread', '/unread/again', '/a', '/b']) {
        await connection.get(path).until(new RegExp(`sent ${path}$`));
      }
      await until(() => counts.length === 4);
      assert.deepEqual(counts.slice(2), [counts[1], counts[1]]);
    });
  });

  test('HTTP/2: a closed stream aborts its own signal, and the other streams continue', async () => {
    const signals = new Signals();
    const app = appOf((req, res) => {
      signals.set(req.path, req.signal);
      if (req.path === '/sent') res.send('sent');
      else if (req.path === '/begun') res.write('begun');
    });
    await withSession(http2.createServer(app as never), async session => {
      await askSession(session, '/sent');
      const begun = session.request({ ':path': '/begun' });
      const silent = session.request({ ':path': '/silent' });
      await once(begun, 'response');
      begun.close(CANCEL);
      assert.ok(isAbortError(await abortOf(await signals.of('/begun'))));
      assert.equal((await signals.of('/silent')).aborted, false);
      silent.close(CANCEL);
      assert.ok(isAbortError(await abortOf(await signals.of('/silent'))));
      await sleep(SOON);
      assert.equal(signals.get('/sent')!.aborted, false);
    });
  });

  test('app.fetch: the signal of the Request or a cancelled body aborts it, a body that is read does not', async () => {
    const signals = new Signals();
    const app = appOf((req, res) => {
      signals.set(req.path, req.signal);
      if (req.path === '/sent') res.send('sent');
      else if (req.path === '/begun') res.write('begun');
    });
    const host = new AbortController();
    const request = (path: string): globalThis.Request =>
      new globalThis.Request(`http://x${path}`, { signal: host.signal });
    assert.equal(await (await app.fetch(request('/sent'))).text(), 'sent');
    const begun = await app.fetch(request('/begun'));
    await begun.body!.cancel();
    assert.ok(isAbortError(await abortOf(await signals.of('/begun'))));
    const response = app.fetch(request('/silent'));
    const signal = await signals.of('/silent');
    assert.equal(signal.aborted, false);
    host.abort();
    assert.ok(isAbortError(await abortOf(signal)));
    await response;
    await sleep(SOON);
    assert.equal(signals.get('/sent')!.aborted, false);
  });

  test('APIs that take signals: fetch, streams, timers and events end with the request', () => {
    const ends: Record<string, Promise<string>> = {};
    const endOf = (work: Promise<unknown>): Promise<string> =>
      work.then(
        () => 'done',
        (error: unknown) => (error as Error).name,
      );
    const handler: Handler = ({ path, signal }, res) => {
      // Never responds
      if (path === '/upstream') return;
      const { port } = res.req.socket.address() as { port: number };
      ends.fetch = endOf(fetch(`http://127.0.0.1:${String(port)}/upstream`, { signal }));
      ends.timer = endOf(sleep(60_000, undefined, { signal }));
      ends.once = endOf(once(new EventEmitter(), 'never', { signal }));
      ends.pipeline = endOf(pipeline(new Readable({ read: () => undefined }), res, { signal }));
    };
    return connected(appOf(handler), async connection => {
      connection.get('/');
      await until(() => 'pipeline' in ends);
      connection.socket.destroy();
      const names = await Promise.all(Object.entries(ends).map(async ([name, end]) => [name, await end]));
      assert.deepEqual(Object.fromEntries(names), {
        fetch: 'AbortError',
        timer: 'AbortError',
        once: 'AbortError',
        pipeline: 'AbortError',
      });
    });
  });

  test("newer versions of Node: a request's own signal is aborted in the same cases", async t => {
    if (!('signal' in http.IncomingMessage.prototype)) {
      t.skip('this Node has none');
      return;
    }
    const respond = (req: http.IncomingMessage, res: http.ServerResponse, signals: Signals): void => {
      signals.set(req.url!, (req as Request).signal);
      if (req.url === '/begun') res.write('begun');
      if (req.url === '/sent') res.end('sent');
    };
    const outcomes = async (listen: (signals: Signals) => http.RequestListener): Promise<unknown[]> => {
      const outcome: unknown[] = [];
      for (const path of ['/nothing', '/begun', '/sent']) {
        const signals = new Signals();
        await connected(listen(signals), async connection => {
          if (path === '/nothing') connection.get(path);
          else await connection.get(path).until(/begun|sent/);
          const signal = await signals.of(path);
          connection.socket.destroy();
          await sleep(SOON);
          outcome.push([path, signal.aborted, (signal.reason as Error | undefined)?.name]);
        });
      }
      return outcome;
    };
    const ours = await outcomes(signals => appOf((req, res) => respond(req, res, signals)));
    assert.deepEqual(ours, await outcomes(signals => (req, res) => respond(req, res, signals)));
  });
});
