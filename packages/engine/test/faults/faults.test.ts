// runs: slow, each
/** Clients that disconnect, handlers that fail, and clients that are slow. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import fs from 'node:fs';
import http from 'node:http';
import net from 'node:net';
import type { Socket } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { pipeline, Readable } from 'node:stream';
import { after, describe, test } from 'node:test';
import { inspect } from 'node:util';
import zlib from 'node:zlib';
import web from 'ristretto';
import type { Application, Request, RequestHandler, Response } from 'ristretto';
import { Connection } from '../support/connection.js';
import { withServer } from '../support/http.js';
import { root } from '../support/tree.js';
import { until } from '../support/until.js';

const compression = require('compression') as (options: object) => RequestHandler;
const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'ristretto-aborts-'));
const noDescriptors = { skip: process.platform !== 'linux' };
const descriptors = (): number => fs.readdirSync('/proc/self/fd').length;

/** Sends half of a body and disconnects. */
async function cutUpload(port: number, target: string, fields: string, body: Buffer): Promise<void> {
  const socket = net.connect(port, '127.0.0.1').on('error', () => undefined);
  socket.write(`POST ${target} HTTP/1.1\r\nHost: x\r\n${fields}Content-Length: ${body.length}\r\n\r\n`);
  socket.write(body.subarray(0, body.length / 2), () => setImmediate(() => socket.destroy()));
  await once(socket, 'close');
}

/** Reads this many bytes of a response and disconnects. */
async function cutDownload(port: number, target: string, size: number): Promise<void> {
  const socket = net.connect(port, '127.0.0.1').on('error', () => undefined);
  socket.write(`GET ${target} HTTP/1.1\r\nHost: x\r\nAccept-Encoding: gzip\r\n\r\n`);
  let received = 0;
  socket.on('data', piece => {
    received += piece.length;
    if (received >= size) socket.destroy();
  });
  await once(socket, 'close');
}

/** Clients that disconnect in the middle of an upload or download: handlers are notified once, and nothing leaks. */
describe('aborts', () => {
  after(() => fs.rmSync(folder, { recursive: true, force: true }));

  test('mid-body: every parser reports the abort once, for plain and encoded bodies', async () => {
    const errors: string[] = [];
    const app = web().set('env', 'test');
    app.use(web.json(), web.urlencoded({ extended: true }), web.text(), web.raw());
    app.use((_req, res) => void res.send('whole'));
    app.use((err: { type?: string }, _req: Request, _res: Response, _next: unknown) => {
      errors.push(err.type ?? String(err));
    });
    const types = [
      'application/json',
      'application/x-www-form-urlencoded',
      'text/plain',
      'application/octet-stream',
    ];
    const plain = Buffer.alloc(20_000, '"');
    const packed = zlib.gzipSync(Buffer.from(Array.from({ length: 20_000 }, (_, i) => (i * 7919) % 251)));
    await withServer(app, async port => {
      for (const type of types) {
        for (let i = 0; i < 20; i++) {
          await cutUpload(port, '/', `Content-Type: ${type}\r\n`, plain);
          await cutUpload(port, '/', `Content-Type: ${type}\r\nContent-Encoding: gzip\r\n`, packed);
        }
      }
      await until(() => errors.length >= 160);
      await (await Connection.open(port)).get('/').until(/whole/);
    });
    assert.deepEqual(
      errors,
      Array.from({ length: 160 }, () => 'request.aborted'),
    );
  });

  test(
    'mid-body: an upload to a file ends with an error and leaves no file or descriptor open',
    noDescriptors,
    async () => {
      let cut = 0;
      let files = 0;
      const app = web();
      app.post('/', (req, res) => {
        const file = path.join(folder, String(files++));
        const output = fs.createWriteStream(file);
        // Checked only now: a client may disconnect before the file is opened, and thus created.
        output.on('close', () => fs.rmSync(file, { force: true }));
        pipeline(req, output, error => {
          if (error) cut++;
          else res.end();
        });
      });
      await withServer(app, async port => {
        await cutUpload(port, '/', '', Buffer.alloc(100_000));
        await until(() => cut === 1);
        const before = descriptors();
        await Promise.all(Array.from({ length: 100 }, () => cutUpload(port, '/', '', Buffer.alloc(100_000))));
        await until(() => cut === 101);
        await until(() => descriptors() <= before && fs.readdirSync(folder).length === 0);
      });
      assert.equal(cut, 101);
    },
  );

  test(
    'mid-response: static files, plain and compressed, leave no descriptor open',
    noDescriptors,
    async () => {
      const app = web();
      app.use('/gzip', compression({ filter: () => true }), web.static(root));
      app.use(web.static(root));
      app.get('/sent', (_req, res) => res.sendFile('huge.bin', { root }, () => undefined));
      await withServer(app, async port => {
        await cutDownload(port, '/huge.bin', 1);
        const before = descriptors();
        for (const target of ['/huge.bin', '/gzip/huge.bin', '/sent', '/gzip/big.bin']) {
          await Promise.all(Array.from({ length: 15 }, (_, i) => cutDownload(port, target, 1 + i * 200)));
        }
        await until(() => descriptors() <= before);
      });
    },
  );

  test('mid-response: destroys the stream piped to the response', async () => {
    const sources: Readable[] = [];
    const app = web().get('/', (_req, res) => {
      const source = new Readable({
        read() {
          this.push(Buffer.alloc(60_000));
        },
      });
      sources.push(source);
      pipeline(source, res, () => undefined);
    });
    await withServer(app, async port => {
      for (let i = 0; i < 5; i++) await cutDownload(port, '/', 50_000);
      await until(() => sources.length === 5 && sources.every(source => source.destroyed));
    });
  });

  test('sources that fail: cause a 500 before the first byte, and destroy the connection after it', async () => {
    const app = web().set('env', 'test');
    app.get('/:pieces', (req, res, next) => {
      let left = Number(req.params.pieces);
      const source = new Readable({
        read() {
          if (left-- > 0) this.push('piece');
          else this.destroy(new Error('source'));
        },
      });
      source.on('error', next).pipe(res);
    });
    await withServer(app, async port => {
      const early = await (await Connection.open(port)).get('/0').until(/source/);
      assert.deepEqual(early.statuses(), [500]);
      early.socket.destroy();
      const late = (await Connection.open(port)).get('/3');
      await late.closed();
      assert.doesNotMatch(late.text, /0\r\n\r\n$/);
    });
  });

  test('a full disk: fails the request, and the next one is served', noDescriptors, async () => {
    const app = web().set('env', 'test');
    app.post('/', (req, res, next) => {
      pipeline(req, fs.createWriteStream('/dev/full'), error => {
        if (error) next(Object.assign(error, { status: 507 }));
        else res.end();
      });
    });
    app.get('/', (_req, res) => void res.send('alive'));
    await withServer(app, async port => {
      const connection = await Connection.open(port);
      connection.socket.write('POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\n\r\nhello');
      await connection.until(/507 [^]*ENOSPC/);
      await (await Connection.open(port)).get('/').until(/alive/);
      connection.socket.destroy();
    });
  });

  test('files that vanish: cause a 404, as do views that were found before', async () => {
    const file = path.join(folder, 'gone.txt');
    const view = path.join(folder, 'gone.view');
    const app = web().set('env', 'test').set('views', folder);
    app.engine('view', (name, _options, done) => fs.readFile(name, 'utf8', done));
    app.get('/view', (_req, res) => res.render('gone.view'));
    app.get('/sent', (_req, res) => res.sendFile(file));
    app.use(web.static(folder));
    const statusOf = async (port: number, target: string): Promise<number> =>
      (await (await Connection.open(port)).get(target).until(/^HTTP/)).statuses()[0]!;
    await withServer(app, async port => {
      for (const expected of [
        [200, 200, 200],
        [500, 404, 404],
      ]) {
        if (expected[0] === 200) for (const name of [file, view]) fs.writeFileSync(name, 'here');
        else for (const name of [file, view]) fs.unlinkSync(name);
        const statuses = [];
        for (const target of ['/view', '/sent', '/gone.txt']) statuses.push(await statusOf(port, target));
        assert.deepEqual(statuses, expected);
      }
    });
  });

  test('both directions: a client that sends and reads at once and disconnects is reported once', async () => {
    let closed = 0;
    const app = web().post('/', (req: http.IncomingMessage, res: http.ServerResponse) => {
      pipeline(req, res, () => closed++);
    });
    await withServer(app, async port => {
      for (let i = 0; i < 20; i++) await cutUpload(port, '/', '', Buffer.alloc(50_000));
      await until(() => closed === 20);
    });
    assert.equal(closed, 20);
  });
});

const fail = (message: string): never => {
  throw new Error(message);
};

/** Where the error is thrown: each prepares an application that fails on `GET` or `POST /here/bad`. */
const PLACES: Record<string, (app: Application, thrown: () => never) => unknown> = {
  middleware: (app, thrown) => app.use('/here', () => thrown()),
  'a route': (app, thrown) => app.all('/here/:id', () => thrown()),
  'a route, async': (app, thrown) => app.all('/here/:id', async () => thrown()),
  'a route, in a later turn': (app, thrown) =>
    app.all('/here/:id', async () => {
      await new Promise(resolve => setImmediate(resolve));
      thrown();
    }),
  'a router in a router': (app, thrown) =>
    app.use('/here', web.Router().use(web.Router().all('/:id', () => thrown()))),
  'a mounted application': (app, thrown) => {
    const inner = web().set('env', 'test');
    inner.all('/:id', () => thrown());
    app.use('/here', inner);
  },
  'a parameter callback': (app, thrown) => {
    app.param('id', () => thrown());
    app.all('/here/:id', (_req, res) => res.send('never'));
  },
  'a parameter callback, async': (app, thrown) => {
    app.param('id', async () => thrown());
    app.all('/here/:id', (_req, res) => res.send('never'));
  },
  'an error handler': (app, thrown) => {
    app.all('/here/:id', () => fail('first'));
    app.use((_err: unknown, _req: Request, _res: Response, _next: unknown) => thrown());
  },
  'an error handler, async': (app, thrown) => {
    app.all('/here/:id', () => fail('first'));
    app.use(async (_err: unknown, _req: Request, _res: Response, _next: unknown) => thrown());
  },
  'a view engine': (app, thrown) => {
    app.set('views', root).engine('txt', () => thrown());
    app.all('/here/:id', (_req, res) => res.render('todo.txt'));
  },
  'a view engine, asynchronously': (app, thrown) => {
    app.set('views', root).engine('txt', (_path, _options, done) => {
      setImmediate(() => {
        try {
          thrown();
        } catch (error) {
          done(error || new Error('nothing was thrown'));
        }
      });
    });
    app.all('/here/:id', (_req, res) => res.render('todo.txt'));
  },
  toJSON: (app, thrown) => app.all('/here/:id', (_req, res) => res.json({ toJSON: () => thrown() })),
  'the JSON replacer': (app, thrown) => {
    app.set('json replacer', () => thrown());
    app.all('/here/:id', (_req, res) => res.json({}));
  },
  'the ETag function': (app, thrown) => {
    app.set('etag', () => thrown());
    app.all('/here/:id', (_req, res) => res.send('never'));
  },
  'the query parser': (app, thrown) => {
    app.set('query parser', () => thrown());
    app.all('/here/:id', (req, res) => res.json(req.query));
  },
  'trust proxy': (app, thrown) => {
    app.set('trust proxy', () => thrown());
    app.all('/here/:id', (req, res) => res.json(req.ip));
  },
  'res.format': (app, thrown) => app.all('/here/:id', (_req, res) => res.format({ default: () => thrown() })),
  setHeaders: (app, thrown) => {
    app.use((req, _res, next) => {
      if (req.path === '/here/bad') Object.assign(req, { method: 'GET', url: '/todo.txt' });
      next();
    });
    app.use(web.static(root, { setHeaders: () => thrown() }));
  },
  'the type of a parser': (app, thrown) => app.use(web.json({ type: () => thrown() })),
  'verify of a parser': (app, thrown) => app.use(web.json({ verify: () => thrown() })),
  'reviver of a parser': (app, thrown) => app.use(web.json({ reviver: () => thrown() })),
};

const hostile = {
  get message(): string {
    return fail('message');
  },
  get stack(): string {
    return fail('stack');
  },
  get status(): number {
    return fail('status');
  },
  toString: () => fail('toString'),
};

const KINDS: Record<string, () => unknown> = {
  'an Error': () => new Error('boom'),
  text: () => 'boom',
  undefined: () => undefined,
  null: () => null,
  0: () => 0,
  'an object without a prototype': () => Object.create(null) as unknown,
  'a frozen Error': () => Object.freeze(new Error('frozen')),
  'a status that is none': () => Object.assign(new Error('status'), { status: 'teapot', statusCode: 99999 }),
  'a status of success': () => Object.assign(new Error('fine'), { status: 200 }),
  'a status that is NaN': () => Object.assign(new Error('NaN'), { status: NaN }),
  'headers that cannot be sent': () =>
    Object.assign(new Error('headers'), { status: 503, headers: { 'Bad Name': 'a\r\nb', X: undefined } }),
  'headers that are none': () => Object.assign(new Error('headers'), { status: 503, headers: 7 }),
  'a symbol': () => Symbol('boom'),
  'a function': () => () => undefined,
  'getters that throw': () => hostile,
};

/** Sends a request and waits for its response and that of a second request, which shows that there was only one. */
async function answersOf(port: number): Promise<number[]> {
  const connection = await Connection.open(port);
  const body = '{"a":1}';
  const type = 'Content-Type: application/json';
  connection.socket.write(
    `POST /here/bad?x=1 HTTP/1.1\r\nHost: x\r\nX-Forwarded-For: 1.2.3.4\r\n${type}\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
  );
  await connection.until(/^HTTP/);
  connection.socket.write('GET /alive HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n');
  await connection.closed();
  return connection.statuses();
}

/** Errors of every kind at every place: each request gets exactly one response, and the process keeps running. */
describe('errors', () => {
  for (const [place, prepare] of Object.entries(PLACES)) {
    test(`${place}: responds once to whatever is thrown, and to the next request`, async () => {
      for (const [kind, make] of Object.entries(KINDS)) {
        const app = web().set('env', 'test');
        prepare(app, () => {
          throw make();
        });
        app.get('/alive', (_req, res) => res.sendStatus(204));
        await withServer(app, async port => {
          const statuses = await answersOf(port);
          assert.equal(statuses.length, 2, `${kind}: ${statuses.join()}`);
          // Some places have never treated a falsy value as an error.
          if (make()) assert.ok(statuses[0]! >= 400, `${kind}: ${statuses[0]}`);
        });
      }
    });
  }

  test('hundreds of each: each gets its 500 response, in order, and nothing else is sent', async t => {
    t.mock.method(console, 'error', () => undefined);
    const times = 200;
    const places = ['a route', 'a route, async', 'a parameter callback', 'a view engine', 'an error handler'];
    for (const place of places) {
      const app = web().set('env', 'production');
      PLACES[place]!(app, () => fail('again'));
      app.get('/alive', (_req, res) => res.sendStatus(204));
      await withServer(app, async port => {
        const connection = await Connection.open(port);
        connection.get(...Array.from({ length: times }, () => '/here/bad'), '/alive');
        await connection.until(/ 204 /);
        const statuses = connection.statuses();
        assert.equal(statuses.length, times + 1, place);
        assert.ok(
          statuses.slice(0, times).every(status => status === 500),
          place,
        );
        connection.socket.destroy();
      });
    }
  });

  test('the log: contains the error as thrown, or its inspection, or says that it cannot be read', async t => {
    const logged: unknown[] = [];
    t.mock.method(console, 'error', (line: unknown) => logged.push(line));
    const malformed = Object.assign(new Error('upstream'), {
      status: 502,
      headers: { 'set-cookie': ['a', 'b\n'] },
    });
    const unreadable = { status: 404, toString: () => fail('text'), [inspect.custom]: () => fail('inspect') };
    const sendable = Object.assign(new Error('fine'), { status: 503, headers: { 'X-Many': ['a', 'b'] } });
    for (const [thrown, expected] of [
      [malformed, malformed.stack],
      [sendable, sendable.stack],
      [hostile, inspect(hostile)],
      [unreadable, 'The error cannot be read'],
    ] as const) {
      const app = web().set('env', 'production');
      app.use(() => {
        throw thrown as Error;
      });
      await withServer(app, async port => {
        const connection = (await Connection.open(port)).get('/');
        await connection.until(/HTTP[^]*html>/);
        assert.deepEqual(connection.statuses(), [
          thrown === hostile ? 500 : (thrown as { status: number }).status,
        ]);
        connection.socket.destroy();
      });
      await until(() => logged.length === 1);
      assert.equal(logged.pop(), expected);
    }
  });

  test('after the header: destroys the connection, whatever fails', async () => {
    for (const late of ['a route', 'a route, async', 'a route, in a later turn', 'an error handler']) {
      const app = web().set('env', 'test');
      app.use((_req, res, next) => {
        res.write('half');
        next();
      });
      PLACES[late]!(app, () => fail('late'));
      await withServer(app, async port => {
        const connection = (await Connection.open(port)).get('/here/bad');
        await connection.closed();
        assert.deepEqual(connection.statuses(), [200], late);
        assert.ok(!connection.text.endsWith('0\r\n\r\n'), late);
      });
    }
  });
});

/**
 * Opens fifty connections that send part of a request, and lets the server's timeouts expire once it has read all
 * parts: a server that responds earlier would reset the connection during the client's write, and lose its 408.
 */
async function fiftySlow(handler: http.RequestListener, part: string): Promise<Connection[]> {
  const server = http.createServer({ connectionsCheckingInterval: 20 }, handler);
  const sockets: Socket[] = [];
  server.on('connection', socket => void sockets.push(socket));
  return withServer(server, async port => {
    const all = await Promise.all(Array.from({ length: 50 }, () => Connection.open(port)));
    for (const { socket } of all) socket.write(part);
    await until(
      () => sockets.length === all.length && sockets.every(({ bytesRead }) => bytesRead === part.length),
    );
    server.headersTimeout = server.requestTimeout = 1;
    await Promise.all(all.map(connection => connection.closed()));
    return all;
  });
}

/**
 * Slow clients: Node's timeouts send 408 in time, parsers are notified once, and other clients are served meanwhile.
 */
describe('slow clients', () => {
  test('headers: responds with 408 in time and closes the connection', async () => {
    const all = await fiftySlow(web(), 'GET / HTTP/1.1\r\nHost: x\r\nX-A: ');
    assert.ok(all.every(connection => connection.statuses()[0] === 408));
  });

  test('bodies: responds with 408 in time; the parser passes on request.aborted once per request', async () => {
    const errors: string[] = [];
    const app = web().set('env', 'test');
    app.use(web.json());
    app.use(
      (err: { type: string }, _req: Request, _res: Response, _next: unknown) => void errors.push(err.type),
    );
    const head = 'POST / HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 9\r\n\r\n';
    const all = await fiftySlow(app, `${head}{"a`);
    assert.ok(all.every(connection => connection.statuses()[0] === 408));
    await until(() => errors.length >= all.length);
    assert.deepEqual(
      errors,
      Array.from({ length: 50 }, () => 'request.aborted'),
    );
  });

  test('readers: a response that is not read does not delay others', async () => {
    const app = web();
    app.get('/large', (_req, res) => void res.send(Buffer.alloc(8 * 1024 * 1024)));
    app.get('/small', (_req, res) => void res.send('small'));
    await withServer(app, async (port, server) => {
      const deaf = await Promise.all(Array.from({ length: 10 }, () => Connection.open(port)));
      for (const connection of deaf) {
        connection.socket.pause();
        const asked = once(server, 'request');
        connection.get('/large');
        await asked;
      }
      await (await Connection.open(port)).get('/small').until(/small/);
      for (const { socket } of deaf) socket.destroy();
    });
  });
});
