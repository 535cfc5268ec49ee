// runs: each
/** `app.fetch`: passes a `Request` to an application and returns its `Response`. */
import assert from 'node:assert/strict';
import { IncomingMessage } from 'node:http';
import { describe, test } from 'node:test';
import web from 'ristretto';
import type { Request as Req, Response as Res } from 'ristretto';

const BASE = 'https://example.com:8443';

type Handler = (req: Req, res: Res) => unknown;

const quiet = (): ReturnType<typeof web> => web().set('env', 'test');

/** Sends a request to an application with a single handler. */
const send = (handler: Handler, url = '/', init?: RequestInit, info?: object): Promise<Response> => {
  const app = quiet();
  app.use(handler as never);
  return app.fetch(new Request(BASE + url, init), info);
};

const seen = async (
  read: (req: Req, res: Res) => unknown,
  url = '/',
  init?: RequestInit,
  info?: object,
): Promise<unknown> => {
  const response = await send((req, res) => res.json({ seen: read(req, res) }), url, init, info);
  return ((await response.json()) as { seen: unknown }).seen;
};

const upload = (body: unknown): RequestInit => ({ method: 'POST', body, duplex: 'half' }) as never;

describe('app.fetch', () => {
  test('detached: is bound to the application and the same function on each read', async () => {
    const app = quiet().get('/', (_req, res) => void res.send('hello'));
    const { fetch } = app;
    assert.equal(fetch, app.fetch);
    assert.equal(await (await fetch(new Request(BASE))).text(), 'hello');
  });

  test('assignment: replaces fetch with a function of the application', () => {
    const app = quiet();
    const own = (): never => assert.fail();
    app.fetch = own as never;
    assert.equal(app.fetch, own);
  });

  test('argument: throws a TypeError for what is not a request, with the value', () => {
    for (const [value, text] of [
      ['/x', "'/x'"],
      [new URL('http://a/'), 'URL'],
      [undefined, 'undefined'],
    ] as const)
      assert.throws(
        () => web().fetch(value as never),
        (error: Error) =>
          error instanceof TypeError && error.message.includes(`a Request`) && error.message.includes(text),
      );
  });

  test('classes: messages inherit from the classes of node:http and from the application', async () => {
    const read: Handler = (req, res) => [
      req instanceof IncomingMessage,
      Object.getPrototypeOf(req) === (req.app as ReturnType<typeof web>).request,
      Object.getPrototypeOf(res) === (req.app as ReturnType<typeof web>).response,
    ];
    assert.deepEqual(await seen(read), [true, true, true]);
  });

  test('URL: sets scheme, host and target, whatever the headers say', async () => {
    const read: Handler = req => [
      req.protocol,
      req.secure,
      req.get('host'),
      req.hostname,
      req.originalUrl,
      req.query,
    ];
    const result = await seen(read, '/a%20b/c?d=e#f', { headers: { host: 'evil.example' } });
    assert.deepEqual(result, ['https', true, 'example.com:8443', 'example.com', '/a%20b/c?d=e', { d: 'e' }]);
    const app = quiet().get('/', (req, res) => void res.json([req.protocol, req.secure]));
    assert.deepEqual(await (await app.fetch(new Request('http://a.example'))).json(), ['http', false]);
  });

  const infos: [string, object | undefined, unknown[]][] = [
    ['none', undefined, [null, null, true]],
    [
      'of Ristretto',
      { remoteAddress: '192.0.2.1', remotePort: 5, encrypted: false },
      ['192.0.2.1', 5, false],
    ],
    ['of Deno', { remoteAddr: { hostname: '192.0.2.2', port: 6 } }, ['192.0.2.2', 6, true]],
    ['of Bun', { requestIP: () => ({ address: '192.0.2.3', port: 7 }) }, ['192.0.2.3', 7, true]],
    ['of Bun, address unknown', { requestIP: () => null }, [null, null, true]],
    [
      'of an adapter for Node',
      { incoming: { socket: { remoteAddress: '192.0.2.4', remotePort: 8 } } },
      ['192.0.2.4', 8, true],
    ],
    ['of Deno, address unknown', { remoteAddr: null }, [null, null, true]],
    [
      'of Bun, throwing',
      {
        requestIP: () => {
          throw new Error('unknown request');
        },
      },
      [null, null, true],
    ],
    ['an environment', { DATABASE: {}, remoteAddress: 5 }, [null, null, true]],
  ];
  for (const [title, info, expected] of infos) {
    test(`second argument, ${title}: determines the address of the client`, async () => {
      const read: Handler = ({ ip, socket }) => [
        socket.remoteAddress ?? null,
        socket.remotePort ?? null,
        (socket as unknown as { encrypted: boolean }).encrypted && ip === socket.remoteAddress,
      ];
      assert.deepEqual(await seen(read, '/', undefined, info), expected);
    });
  }

  test('request.ip: is the client address when there is no second argument', async () => {
    const app = quiet().get('/', (req, res) => void res.json([req.ip]));
    const request = Object.assign(new Request(BASE), { ip: '192.0.2.5' });
    assert.deepEqual(await (await app.fetch(request)).json(), ['192.0.2.5']);
  });

  test('body: text, JSON, form and bytes are parsed', async () => {
    const app = quiet().use(web.json(), web.text(), web.urlencoded({ extended: false }), web.raw());
    app.post('/', (req, res) => void res.json(req.body));
    const ask = async (body: unknown, type: string): Promise<unknown> => {
      const headers = { 'content-type': type };
      return (await app.fetch(new Request(BASE, { ...upload(body), headers }))).json();
    };
    assert.deepEqual(await ask('{"a":1}', 'application/json'), { a: 1 });
    assert.equal(await ask('text', 'text/plain'), 'text');
    assert.deepEqual(await ask(new URLSearchParams({ a: 'b' }), 'application/x-www-form-urlencoded'), {
      a: 'b',
    });
    assert.deepEqual(await ask(new Uint8Array([1]), 'application/octet-stream'), {
      type: 'Buffer',
      data: [1],
    });
  });

  test('body: applies backpressure to the stream of the request', async () => {
    let pulled = 0;
    const body = new ReadableStream({
      pull(controller) {
        if (++pulled > 1000) controller.close();
        else controller.enqueue(new Uint8Array(10_000));
      },
    });
    let goOn: () => void = assert.fail;
    const begun = new Promise<void>(resolve => {
      goOn = resolve;
    });
    const app = quiet();
    app.post('/', (req, res) => {
      let bytes = 0;
      req.once('readable', () => {
        setTimeout(() => {
          assert.ok(pulled < 50, `${pulled} chunks were read ahead`);
          req.on('data', (chunk: Buffer) => (bytes += chunk.length));
          req.on('end', () => res.send(String(bytes)));
          goOn();
        }, 20);
      });
    });
    const response = app.fetch(new Request(BASE, upload(body)));
    await begun;
    assert.equal(await (await response).text(), '10000000');
  });

  test('body that fails: is reported as an aborted request', async () => {
    const body = new ReadableStream({
      pull(controller) {
        controller.error(new Error('broken'));
      },
    });
    const app = quiet().use(web.text());
    const failed = new Promise<{ type: string }>(resolve => {
      app.use(((error, _req, res, _next) => {
        resolve(error as never);
        res.end();
      }) as web.ErrorRequestHandler);
    });
    const headers = { 'content-type': 'text/plain' };
    const response = await app.fetch(new Request(BASE, { ...upload(body), headers }));
    assert.equal((await failed).type, 'request.aborted');
    assert.equal(response.status, 499);
  });

  test('body that was read before: is a 500 that names the cause, and is logged', async () => {
    for (const use of [
      (request: Request) => request.text(),
      (request: Request) => void request.body!.getReader(),
    ]) {
      const headers = { 'content-type': 'text/plain' };
      const request = new Request(BASE, { ...upload('used'), headers });
      await use(request);
      const logged: string[] = [];
      const app = quiet().use(web.text(), (_req, res) => res.send('x'));
      app.set('error logger', ({ error }) => void logged.push(String(error)));
      const response = await app.fetch(request);
      assert.equal(response.status, 500);
      assert.match(await response.text(), /the body of the Request has already been read/);
      assert.match(logged[0]!, /has already been read/);
    }
  });

  test('body that was read before: does not matter to a handler that does not need it', async () => {
    const request = new Request(BASE, upload('used'));
    await request.text();
    const app = quiet().post('/', (_req, res) => void res.send('x'));
    assert.equal((await app.fetch(request)).status, 200);
  });

  test('body that is not read: is cancelled when the client disconnects', async () => {
    let isCancelled = false;
    const body = new ReadableStream({ cancel: () => void (isCancelled = true) });
    const controller = new AbortController();
    const request = new Request(BASE, { ...upload(body), signal: controller.signal });
    const response = quiet()
      .post('/', () => {
        controller.abort();
      })
      .fetch(request);
    assert.equal((await response).status, 499);
    assert.equal(isCancelled, true);
  });

  test('body that is not read: is left untouched', async () => {
    const request = new Request(BASE, upload('unread'));
    const app = quiet().post('/', (_req, res) => void res.send('x'));
    assert.equal((await app.fetch(request)).status, 200);
    assert.equal(await request.text(), 'unread');
  });

  test('send, json, redirect, sendStatus, sendFile, end: set status, headers and body', async () => {
    const file = await send((_req, res) => {
      res.sendFile(__filename);
    });
    assert.match(await file.text(), /^\/\/ runs: each\n\/\*\* `app.fetch`/);
    const found = await send((_req, res) => {
      res.redirect('/x');
    });
    assert.deepEqual([found.status, found.statusText, found.headers.get('location')], [302, 'Found', '/x']);
    const ended = await send((_req, res) => res.writeHead(201, { 'X-A': '1' }).end('made'));
    assert.deepEqual([ended.status, ended.headers.get('x-a'), await ended.text()], [201, '1', 'made']);
    assert.equal((await send((_req, res) => res.sendStatus(404))).status, 404);
    assert.equal((await quiet().fetch(new Request(`${BASE}/none`))).status, 404);
  });

  test('ranges and conditional requests: work as over HTTP/1.1', async () => {
    const part = await send((_req, res) => void res.sendFile(__filename), '/', {
      headers: { range: 'bytes=0-2' },
    });
    assert.deepEqual([part.status, await part.text()], [206, '// ']);
    const fresh = await send((_req, res) => res.set('ETag', '"a"').send('x'), '/', {
      headers: { 'if-none-match': '"a"' },
    });
    assert.deepEqual([fresh.status, fresh.body], [304, null]);
  });

  test('several Set-Cookie: remain separate headers', async () => {
    const { headers } = await send((_req, res) => res.cookie('a', '1').cookie('b', '2').end());
    assert.deepEqual(headers.getSetCookie(), ['a=1; Path=/', 'b=2; Path=/']);
  });

  test('framing: sends no framing headers, whatever the handler sets', async () => {
    const response = await send((_req, res) => {
      res.set('Transfer-Encoding', 'chunked').set('Connection', 'close');
      res.write('a');
      res.end('b');
    });
    assert.deepEqual(
      [response.headers.get('transfer-encoding'), response.headers.get('connection'), await response.text()],
      [null, null, 'ab'],
    );
  });

  test('204, 205, 304, HEAD: have no body', async () => {
    for (const status of [204, 205, 304]) {
      const { body } = await send(
        (_req, res) => (res.writeHead(status), res.end(status === 205 ? 'x' : undefined)),
      );
      assert.equal(body, null);
    }
    const head = await send((_req, res) => res.send('hello'), '/', { method: 'HEAD' });
    assert.deepEqual([head.body, head.headers.get('content-length')], [null, '5']);
  });

  test('event streams: return the response immediately and keep streaming', async () => {
    const response = await send((_req, res) => {
      res.type('text/event-stream').flushHeaders();
      setTimeout(() => {
        res.write('data: 1\n\n');
        res.end('data: 2\n\n');
      }, 20);
    });
    assert.equal(response.headers.get('content-type'), 'text/event-stream; charset=utf-8');
    assert.equal(await response.text(), 'data: 1\n\ndata: 2\n\n');
  });

  test('backpressure: applies to the handler while the body is not read', async () => {
    let isFull = false;
    const response = await send((_req, res) => {
      for (let i = 0; i < 100 && !isFull; i++) isFull = !res.write(Buffer.alloc(10_000, 'x'));
      res.once('drain', () => res.end());
    });
    assert.ok(isFull);
    assert.ok((await response.text()).length >= 10_000);
  });

  test('chunks: are copies of what was written', async () => {
    const response = await send((_req, res) => {
      const chunk = Buffer.from('first');
      res.write(chunk, () => {
        chunk.fill('x');
        res.end();
      });
    });
    assert.equal(await response.text(), 'first');
  });

  test('informational responses: are discarded', async () => {
    const response = await send((_req, res) => {
      res.writeEarlyHints({ link: '</a.css>; rel=preload' });
      res.writeContinue();
      res.send('x');
    });
    assert.deepEqual([response.status, await response.text()], [200, 'x']);
  });

  const unsendable: [string, Handler][] = [
    ['status 700', (_req, res) => res.status(700).send('x')],
    ['status 101, in chunks', (_req, res) => (res.writeHead(101), res.write('x'), res.end())],
    ['status 199 later', (_req, res) => setTimeout(() => res.status(199).send('x'), 5)],
    ['a rejection', () => Promise.reject(new Error('no'))],
    [
      'an exception',
      () => {
        throw new Error('no');
      },
    ],
    ['res.destroy', (_req, res) => res.destroy()],
    ['req.socket.destroy', req => req.socket.destroy()],
  ];
  for (const [title, handler] of unsendable) {
    test(`${title}: returns a 500`, async () => {
      assert.equal((await send(handler)).status, 500);
    });
  }

  test('res.destroy in the middle: makes reading the body fail', async () => {
    const response = await send((_req, res) => {
      res.write('x');
      setTimeout(() => res.destroy(), 10);
    });
    await assert.rejects(response.text(), /was aborted/);
  });

  /** Returns the events of the request and response when `leave` aborts the request. */
  const eventsOf = async (
    leave: (controller: AbortController, response: Promise<Response>) => unknown,
    handler: Handler,
  ): Promise<string[]> => {
    const events: string[] = [];
    const controller = new AbortController();
    const app = quiet();
    const closed = new Promise<void>(resolve => {
      app.get('/', (req, res) => {
        req.on('aborted', () => events.push('aborted'));
        res.on('finish', () => events.push('finish'));
        res.on('close', () => {
          events.push(`close ${String(res.writableFinished)}`);
          resolve();
        });
        handler(req, res);
      });
    });
    const response = app.fetch(new Request(BASE, { signal: controller.signal }));
    await leave(controller, response);
    await closed;
    return events;
  };

  test('the signal, before the response: emits aborted and close, and returns a 499', async () => {
    let status = 0;
    const events = await eventsOf(
      async (controller, response) => {
        controller.abort();
        ({ status } = await response);
      },
      () => undefined,
    );
    assert.deepEqual([events, status], [['aborted', 'close false'], 499]);
  });

  test('the signal, in the middle of the body: emits aborted and close, and makes reading fail', async () => {
    const events = await eventsOf(
      async (controller, response) => {
        const reader = (await response).body!.getReader();
        await reader.read();
        controller.abort();
        await assert.rejects(reader.read());
      },
      (_req, res) => res.write('x'),
    );
    assert.deepEqual(events, ['aborted', 'close false']);
  });

  test('the signal, and then the body is cancelled: neither fails', async () => {
    const events = await eventsOf(
      async (controller, response) => {
        const { body } = await response;
        controller.abort();
        await body!.cancel();
      },
      (_req, res) => res.write('x'),
    );
    assert.deepEqual(events, ['aborted', 'close false']);
  });

  test('a signal that is already aborted: returns a 499', async () => {
    const app = quiet().get('/', () => undefined);
    const response = await app.fetch(new Request(BASE, { signal: AbortSignal.abort() }));
    assert.equal(response.status, 499);
  });

  test('the body is cancelled: emits aborted and close', async () => {
    const events = await eventsOf(
      async (_controller, response) => (await response).body!.cancel(),
      (_req, res) => res.write('x'),
    );
    assert.deepEqual(events, ['aborted', 'close false']);
  });

  test('the body is read to the end: emits finish, then close', async () => {
    const events = await eventsOf(
      async (_controller, response) => (await response).text(),
      (_req, res) => (res.write('x'), res.end('y')),
    );
    assert.deepEqual(events, ['finish', 'close true']);
  });

  test('req.socket.pause: pauses the body until resume', async () => {
    const app = quiet();
    app.post('/', (req, res) => {
      let bytes = 0;
      req.on('data', (chunk: Buffer) => {
        bytes += chunk.length;
        req.socket.pause();
        setTimeout(() => req.socket.resume(), 5);
      });
      req.on('end', () => res.send(String(bytes)));
    });
    const response = await app.fetch(new Request(BASE, upload('x'.repeat(200_000))));
    assert.equal(await response.text(), '200000');
  });

  test('req.socket.write after the response is sent: is discarded', async () => {
    const response = await send((req, res) => {
      const { socket } = req;
      res.on('finish', () => setImmediate(() => socket.write('late')));
      res.write('x');
      res.end('y');
    });
    assert.equal(await response.text(), 'xy');
  });

  test('the prototype of applications: has no fetch method', () => {
    assert.equal((web.application as { fetch?: unknown }).fetch, undefined);
  });

  test('res.setTimeout: calls its callback, or aborts the response if there is none', async () => {
    const heard = await send((_req, res) => res.setTimeout(20, () => res.send('slow')));
    assert.equal(await heard.text(), 'slow');
    assert.equal((await send((_req, res) => res.setTimeout(20))).status, 500);
  });
});
