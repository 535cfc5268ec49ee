/** `res.sendFile`: when its callback is called, and with which errors, also when the client disconnects. */
import assert from 'node:assert/strict';
import { AsyncLocalStorage } from 'node:async_hooks';
import fs from 'node:fs';
import net from 'node:net';
import { describe, test } from 'node:test';
import type { NextFunction, Request, Response } from 'express';
import web from 'ristretto';
import { ask, exchangeRaw, withServer } from '../../support/http.js';
import type { Ask } from '../../support/http.js';
import { frameworks, same } from '../../support/oracle.js';
import type { Web } from '../../support/oracle.js';
import { report } from '../../support/static.js';
import { at, root, watchDescriptors } from '../../support/tree.js';
import { until } from '../../support/until.js';

type Failure = (Error & { code?: string; status?: number }) | undefined;

/** Returns an application that responds with the arguments of the callback. */
function telling(file: string, options?: object) {
  return (web: Web) =>
    web().use((_req: Request, res: Response) => {
      res.sendFile(file, options as object, error => {
        const { message, ...rest } = (error as Failure) ?? { message: 'none' };
        res.end(JSON.stringify({ message, ...rest, name: error?.name, set: res.getHeaderNames() }));
      });
    });
}

/** Returns the arguments of each callback call for one request. */
async function callsFor(file: string, request: Ask | string = '/'): Promise<unknown[][]> {
  const calls: unknown[][] = [];
  const app = web().use((_req, res) => {
    res.sendFile(file, (...args: unknown[]) => {
      calls.push(args);
      if (!res.headersSent) res.end();
    });
  });
  await ask(app, request);
  await until(() => calls.length > 0);
  return calls;
}

/**
 * Returns what is observed when a transfer is cut off: the error codes passed to the callback and to the request's
 * listeners, in order.
 */
async function eventsOf(
  framework: Web,
  name: string,
  end: (req: Request, res: Response) => unknown,
): Promise<string[]> {
  const events: string[] = [];
  const app = framework();
  app.use((req, res) => {
    req.on('error', (error: Failure) => events.push(`request ${error?.code}`));
    res.sendFile(at(name), (error?: Failure) => events.push(error?.code ?? 'complete'));
    // The large file is cut off in the middle of the transfer, because the client reads nothing
    if (name === 'todo.txt') end(req, res);
    else setTimeout(end, 50, req, res);
  });
  await withServer(app, async port => {
    const socket = net.connect(port, '127.0.0.1', () => socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n'));
    socket.on('error', () => undefined).pause();
    await until(() => events.some(event => !event.startsWith('request')));
    // Wait for late events
    await new Promise(resolve => setTimeout(resolve, 20));
    socket.destroy();
  });
  return events;
}

describe('res.sendFile', () => {
  test('callback: is called once without an error when the response is complete', async () => {
    const asks: Ask[] = [
      { method: 'GET' },
      { method: 'HEAD' },
      { headers: { 'If-None-Match': '*' } },
      { headers: { Range: 'bytes=0-1' } },
    ];
    for (const request of asks) assert.deepEqual(await callsFor(at('todo.txt'), request), [[undefined]]);
    for (const name of ['empty.txt', 'big.bin']) assert.deepEqual(await callsFor(at(name)), [[undefined]]);
  });

  test('callback: comes after options or instead of them', async () => {
    const seen: unknown[] = [];
    const app = web().use((_req, res) => {
      res.sendFile('todo.txt', { root }, error => seen.push(error));
    });
    await ask(app);
    assert.deepEqual(seen, [undefined]);
  });

  test('callback: undefined counts as none', async () => {
    const build = (web: Web) =>
      web()
        .set('env', 'test')
        .use((_req: Request, res: Response) => {
          res.sendFile(at('nope'), {}, undefined);
        })
        .use(report);
    assert.equal((await same(build)).status, 404);
  });

  test('callback: gets errors with their status and must send the response', async () => {
    await same(telling(at('nope')));
    await same(telling(at('users')));
    await same(telling(at('.hidden')));
    await same(telling(at('todo.txt') + '/x'));
    await same(telling(at('..')));
    await same(telling(at('a\0')));
    await same(telling('../x', { root }));
    assert.match((await same(telling(at('users')))).text, /"EISDIR, read","code":"EISDIR"/);
  });

  test('callback: gets 412 and 416 errors, with the headers already set', async () => {
    const build = telling(at('todo.txt'));
    assert.match(
      (await same(build, { headers: { Range: 'bytes=99-' } })).text,
      /"Content-Range":"bytes \*\/11"/,
    );
    await same(build, { headers: { 'If-Match': '"x"' } });
  });

  test('callback: gets an error once when the client disconnects', async t => {
    const opened = watchDescriptors(t);
    const calls: Failure[] = [];
    const app = web().use((_req, res) => {
      res.sendFile(at('huge.bin'), error => calls.push(error as Failure));
    });
    await withServer(app, async port => {
      const socket = net.connect(port, '127.0.0.1', () => socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n'));
      socket.pause();
      await until(() => opened.size === 1);
      socket.destroy();
      await until(() => calls.length === 1 && opened.size === 0);
    });
    assert.equal(calls.length, 1);
    assert.equal(calls[0]?.message, 'Request aborted');
    assert.equal(calls[0]?.code, 'ECONNABORTED');
  });

  test('callback: gets the error that the connection was destroyed with, in the order of Express', async () => {
    const boom = (): Error => Object.assign(new Error('boom'), { code: 'EBOOM' });
    const reset = (): Error => Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' });
    const ways: Record<string, (req: Request, res: Response) => unknown> = {
      'res.destroy(error)': (_req, res) => res.destroy(boom()),
      'res.destroy()': (_req, res) => res.destroy(),
      'req.destroy(error)': req => req.destroy(boom()),
      'socket.destroy(error)': req => req.socket.destroy(boom()),
      'socket.destroy(ECONNRESET)': req => req.socket.destroy(reset()),
      'socket.destroy()': req => req.socket.destroy(),
      'an error event': req => req.socket.emit('error', boom()),
    };
    for (const [way, end] of Object.entries(ways)) {
      for (const name of ['todo.txt', 'huge.bin']) {
        const [ours, theirs] = await Promise.all([
          eventsOf(frameworks.ristretto, name, end),
          eventsOf(frameworks.express, name, end),
        ]);
        assert.deepEqual(ours, theirs, `${way}: ${name}`);
        assert.ok(ours.includes(way.includes('error') ? 'EBOOM' : 'ECONNABORTED'), way);
      }
    }
  });

  test('callback: leaves no listener on the socket, and adds none for pipelined responses', async () => {
    const counts: number[] = [];
    let warning: Error | undefined;
    const warned = (given: Error) => (warning = given);
    process.once('warning', warned);
    const app = web().use((req, res) => {
      const { socket } = req;
      res.sendFile(at('todo.txt'), () => counts.push(socket.listenerCount('error')));
    });
    const before: number[] = [];
    await withServer(app, async (port, server) => {
      server.on('connection', socket => setImmediate(() => before.push(socket.listenerCount('error'))));
      const get = (more = '') => `GET / HTTP/1.1\r\nHost: x\r\n${more}\r\n`;
      await exchangeRaw(port, get().repeat(20) + get('Connection: close\r\n'));
    });
    process.off('warning', warned);
    assert.deepEqual(
      counts,
      counts.map(() => before[0]),
    );
    assert.equal(counts.length, 21);
    assert.equal(warning, undefined);
  });

  test('callback: gets an error even if the response waited for its turn', async () => {
    const calls: Failure[] = [];
    let requests = 0;
    const app = web().use((req, res) => {
      requests++;
      if (req.url === '/first') return;
      res.sendFile(at('todo.txt'), error => calls.push(error as Failure));
    });
    await withServer(app, async port => {
      const lines = ['/first', '/second', '/third'].map(path => `GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`);
      const socket = net.connect(port, '127.0.0.1', () => socket.write(lines.join('')));
      await until(() => requests === 3);
      socket.destroy();
      await until(() => calls.length === 2);
    });
    for (const error of calls) assert.equal(error?.code, 'ECONNABORTED');
  });

  test('callback: gets an error if the client had already disconnected', async () => {
    const calls: Failure[] = [];
    const app = web().use((req, res) => {
      req.socket.destroy();
      let isOver = false;
      res.sendFile(at('todo.txt'), error => {
        assert.ok(isOver);
        calls.push(error as Failure);
      });
      isOver = true;
    });
    await withServer(app, async port => {
      await exchangeRaw(port, 'GET / HTTP/1.1\r\nHost: x\r\n\r\n').catch(() => {});
      await until(() => calls.length === 1);
    });
    assert.equal(calls[0]?.code, 'ECONNABORTED');
  });

  test('callback: gets an error if a response has already been sent', async () => {
    for (const before of ['write', 'end'] as const) {
      const calls: Failure[] = [];
      const app = web().use((_req, res) => {
        res[before]('x');
        res.sendFile(at('todo.txt'), error => {
          calls.push(error as Failure);
          res.end();
        });
      });
      assert.equal((await ask(app)).text, 'x');
      await until(() => calls.length === 1);
      assert.equal(calls[0]?.message, "Can't set headers after they are sent.");
      assert.equal(calls[0]?.status, 500);
    }
  });

  test('callback: gets only the abort error when the file is found missing afterwards', async t => {
    const calls: Failure[] = [];
    let held: (() => void) | undefined;
    t.mock.method(fs, 'stat', (...args: unknown[]) => {
      held = () =>
        (args[1] as (error: Error) => void)(Object.assign(new Error('ENOENT'), { code: 'ENOENT' }));
    });
    const app = web().use((_req, res) => {
      res.sendFile(at('nope'), error => calls.push(error as Failure));
    });
    await withServer(app, async port => {
      const socket = net.connect(port, '127.0.0.1', () => socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n'));
      await until(() => held !== undefined);
      socket.destroy();
      await until(() => calls.length === 1);
      held?.();
    });
    assert.deepEqual(
      calls.map(error => error?.code),
      ['ECONNABORTED'],
    );
  });

  test('another response before the file is found: is whole, the callback gets an abort, and the connection stays', async () => {
    for (const name of ['todo.txt', 'missing.txt']) {
      const codes: unknown[] = [];
      const errors: unknown[] = [];
      const app = web().set('env', 'test');
      app.get('/callback', (_req, res) => {
        res.sendFile(at(name), (error?: Failure) => codes.push(error?.code));
        res.send('other');
      });
      app.get('/', (_req, res) => {
        res.sendFile(at(name));
        res.send('other');
      });
      app.get('/next', (_req, res) => res.send('next'));
      app.use((error: unknown, _req: Request, _res: Response, next: NextFunction) => {
        errors.push(error);
        next(error);
      });
      await withServer(app, async port => {
        for (const path of ['/callback', '/']) {
          const socket = net.connect(port, '127.0.0.1').setEncoding('utf8');
          let received = '';
          socket.on('data', (text: string) => (received += text));
          socket.write(`GET ${path} HTTP/1.1\r\nHost: a\r\n\r\n`);
          await until(() => received.endsWith('other'));
          await new Promise(resolve => setTimeout(resolve, 20));
          socket.write('GET /next HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n');
          await until(() => socket.closed);
          assert.match(received, /next$/);
        }
      });
      assert.deepEqual(codes, ['ECONNABORTED']);
      assert.deepEqual(errors, []);
    }
  });

  test('callback: gets an error if reading fails', async t => {
    t.mock.method(fs, 'read', (...args: unknown[]) => {
      setImmediate(args[5] as (error: Error) => void, Object.assign(new Error('EIO'), { code: 'EIO' }));
    });
    const answer = await ask(telling(at('todo.txt'))(web as unknown as Web));
    assert.match(answer.text, /"message":"EIO","code":"EIO".*"status":500/);
  });

  test('callback: if it is missing, an abort or a failed write is not passed to error handlers', async t => {
    const opened = watchDescriptors(t);
    const errors: unknown[] = [];
    const app = web();
    app.use((req, res) => {
      if (req.url === '/gone') req.socket.destroy();
      res.sendFile(at('huge.bin'), { headers: req.url === '/write' ? throwing : {} });
    });
    const throwing = Object.defineProperty({}, 'a', {
      enumerable: true,
      get() {
        throw Object.assign(new Error('EPIPE'), { syscall: 'write' });
      },
    }) as Record<string, unknown>;
    app.use(((error, _req, _res, next) => {
      errors.push(error);
      next(error);
    }) as typeof report);
    await withServer(app, async port => {
      await exchangeRaw(port, 'GET /gone HTTP/1.1\r\nHost: x\r\n\r\n').catch(() => {});
      const socket = net.connect(port, '127.0.0.1', () => socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n'));
      await until(() => opened.size === 1);
      socket.destroy();
      const other = net.connect(port, '127.0.0.1', () =>
        other.write('GET /write HTTP/1.1\r\nHost: x\r\n\r\n'),
      );
      await until(() => opened.size === 0);
      other.destroy();
    });
    assert.deepEqual(errors, []);
  });

  for (const [name, framework] of Object.entries(frameworks)) {
    test(`AsyncLocalStorage: the callback has the store of the request after an abort (${name})`, async () => {
      for (const member of ['sendFile', 'download'] as const) {
        const storage = new AsyncLocalStorage<string>();
        const stores: unknown[] = [];
        const app = framework().use((_req, res) => {
          storage.run('request', () => {
            res[member](at('big.bin'), (error?: Failure) => stores.push(error?.code, storage.getStore()));
          });
        });
        await withServer(app, async port => {
          const socket = net.connect(port, '127.0.0.1', () =>
            socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n'),
          );
          socket.once('data', () => socket.destroy());
          await until(() => stores.length > 0);
        });
        assert.deepEqual(stores, ['ECONNABORTED', 'request']);
      }
    });
  }

  test('AsyncLocalStorage: each callback and each final end has the store of its own pipelined request', async () => {
    const storage = new AsyncLocalStorage<string>();
    const stores: unknown[] = [];
    const note = (url: string): void => void stores.push([url, storage.getStore()]);
    const app = web().use((req, res) => {
      const { end } = res;
      res.end = function (this: unknown, ...args: unknown[]) {
        note(req.url);
        return Reflect.apply(end, this, args) as unknown;
      } as never;
      storage.run(req.url, () => {
        res.sendFile(at('big.bin'), () => note(req.url));
      });
    });
    const paths = ['/1', '/2', '/3'];
    await withServer(app, port =>
      exchangeRaw(
        port,
        paths
          .map(
            path => `GET ${path} HTTP/1.1\r\nHost: x\r\n${path === '/3' ? 'Connection: close\r\n' : ''}\r\n`,
          )
          .join(''),
      ),
    );
    await until(() => stores.length === 6);
    assert.deepEqual(
      stores,
      paths.flatMap(path => [
        [path, path],
        [path, path],
      ]),
    );
  });
});
