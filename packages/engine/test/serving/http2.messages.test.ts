// runs: each
/** Requests and responses over HTTP/2: the members that middleware expects of HTTP/1.1. */
import assert from 'node:assert/strict';
import http2 from 'node:http2';
import { IncomingMessage, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { describe, test } from 'node:test';
import web from 'ristretto';
import type { Request as ServerRequest, Response } from 'ristretto';
import { ask } from '../support/http.js';
import { askHttp2, askSession, withSession } from '../support/http2.js';
import type { Http2Answer, Http2Ask } from '../support/http2.js';
import { until } from '../support/until.js';

type Handler = (
  req: ServerRequest & Record<string, unknown>,
  res: Response & Record<string, unknown>,
) => unknown;

const handle = (handler: Handler): unknown => {
  const app = web().set('env', 'test');
  app.all('*', handler as never);
  return app;
};

const see = async (
  read: (req: ServerRequest & Record<string, unknown>, res: Response & Record<string, unknown>) => unknown,
  options: Parameters<typeof askHttp2>[1] = {},
): Promise<unknown> => {
  const { text } = await askHttp2(
    handle((req, res) => res.json({ seen: read(req, res) })),
    options,
  );
  return (JSON.parse(text) as { seen: unknown }).seen;
};

describe('HTTP/2: request', () => {
  test('classes: messages inherit from the classes of node:http and from the application', async () => {
    const app = web();
    app.get('/', (req, res) => {
      assert.equal(Object.getPrototypeOf(req), app.request);
      assert.equal(Object.getPrototypeOf(res), app.response);
      res.json([req instanceof IncomingMessage, res instanceof ServerResponse]);
    });
    assert.equal((await askHttp2(app)).text, '[true,true]');
  });

  test('body: one without content is complete for whoever reads it later', async () => {
    const app = web().set('env', 'test');
    app.use((_req, _res, next) => void setTimeout(next, 20));
    app.post('/json', web.json(), (req, res) => void res.json({ body: req.body as unknown }));
    app.post(
      '/raw',
      web.raw({ type: () => true }),
      (req, res) => void res.json({ body: req.body as unknown }),
    );
    app.post('/stream', async (req, res) => {
      const pieces = await req.toArray();
      res.json({ pieces, complete: req.complete, trailers: req.trailers });
    });
    await withSession(http2.createServer(app as never), async session => {
      const headers = { 'content-type': 'application/json' };
      const ask = async (path: string): Promise<string> =>
        (await askSession(session, { method: 'POST', path, headers, body: '' })).text;
      assert.equal(await ask('/json'), '{"body":{}}');
      assert.equal(await ask('/raw'), '{"body":{"type":"Buffer","data":[]}}');
      assert.equal(await ask('/stream'), '{"pieces":[],"complete":true,"trailers":{}}');
      assert.match(await ask('/nowhere'), /Cannot POST \/nowhere/);
    });
  });

  test('trailers: are there for whoever reads the body later', async () => {
    const app = web().set('env', 'test');
    app.post('/', async (req, res) => {
      await new Promise(resolve => setTimeout(resolve, 20));
      const text = (await req.toArray()).join('');
      res.json([text, req.trailers]);
    });
    await withSession(http2.createServer(app as never), async session => {
      for (const body of ['', 'body']) {
        const stream = session.request({ ':method': 'POST', ':path': '/' }, {
          waitForTrailers: true,
        } as object);
        stream.on('wantTrailers', () => {
          stream.sendTrailers({ 'x-t': '1' });
        });
        stream.end(body);
        const text = (await stream.setEncoding('utf8').toArray()).join('');
        assert.equal(text, JSON.stringify([body, { 'x-t': '1' }]));
      }
    });
  });

  test('stream: a handler that responds on it directly may end the response; a later error resets the stream', async () => {
    const app = web().set('env', 'test');
    const begin = (res: Response): http2.ServerHttp2Stream => {
      const { stream } = res as unknown as { stream: http2.ServerHttp2Stream };
      stream.respond({ ':status': 200 });
      stream.write('begin');
      return stream;
    };
    app.get('/end', (_req, res) => {
      begin(res);
      setTimeout(() => res.end(), 10);
    });
    app.get('/fail', (_req, res, next) => {
      begin(res);
      setTimeout(() => {
        next(new Error('late'));
      }, 10);
    });
    app.get('/deadline', web.deadline(10), (_req, res) => {
      const stream = begin(res);
      setTimeout(() => stream.end(), 100);
    });
    await withSession(http2.createServer(app as never), async session => {
      const seen = async (path: string): Promise<unknown[]> => {
        const { status, text, code } = await askSession(session, path);
        return [status, text, code];
      };
      assert.deepEqual(await seen('/end'), [200, 'begin', http2.constants.NGHTTP2_NO_ERROR]);
      for (const path of ['/fail', '/deadline'])
        assert.deepEqual(await seen(path), [200, 'begin', http2.constants.NGHTTP2_INTERNAL_ERROR]);
    });
  });

  const members: [
    title: string,
    read: Parameters<typeof see>[0],
    values: unknown[],
    headers?: http2.OutgoingHttpHeaders,
  ][] = [
    ['version: is 2.0', req => [req.httpVersion, req.httpVersionMajor, req.httpVersionMinor], ['2.0', 2, 0]],
    [
      'host: comes from :authority, which takes precedence over a Host header',
      req => [req.hostname, req.get('host'), req.headers.host],
      ['example.com', 'example.com:8080', 'example.com:8080'],
      { ':authority': 'example.com:8080', host: 'evil.example' },
    ],
    ['cookie: joins several headers', req => [req.headers.cookie], ['a=1; b=2'], { cookie: ['a=1', 'b=2'] }],
    [
      'socket: has the addresses of the connection',
      ({ socket, ip }) => [socket.remoteAddress, socket.remoteFamily, socket.localAddress, ip],
      ['127.0.0.1', 'IPv4', '127.0.0.1', '127.0.0.1'],
    ],
    [
      'socket: has ports, and is not secure',
      ({ socket, protocol, secure }) => [typeof socket.remotePort, typeof socket.localPort, protocol, secure],
      ['number', 'number', 'http', false],
    ],
    [
      'stream, scheme, authority: exist as in the compatibility API',
      (req, res) => [typeof req.stream, req.stream === res.stream, req.scheme, req.authority],
      ['object', true, 'http', 'a.example'],
      { ':authority': 'a.example' },
    ],
  ];
  for (const [title, read, values, headers = {}] of members) {
    test(title, async () => {
      assert.deepEqual(await see(read, { headers }), values);
    });
  }

  test('pseudo-header fields: are hidden', async () => {
    const seen = await see(req => [req.get(':path'), Object.keys(req.headers).join(), req.rawHeaders.join()]);
    const [path, names, raw] = seen as [unknown, string, string];
    assert.equal(path, null);
    assert.doesNotMatch(names + raw, /:path|:method|:scheme|:authority/);
  });

  test('socket: methods that middleware calls do not throw', async () => {
    const seen = await see((req, res) => {
      const { socket } = req;
      return [
        socket.setKeepAlive(true) === socket,
        socket.setNoDelay(true) === socket,
        socket.setTimeout(1000) === socket,
        socket.ref() === socket,
        socket.unref() === socket,
        res.socket === socket,
        req.connection === socket,
        socket.destroyed,
        socket.writable,
        typeof socket.address(),
      ];
    });
    assert.deepEqual(seen, [true, true, true, true, true, true, true, false, true, 'object']);
  });

  test('body in chunks: is read as a stream, with backpressure and trailers', async () => {
    const app = web();
    app.post('/', (req, res) => {
      let bytes = 0;
      req.on('data', (chunk: Buffer) => {
        bytes += chunk.length;
        req.pause();
        setImmediate(() => req.resume());
      });
      req.on('end', () => res.json({ bytes, complete: req.complete, trailers: req.trailers }));
    });
    const { text } = await askHttp2(app, {
      method: 'POST',
      begin: stream => {
        for (let i = 0; i < 20; i++) stream.write(Buffer.alloc(10_000));
        stream.end();
      },
    });
    assert.equal(text, '{"bytes":200000,"complete":true,"trailers":{}}');
  });

  test('Expect: 100-continue is sent before the body is read', async () => {
    const app = web().use(web.text());
    app.post('/', (req, res) => void res.send(req.body));
    const { informational, text } = await askHttp2(app, {
      method: 'POST',
      headers: { 'content-type': 'text/plain', expect: '100-continue' },
      begin: stream => stream.on('continue', () => stream.end('sent late')),
    });
    assert.deepEqual(
      informational.map(fields => fields[':status']),
      [100],
    );
    assert.equal(text, 'sent late');
  });
});

describe('HTTP/2: response', () => {
  test('members: those missing from the compatibility API exist', async () => {
    const seen = await see((_req, res) => [
      res.setHeader('X-A', '1') === res,
      typeof res.appendHeader,
      res.setHeaders(new Headers({ 'X-B': '2' })) === res,
      (res as unknown as { getRawHeaderNames(): string[] }).getRawHeaderNames().includes('X-A'),
      typeof res._implicitHeader,
      res.destroyed,
      [res.writable, res.writableEnded, res.writableFinished, res.writableLength, res.headersSent],
    ]);
    assert.deepEqual(seen, [true, 'function', true, true, 'function', false, [true, false, false, 0, false]]);
  });

  test('headers about a connection: are silently omitted', async () => {
    const names = ['Connection', 'Keep-Alive', 'Transfer-Encoding', 'Upgrade', 'Proxy-Connection'];
    for (const send of [(res: Response) => res.send('x'), (res: Response) => res.end('x')]) {
      const { status, headers } = await askHttp2(
        handle((_req, res) => {
          for (const name of names) res.setHeader(name, name === 'Transfer-Encoding' ? 'chunked' : 'x');
          send(res);
        }),
      );
      assert.equal(status, 200);
      for (const name of names) assert.equal(headers[name.toLowerCase()], undefined);
    }
  });

  test('white space around a value: is removed, because clients drop or reject such headers', async () => {
    const set = handle((_req, res) => res.set({ 'X-A': ' a\tb \t', 'X-B': [' c', 'd '], 'X-C': ' ' }).end());
    const { headers } = await askHttp2(set);
    assert.deepEqual([headers['x-a'], headers['x-b'], headers['x-c']], ['a\tb', 'c, d', '']);
    const written = await askHttp2(handle((_req, res) => res.writeHead(200, { 'X-A': ' a ' }).end()));
    assert.equal(written.headers['x-a'], 'a');
  });

  test('values that are neither text nor lists: are sent as text, as over HTTP/1.1, without a socket, too', async () => {
    const values: Record<string, unknown> = {
      null: null,
      object: { a: 1 },
      bytes: Buffer.from('bytes'),
      'no element': new Array(1),
      'one element': [null],
      number: 5,
      boolean: true,
    };
    const ways: Record<string, (res: Response, value: never) => unknown> = {
      setHeader: (res, value) => res.setHeader('X-A', value).end('k'),
      send: (res, value) => res.setHeader('X-A', value).send('k'),
      writeHead: (res, value) => res.writeHead(200, { 'X-A': value }).end('k'),
      appendHeader: (res, value) => res.appendHeader('X-A', value).end('k'),
      sendFile: (res, value) => void res.sendFile(__filename, { headers: { 'X-A': value } }),
    };
    const app = web().set('env', 'test');
    app.get('/:way/:value', ({ params }, res) => {
      ways[params.way]!(res, values[params.value] as never);
    });
    for (const way of Object.keys(ways)) {
      for (const value of Object.keys(values)) {
        const path = `/${way}/${encodeURIComponent(value)}`;
        const seen = [];
        for (const { status, headers } of [
          await ask(app, path),
          await askHttp2(app, path),
          await app.inject(path),
        ])
          seen.push([status, status === 200 && String(headers['x-a'])]);
        assert.deepEqual(seen, [seen[0], seen[0], seen[0]], path);
      }
    }
  });

  test('a reason phrase that HTTP/1.1 cannot send: is a 500, and ends no process', async () => {
    for (const format of ['html', 'problem'] as const) {
      const app = web().set('env', 'test').set('error format', format);
      app.get('/property', (_req, res) => Object.assign(res, { statusMessage: 'a\nb' }).end('k'));
      app.get('/writeHead', (_req, res) => res.writeHead(200, '☃').end('k'));
      app.get('/error', (_req, res, next) => {
        res.statusMessage = '☃';
        setImmediate(() => next(new Error('later')));
      });
      for (const path of ['/property', '/writeHead', '/error']) {
        assert.equal((await askHttp2(app, path)).status, 500);
        assert.equal((await ask(app, path)).status, 500);
        assert.equal((await app.inject(path)).status, 500);
      }
    }
  });

  test('writes after the end: end no process, whenever they come', async () => {
    const app = web().set('env', 'test');
    const moments: Record<string, (write: () => void) => unknown> = {
      now: write => write(),
      'next tick': write => process.nextTick(write),
      'a microtask later': write => void Promise.resolve().then(write),
      later: setImmediate,
    };
    app.get('/:moment/:way', ({ params }, res) => {
      res.send('x');
      moments[params.moment]!(() => {
        if (params.way === 'pipe') Readable.from(['late']).pipe(res);
        else if (params.way === 'end') res.end('late');
        else res.write('late');
      });
    });
    for (const moment of Object.keys(moments)) {
      for (const way of ['write', 'end', 'pipe']) {
        const path = `/${encodeURIComponent(moment)}/${way}`;
        assert.equal((await askHttp2(app, path)).text, 'x');
        assert.equal((await app.inject(path)).text(), 'x');
        assert.equal(await (await app.fetch(new Request(`http://localhost${path}`))).text(), 'x');
      }
    }
  });

  test('error events of a program: are thrown without a listener, as on any emitter', async () => {
    const seen = await see((_req, res) => {
      try {
        return res.emit('error', new Error('mine'));
      } catch (error) {
        return (error as Error).message;
      }
    });
    assert.equal(seen, 'mine');
  });

  test('headers of writeHead: may be an object, pairs or a flat list', async () => {
    for (const given of [
      { 'X-A': '1', 'X-N': 2 },
      [
        ['X-A', '1'],
        ['X-N', '2'],
      ],
      ['X-A', '1', 'X-N', '2'],
    ]) {
      for (const poweredBy of Array.isArray(given[0 as never]) ? [false] : [true, false]) {
        const app = web().set('x-powered-by', poweredBy);
        app.get('/', (_req, res) => void res.writeHead(201, 'Reason', given as never).end('x'));
        const { status, headers } = await askHttp2(app);
        assert.deepEqual([status, headers['x-a'], headers['x-n']], [201, '1', '2']);
      }
    }
  });

  test('writeHead: throws for an invalid name or value, as over HTTP/1.1', async () => {
    const { status, text } = await askHttp2(
      handle((_req, res) => {
        res.removeHeader('X-Powered-By');
        res.writeHead(200, { 'X-A': 'a\r\nb' });
      }),
    );
    assert.equal(status, 500);
    assert.match(text, /ERR_INVALID_CHAR|Invalid character/);
  });

  const unsendable: [string, Handler][] = [
    ['status 700, send', (_req, res) => res.status(700).send('x')],
    ['status 700, writeHead and end', (_req, res) => res.writeHead(700).end('x')],
    ['status 700, write', (_req, res) => (res.writeHead(700), res.write('x'), res.end('y'))],
    ['status 101, send', (_req, res) => res.status(101).send('x')],
    ['status 102, end', (_req, res) => (res.status(102), res.end())],
    ['ETag twice', (_req, res) => (res.setHeader('ETag', ['"a"', '"b"']), res.send('x'))],
    ['Content-Type twice', (_req, res) => res.writeHead(200, { 'Content-Type': ['a/b', 'c/d'] }).end('x')],
  ];
  for (const [title, handler] of unsendable) {
    test(`${title}: becomes a 500, sent immediately or later, and the session continues`, async () => {
      for (const isLate of [false, true]) {
        const app = web().set('env', 'test');
        app.get('/ok', (_req, res) => void res.send('ok'));
        app.get('/', (req, res) => {
          if (isLate) setTimeout(() => handler(req as never, res as never), 5);
          else handler(req as never, res as never);
        });
        const { status, headers, text, code } = await askHttp2(app);
        assert.deepEqual([status, text, code], [500, 'Internal Server Error', 0]);
        assert.equal(headers['content-type'], 'text/plain; charset=utf-8');
      }
    });
  }

  test('writeHead: works without headers, and with a header twice', async () => {
    const app = web().disable('x-powered-by');
    app.get('/none', (_req, res) => void res.writeHead(200).end('x'));
    app.get('/twice', (_req, res) => void res.writeHead(200, ['Vary', 'A', 'vary', 'B'] as never).end('x'));
    assert.equal((await askHttp2(app, '/none')).text, 'x');
    assert.equal((await askHttp2(app, '/twice')).headers.vary, 'A, B');
  });

  test('early hints with a header twice: both are sent', async () => {
    const { informational } = await askHttp2(
      handle((_req, res) => {
        res.writeEarlyHints({ link: '</a.css>; rel=preload', 'x-a': ['1', '2'] as never });
        res.end();
      }),
    );
    assert.match(String(informational[0]!['x-a']), /1,\s*2/);
  });

  test('Date: is sent unless sendDate is false', async () => {
    assert.match(String((await askHttp2(handle((_req, res) => res.send('x')))).headers.date), /GMT$/);
    const off = await askHttp2(handle((_req, res) => ((res.sendDate = false), res.end('x'))));
    assert.equal(off.headers.date, undefined);
  });

  test('HEAD, 204, 304: have no content', async () => {
    const head = await askHttp2(
      handle((_req, res) => res.send('hello')),
      { method: 'HEAD' },
    );
    assert.deepEqual([head.status, head.headers['content-length'], head.text], [200, '5', '']);
    const none = await askHttp2(handle((_req, res) => res.status(204).send('hello')));
    assert.deepEqual([none.status, none.headers['content-length'], none.text], [204, undefined, '']);
    const raw = await askHttp2(handle((_req, res) => (res.writeHead(204), res.end('hello'))));
    assert.deepEqual([raw.status, raw.text, raw.code], [204, '', 0]);
    const app = web().get('/', (_req, res) => void res.set('ETag', '"a"').send('hello'));
    const fresh = await askHttp2(app, { headers: { 'if-none-match': '"a"' } });
    assert.deepEqual([fresh.status, fresh.text], [304, '']);
  });

  test('content beyond Content-Length: is truncated', async () => {
    const { text, code } = await askHttp2(
      handle((_req, res) => {
        res.setHeader('Content-Length', '3');
        res.write('ab');
        res.end('cdef');
      }),
    );
    assert.deepEqual([text, code], ['abc', 0]);
  });

  test('Content-Length that is not a number: is omitted', async () => {
    const { text, headers } = await askHttp2(
      handle((_req, res) => (res.setHeader('Content-Length', 'many'), res.write('ab'), res.end('c'))),
    );
    assert.deepEqual([text, headers['content-length']], ['abc', undefined]);
  });

  test('write: calls callbacks in order and emits drain', async () => {
    const events: string[] = [];
    const { text } = await askHttp2(
      handle((_req, res) => {
        const goOn = (): void => {
          events.push('drain');
          res.end('!', () => events.push('end'));
        };
        const isRoom = res.write('x'.repeat(300_000), () => events.push('written'));
        if (isRoom) goOn();
        else res.once('drain', goOn);
      }),
    );
    assert.equal(text.length, 300_001);
    assert.deepEqual(events, ['drain', 'written', 'end']);
  });

  test('flushHeaders: sends the header block immediately', async () => {
    const app = web();
    let end: () => void;
    app.get('/', (_req, res) => {
      res.flushHeaders();
      end = () => res.end('late');
    });
    const { status, text } = await askHttp2(app, {
      begin: stream => stream.on('response', () => void end()).end(),
    });
    assert.deepEqual([status, text], [200, 'late']);
  });

  test('informational responses: include early hints, processing and continue', async () => {
    const { informational, text } = await askHttp2(
      handle((_req, res) => {
        res.writeEarlyHints({ link: ['</a.css>; rel=preload', '</b.js>; rel=preload'], 'x-a': '1' });
        res.writeProcessing();
        res.send('x');
      }),
    );
    assert.deepEqual(
      informational.map(fields => [fields[':status'], fields.link, fields['x-a']]),
      [
        [103, '</a.css>; rel=preload, </b.js>; rel=preload', '1'],
        [102, undefined, undefined],
      ],
    );
    assert.equal(text, 'x');
  });

  test('large content: sends 5 MB whole, in chunks and piped', async () => {
    const content = Buffer.alloc(5_000_000, 'x');
    const app = web();
    app.get('/send', (_req, res) => void res.send(content));
    app.get('/write', (_req, res) => {
      for (let i = 0; i < 50; i++) res.write(content.subarray(0, 100_000));
      res.end();
    });
    for (const path of ['/send', '/write']) {
      const { text, code } = await askHttp2(app, path);
      assert.deepEqual([text.length, code], [5_000_000, 0]);
    }
  });

  test('events: emits finish, then close, once each', async () => {
    const events: string[] = [];
    const app = web();
    const closed = new Promise<void>(resolve => {
      app.get('/:way', (req, res) => {
        for (const event of ['prefinish', 'finish', 'close']) res.on(event, () => events.push(event));
        res.on('close', resolve);
        if (req.params.way === 'send') res.send('x');
        else res.end();
      });
    });
    await askHttp2(app, '/send');
    await closed;
    assert.deepEqual(events, ['prefinish', 'finish', 'close']);
  });

  test('events: emits finish for a request whose body has been read', async () => {
    const responses: Handler[] = [
      (_req, res) => res.send('x'),
      (_req, res) => res.end('x'.repeat(300_000)),
      (_req, res) => (res.write('x'), res.end('y')),
      (_req, res) => res.status(204).end(),
    ];
    for (const respond of responses) {
      const events: string[] = [];
      const app = web()
        .set('env', 'test')
        .use((_req, res, next) => {
          res.on('finish', () => events.push('finish'));
          res.on('close', () => events.push(`close ${String(res.writableFinished)}`));
          next();
        });
      app.use('/parsed', web.text());
      app.use('/late', (req, _res, next) => {
        req.on('end', () => setTimeout(next, 5)).resume();
      });
      app.use(respond as never);
      await withSession(http2.createServer(app as never), async session => {
        for (const path of ['/first', '/parsed', '/late']) {
          events.length = 0;
          const headers = { 'content-type': 'text/plain' };
          await askSession(session, { method: 'POST', path, headers, body: 'body' });
          await until(() => events.length >= 2);
          assert.deepEqual(events, ['finish', 'close true']);
        }
      });
    }
  });

  test('patched end, write and writeHead: are called', async () => {
    const called: string[] = [];
    const app = web();
    app.use((_req, res, next) => {
      for (const name of ['writeHead', 'write', 'end'] as const) {
        const original = res[name] as (...args: unknown[]) => unknown;
        res[name] = function (this: unknown, ...args: unknown[]) {
          called.push(name);
          return original.apply(this, args);
        } as never;
      }
      next();
    });
    app.get('/', (_req, res) => void res.send('x'));
    assert.equal((await askHttp2(app)).text, 'x');
    assert.deepEqual(called, ['end', 'writeHead']);
  });
});

describe('HTTP/2: what a stream cannot carry', () => {
  /**
   * Returns the responses to two requests on a session of the application's own server, the first of which Node creates
   * messages for, and to one on a server that it shares; and the messages of the errors that were logged.
   */
  const everyWay = async (
    handler: Handler,
    options: Http2Ask = {},
    serverOptions: http2.ServerOptions = {},
  ): Promise<{ answers: Http2Answer[]; logged: string[] }> => {
    const logged: string[] = [];
    const app = web()
      .set('env', 'production')
      .set('error logger', ({ error }) => void logged.push((error as Error).message));
    app.use(handler as never);
    const twice = (server: http2.Http2Server): Promise<Http2Answer[]> =>
      withSession(server, async session => [
        await askSession(session, options),
        await askSession(session, options),
      ]);
    const own = await twice(http2.createServer(serverOptions, app as never));
    const shared = http2.createServer(serverOptions, (req, res) => {
      app(req as never, res as never);
    });
    return { answers: [...own, ...(await twice(shared))], logged };
  };

  const LARGE = 'x'.repeat(100_000);
  const LARGE_MESSAGE = /^The headers take 100\d{3} bytes, .* maxSendHeaderBlockLength, which is 65536$/;

  const assertEach = (actual: unknown[], expected: unknown): void => {
    assert.deepEqual(actual, Array(actual.length).fill(expected));
  };

  test('trailers about a connection: are silently omitted', async () => {
    const { answers, logged } = await everyWay((_req, res) => {
      res.write('a');
      res.addTrailers({ Connection: 'close', 'Transfer-Encoding': 'chunked', TE: 'trailers', 'X-A': '1' });
      res.end('b');
    });
    assertEach(
      answers.map(({ text, trailers, code }) => [text, trailers['x-a'], Object.keys(trailers).length, code]),
      ['ab', '1', 1, 0],
    );
    assert.deepEqual(logged, []);
  });

  const refusedTrailers: [string, RegExp, [string, string][]][] = [
    [
      'a single-value trailer twice',
      /single value/,
      [
        ['Content-Type', 'a/b'],
        ['Content-Type', 'c/d'],
      ],
    ],
    ['trailers of 100 KB', LARGE_MESSAGE, [['X-A', LARGE]]],
  ];
  for (const [title, message, trailers] of refusedTrailers) {
    test(`${title}: resets the stream, is logged, and the session continues`, async () => {
      const { answers, logged } = await everyWay((_req, res) => {
        res.write('a');
        res.addTrailers(trailers);
        res.end('b');
      });
      assertEach(
        answers.map(({ status, trailers: sent, code }) => [status, Object.keys(sent).length, code]),
        [200, 0, http2.constants.NGHTTP2_INTERNAL_ERROR],
      );
      assert.equal(logged.length, 4);
      for (const one of logged) assert.match(one, message);
    });
  }

  test('informational responses while corked: are sent, and are not part of the body', async () => {
    const handlers: Handler[] = [
      (_req, res) => {
        res.cork();
        res.writeEarlyHints({ link: '</a>; rel=preload' }, res.emit.bind(res, 'hinted'));
        res.end('hello');
        process.nextTick(() => {
          res.uncork();
        });
      },
      (_req, res) => {
        res.cork();
        res.writeProcessing();
        res.writeEarlyHints({ link: '</a>; rel=preload' });
        res.write('hel');
        res.uncork();
        res.end('lo');
      },
    ];
    for (const handler of handlers) {
      let hinted = 0;
      const { answers } = await everyWay((req, res) => {
        res.on('hinted', () => hinted++);
        handler(req, res);
      });
      assertEach(
        answers.map(({ informational, text }) => [informational.at(-1)?.link, text]),
        ['</a>; rel=preload', 'hello'],
      );
      assert.equal(hinted, handler === handlers[0] ? 4 : 0);
    }
    const app = web().use((_req, res) => {
      res.cork();
      res.writeEarlyHints({ link: '</a>; rel=preload' });
      res.end('hello');
      process.nextTick(() => {
        res.uncork();
      });
    });
    assert.equal((await app.inject('/')).text(), 'hello');
  });

  test('informational responses with headers about a connection: are sent without these', async () => {
    const { answers, logged } = await everyWay((_req, res) => {
      res.writeEarlyHints({ link: '</a>; rel=preload', connection: 'close', 'x-a': '1' });
      res.end('hello');
    });
    assertEach(
      answers.map(({ informational: [hint], status, text }) => [
        hint!['x-a'],
        hint!.connection,
        status,
        text,
      ]),
      ['1', undefined, 200, 'hello'],
    );
    assert.deepEqual(logged, []);
  });

  test('informational responses that cannot be sent: are logged and dropped, and the response follows', async () => {
    const refused: [RegExp, Record<string, string>][] = [
      [/single value/, { 'Content-Type': 'a/b', 'content-type': 'c/d' }],
      [LARGE_MESSAGE, { 'x-a': LARGE }],
    ];
    for (const [message, fields] of refused) {
      const { answers, logged } = await everyWay((_req, res) => {
        res.writeEarlyHints({ link: '</a>; rel=preload', ...fields });
        res.send('hello');
      });
      assertEach(
        answers.map(({ informational, status, text }) => [informational, status, text]),
        [[], 200, 'hello'],
      );
      assert.equal(logged.length, 4);
      for (const one of logged) assert.match(one, message);
    }
  });

  test('headers of 100 KB: become a 500, and the session continues', async () => {
    const whole: Handler = (_req, res) => res.set('X-A', LARGE).send('x');
    const pieces: Handler = (_req, res) => {
      for (let i = 0; i < 1000; i++) res.append('X-A', 'x'.repeat(100 - 'x-a'.length - 12));
      res.write('x');
      res.end();
    };
    for (const handler of [whole, pieces]) {
      const { answers, logged } = await everyWay(handler);
      assertEach(
        answers.map(({ status, text, code }) => [status, text, code]),
        [500, 'Internal Server Error', 0],
      );
      assert.equal(logged.length, 4);
      for (const one of logged) assert.match(one, LARGE_MESSAGE);
    }
  });

  test('headers up to the limit of the server: are sent, and one byte more becomes a 500', async () => {
    for (const maxSendHeaderBlockLength of [undefined, 10_000]) {
      const limit = maxSendHeaderBlockLength ?? 65_536;
      // Besides x-a, the block contains :status and date.
      const room = limit - (17 + 10 + 12 + 33 + 12 + 3 + 12);
      const serverOptions = maxSendHeaderBlockLength === undefined ? {} : { maxSendHeaderBlockLength };
      const statuses: number[][] = [];
      for (const size of [room, room + 1]) {
        const { answers } = await everyWay(
          (_req, res) => {
            res.removeHeader('X-Powered-By');
            res.setHeader('X-A', 'x'.repeat(size));
            res.write('x');
            res.end();
          },
          {},
          serverOptions as http2.ServerOptions,
        );
        statuses.push(answers.map(({ status }) => status));
      }
      assert.deepEqual(statuses, [
        [200, 200, 200, 200],
        [500, 500, 500, 500],
      ]);
    }
  });

  test('205: is sent without content, and with Content-Length 0 if a length is set', async () => {
    const handlers: Handler[] = [
      (_req, res) => res.status(205).end('x'),
      (_req, res) => (res.status(205), res.write('x'), res.end('y')),
      (_req, res) => res.status(205).set('Content-Length', '1').end('x'),
      (_req, res) => res.status(205).send('x'),
    ];
    for (const [at, handler] of handlers.entries()) {
      const { answers, logged } = await everyWay(handler);
      assertEach(
        answers.map(({ status, headers, text, code }) => [status, headers['content-length'], text, code]),
        [205, at < 2 ? undefined : '0', '', 0],
      );
      assert.deepEqual(logged, []);
      const injected = await web()
        .use(handler as never)
        .inject('/');
      assert.deepEqual(
        [injected.status, injected.headers['content-length'], injected.text()],
        [205, answers[0]!.headers['content-length'], ''],
      );
    }
  });

  test('204, 205, 304, HEAD: the stream of an upload that nobody reads is closed', async () => {
    for (const status of [200, 204, 205, 304]) {
      const begin = (stream: http2.ClientHttp2Stream): void => void stream.write('x');
      const { answers } = await everyWay((_req, res) => res.status(status).end(), {
        method: status === 200 ? 'HEAD' : 'POST',
        begin,
      });
      assertEach(
        answers.map(({ status: received, code }) => [received, code]),
        [status, 0],
      );
    }
  });
});
