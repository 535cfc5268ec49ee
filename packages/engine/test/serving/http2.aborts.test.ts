// runs: each
/** HTTP/2 streams aborted by a client or a handler: both messages are seen as aborted, and nothing leaks. */
import assert from 'node:assert/strict';
import type { ClientHttp2Stream, ServerHttp2Stream } from 'node:http2';
import http2 from 'node:http2';
import { describe, test } from 'node:test';
import type tls from 'node:tls';
import web from 'ristretto';
import type { Request, Response } from 'ristretto';
import { askSession, withSession } from '../support/http2.js';
import { until } from '../support/until.js';

const CANCEL = 8;
const INTERNAL_ERROR = 2;

/** Runs a request that `begin` aborts; resolves with the events of both messages until the response is closed. */
async function eventsOf(
  handler: (req: Request, res: Response) => void,
  options: { method?: string; begin: (stream: ClientHttp2Stream) => void; isFirst?: boolean },
): Promise<{ events: string[]; code: number }> {
  const app = web().set('env', 'test');
  const events: string[] = [];
  const closed = new Promise<void>(resolve => {
    app.all('/', (req, res) => {
      req.on('aborted', () => events.push('req aborted'));
      req.on('error', (error: NodeJS.ErrnoException) => events.push(`req error ${error.code!}`));
      req.on('close', () => events.push('req close'));
      res.on('finish', () => events.push('res finish'));
      res.on('close', () => {
        events.push(`res close ${String(res.writableFinished)} ${String(res.destroyed)}`);
        // Waits a moment: events after both are closed, such as another error, would be a bug.
        void until(() => events.includes('req close')).then(() => setTimeout(resolve, 20));
      });
      handler(req, res);
    });
  });
  const code = await withSession(http2.createServer(app as never), async session => {
    // The first request of a server has messages of the compatibility API in addition to those of the application.
    if (options.isFirst === false) await askSession(session, '/another');
    const answer = await askSession(session, options);
    await closed;
    return answer.code;
  });
  return { events: events.sort(), code };
}

const cancelAtResponse = (stream: ClientHttp2Stream): void => {
  stream.on('response', () => setTimeout(() => stream.close(CANCEL), 20)).end();
};

const ABORTED = ['req aborted', 'req close', 'req error ECONNRESET', 'res close false true'];

describe('HTTP/2: aborts', () => {
  test('by the client, in the middle of a response: emits no finish', async () => {
    const { events } = await eventsOf((_req, res) => res.write('x'), { begin: cancelAtResponse });
    assert.deepEqual(events, ABORTED);
  });

  test('by the client, after res.send of more than it reads: emits no finish', async () => {
    const { events } = await eventsOf((_req, res) => res.send(Buffer.alloc(3_000_000)), {
      begin: stream => {
        stream.on('response', () => {
          stream.pause();
          setTimeout(() => stream.close(CANCEL), 20);
        });
        stream.end();
      },
    });
    assert.deepEqual(events, ABORTED);
  });

  test('the session ends while the end of a response is being sent: emits no finish and no uncaught error', async () => {
    const { events } = await eventsOf(
      (req, res) => {
        res.set('Content-Length', '2').write('a');
        res.end('b');
        (req as unknown as { stream: ServerHttp2Stream }).stream.session!.destroy();
      },
      { begin: stream => stream.end(), isFirst: false },
    );
    // Some versions of Node report it only after the request counts as complete.
    assert.deepEqual(
      events.filter(event => event.startsWith('res')),
      ['res close false true'],
    );
  });

  test('res.socket.write after the end: aborts the stream without an uncaught error', async () => {
    const { events } = await eventsOf(
      (_req, res) => {
        const { socket } = res;
        socket!.end();
        socket!.write('x');
      },
      { begin: stream => stream.end() },
    );
    assert.deepEqual(events, ABORTED);
  });

  test('by the client, before there is a response: emits aborted and close', async () => {
    let cancel = (): void => undefined;
    const { events } = await eventsOf(() => cancel(), {
      begin: stream => {
        stream.end();
        cancel = () => stream.close(CANCEL);
      },
    });
    assert.deepEqual(events, ABORTED);
  });

  test('by the client, in the middle of an upload: a body parser passes on request.aborted', async () => {
    const app = web().set('env', 'test');
    let disconnect = (): void => undefined;
    app.use((_req, _res, next) => {
      setImmediate(() => {
        disconnect();
      });
      next();
    });
    app.use(web.json());
    const failed = new Promise<{ type: string; status: number }>(resolve => {
      app.use(((error, _req, _res, _next) => {
        resolve(error as never);
      }) as web.ErrorRequestHandler);
    });
    await withSession(http2.createServer(app as never), async session => {
      await askSession(session, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        begin: stream => {
          stream.write('{"a"');
          // `close` would end the request first
          disconnect = () => void stream.destroy(new Error('gone'));
        },
      });
      const { status, type } = await failed;
      assert.deepEqual([status, type], [400, 'request.aborted']);
    });
  });

  test('by the client, in the middle of a file: the callback receives ECONNABORTED, and the file is closed', async () => {
    const app = web();
    const failed = new Promise<NodeJS.ErrnoException>(resolve => {
      app.get('/', (_req, res) => {
        res.sendFile(process.execPath, error => {
          resolve(error as NodeJS.ErrnoException);
        });
      });
    });
    await withSession(http2.createServer(app as never), async session => {
      await askSession(session, {
        begin: stream => {
          stream.once('data', () => {
            stream.pause();
            stream.close(CANCEL);
          });
          stream.end();
        },
      });
      assert.equal((await failed).code, 'ECONNABORTED');
    });
  });

  for (const [title, abort] of [
    ['res.destroy', (_req, res) => void res.destroy()],
    ['req.destroy', req => void req.destroy()],
    ['res.socket.destroy', (_req, res) => void res.socket!.destroy()],
    ['res.destroy with an error', (_req, res) => void res.destroy(new Error('broken'))],
  ] as [string, (req: Request, res: Response) => void][]) {
    test(`by the handler, ${title}: the client receives an error`, async () => {
      const { code, events } = await eventsOf(
        (req, res) => {
          res.write('x');
          setTimeout(() => {
            abort(req, res);
          }, 20);
        },
        { begin: stream => stream.end() },
      );
      assert.equal(code, INTERNAL_ERROR);
      assert.ok(!events.includes('res finish'));
      assert.ok(events.includes('res close false true'));
    });
  }

  test('by the client, in the middle of an upload after the response: only the request is aborted', async () => {
    const { events } = await eventsOf(
      (req, res) => {
        req.resume();
        res.send('early');
      },
      {
        method: 'POST',
        isFirst: false,
        begin: stream => {
          stream.write('part');
          stream.on('response', () => setTimeout(() => stream.destroy(new Error('gone')), 20));
        },
      },
    );
    assert.ok(events.includes('res finish') && events.includes('res close true true'), events.join());
    assert.ok(!events.includes('res close false true'));
  });

  test('req.socket.pause and destroySoon: an upload pauses, and a response ends', async () => {
    const app = web();
    app.post('/', (req, res) => {
      let bytes = 0;
      req.on('data', (chunk: Buffer) => {
        bytes += chunk.length;
        req.socket.pause();
        setTimeout(() => req.socket.resume(), 5);
      });
      req.on('end', () => res.send(String(bytes)));
    });
    app.get('/', (_req, res) => {
      const { socket } = res;
      res.write('x', () => socket!.destroySoon());
    });
    await withSession(http2.createServer(app as never), async session => {
      for (let i = 0; i < 2; i++) {
        const body = Buffer.alloc(100_000);
        assert.equal((await askSession(session, { method: 'POST', body })).text, '100000');
        assert.equal((await askSession(session)).text, 'x');
      }
    });
  });

  /** Sends a request that `handler` handles after its stream has been closed. */
  const afterClose = async (handler: (req: Request, res: Response) => unknown): Promise<unknown> => {
    const app = web().get('/warm', (_req, res) => void res.end());
    const seen = new Promise<unknown>(resolve => {
      app.get('/', (req, res) => {
        const { stream } = req as unknown as { stream: ServerHttp2Stream };
        stream.on('close', () =>
          setImmediate(() => {
            resolve(handler(req, res));
          }),
        );
        stream.session!.destroy();
      });
    });
    return withSession(http2.createServer(app as never), async session => {
      await askSession(session, '/warm');
      await askSession(session);
      return seen;
    });
  };

  test('the connection is closed: req.socket has no more information about it, like any socket', async () => {
    const seen = await afterClose(({ socket }) => {
      const gone = socket as unknown as tls.TLSSocket;
      return [
        [gone.remoteAddress, gone.remotePort, gone.remoteFamily, gone.localAddress, gone.localPort],
        [gone.encrypted, gone.authorized, gone.alpnProtocol, gone.getProtocol(), gone.getCipher()],
        [gone.bytesRead, gone.bytesWritten, gone.address(), gone.getPeerCertificate(), gone.destroyed],
      ];
    });
    const nothing = Array.from({ length: 5 }, () => undefined);
    assert.deepEqual(seen, [nothing, nothing, [0, 0, {}, {}, true]]);
  });

  const late: [string, (res: Response) => unknown][] = [
    ['send', res => res.send('x')],
    ['end', res => res.end()],
    ['write and end', res => (res.write('x'), res.end('y'))],
    ['a whole length', res => (res.set('Content-Length', '2').write('x'), res.end('y'))],
    ['early hints', res => res.writeEarlyHints({ link: '</a.css>; rel=preload' })],
    ['flushHeaders', res => res.flushHeaders()],
  ];
  for (const [title, send] of late) {
    test(`the connection is closed, and then ${title}: has no effect`, async () => {
      const seen = await afterClose((_req, res) => {
        res.on('finish', () => assert.fail('the response counts as sent'));
        send(res);
        return res.writableFinished;
      });
      assert.equal(seen, false);
    });
  }

  for (const isFirst of [true, false]) {
    test(`the stream is closed by the handler, first request ${String(isFirst)}: later frames are discarded`, async () => {
      const app = web().get('/warm', (_req, res) => void res.end());
      let isHandled = false;
      app.get('/:way', (req, res) => {
        isHandled = true;
        (req as unknown as { stream: ServerHttp2Stream }).stream.close(CANCEL);
        if (req.params.way === 'whole') {
          res.send('x');
        } else {
          res.write('x');
          setImmediate(() => res.end('y'));
        }
      });
      for (const way of ['/whole', '/pieces']) {
        await withSession(http2.createServer(app as never), async session => {
          if (!isFirst) await askSession(session, '/warm');
          const { status, text } = await askSession(session, way);
          assert.deepEqual([status, text], [0, '']);
        });
        assert.ok(isHandled);
      }
    });
  }

  test('an upload that is not read: the client is asked to stop, and no abort is reported', async () => {
    const { code, events } = await eventsOf((_req, res) => res.send('enough'), {
      method: 'POST',
      begin: stream => stream.write(Buffer.alloc(30_000)),
    });
    assert.equal(code, 0);
    assert.deepEqual(events, ['req close', 'res close true true', 'res finish']);
  });

  test('the session is destroyed: each of its requests is aborted', async () => {
    const app = web().set('env', 'test');
    let closed = 0;
    const all = new Promise<void>(resolve => {
      app.get('/', (_req, res) => {
        res.write('x');
        res.on('close', () => {
          if (++closed === 10) resolve();
        });
      });
    });
    await withSession(http2.createServer(app as never), async session => {
      let begun = 0;
      const answers = Array.from({ length: 10 }, () =>
        askSession(session, {
          begin: stream =>
            stream
              .on('response', () => {
                if (++begun === 10) session.destroy();
              })
              .end(),
        }),
      );
      await Promise.all(answers);
      await all;
    });
    assert.equal(closed, 10);
  });

  test('res.setTimeout: calls its callback, or aborts the stream if there is none', async () => {
    const heard = await eventsOf((_req, res) => res.setTimeout(30, () => res.send('slow')), {
      begin: stream => stream.end(),
    });
    assert.equal(heard.code, 0);
    const unheard = await eventsOf((_req, res) => res.setTimeout(30), { begin: stream => stream.end() });
    assert.equal(unheard.code, INTERNAL_ERROR);
  });
});
