// runs: each
/** HTTP/2 servers: how an application receives their requests, alone and together with other applications. */
import assert from 'node:assert/strict';
import http2 from 'node:http2';
import https from 'node:https';
import type { AddressInfo, Server } from 'node:net';
import { describe, test } from 'node:test';
import type tls from 'node:tls';
import web from 'ristretto';
import { askSession, certificate, withSession } from '../support/http2.js';
import type { Http2Answer } from '../support/http2.js';
import { portOf } from '../support/http.js';
import { outputOf } from '../support/program.js';

type Compat = (req: http2.Http2ServerRequest, res: http2.Http2ServerResponse) => void;

const describeRequest = (app: ReturnType<typeof web>): typeof app =>
  app.use((req, res) => {
    res.set('X-App', 'yes').json({ url: req.url, base: req.baseUrl, body: req.body as unknown });
  });

/** Returns the responses to several requests on one session. */
function several(server: unknown, ...options: Parameters<typeof askSession>[1][]): Promise<Http2Answer[]> {
  return withSession(server as Server, async session => {
    const answers: Http2Answer[] = [];
    for (const one of options) answers.push(await askSession(session, one));
    return answers;
  });
}

describe('HTTP/2: servers', () => {
  test('http2.createServer(app): serves every request, from the first one on', async () => {
    const seen: boolean[] = [];
    const app = web().get('/', (req, res) => {
      seen.push(Object.getPrototypeOf(req) === app.request);
      res.send('x');
    });
    const answers = await several(http2.createServer(app as never), '/', '/', '/');
    assert.deepEqual(
      answers.map(({ status }) => status),
      [200, 200, 200],
    );
    assert.deepEqual(seen, [true, true, true]);
  });

  test('app.handle: accepts Node’s messages, also with strict http', async () => {
    for (const isStrict of [false, true]) {
      const app = describeRequest(web().set('strict http', isStrict));
      const listener: Compat = (req, res) => {
        (app as unknown as { handle: Compat }).handle(req, res);
      };
      const [answer] = await several(http2.createServer(listener), '/a');
      assert.equal(answer!.text, '{"url":"/a","base":""}');
    }
  });

  test('a listener that handles some requests itself: its requests keep the messages of Node', async () => {
    const app = describeRequest(web());
    const seen: string[] = [];
    const listener: Compat = (req, res) => {
      if (req.url.startsWith('/api')) {
        app(req as never, res as never);
        return;
      }
      seen.push(req.constructor.name);
      res.end('own');
    };
    const [own, api, again] = await several(http2.createServer(listener), '/', '/api', '/');
    assert.deepEqual([own!.text, api!.headers['x-app'], again!.text], ['own', 'yes', 'own']);
    assert.deepEqual(seen, ['Http2ServerRequest', 'Http2ServerRequest']);
  });

  test('what others set on the messages: properties, headers and status are carried over', async () => {
    const app = web();
    app.get('/', (req, res) => {
      res.json({
        left: (req as unknown as { left: string }).left,
        status: res.statusCode,
        a: res.get('X-A'),
      });
    });
    const listener: Compat = (req, res) => {
      Object.assign(req, { left: 'here' });
      res.setHeader('X-A', 'a');
      res.statusCode = 203;
      app(req as never, res as never);
    };
    const [answer] = await several(http2.createServer(listener), '/');
    assert.equal(answer!.text, '{"left":"here","status":203,"a":"a"}');
    assert.deepEqual([answer!.status, answer!.headers['x-a']], [203, 'a']);
  });

  test('methods that others patched on their response: are called', async () => {
    const app = web().get('/', (_req, res) => void res.send('quiet'));
    const listener: Compat = (req, res) => {
      const end = res.end.bind(res) as (chunk: unknown) => typeof res;
      res.end = ((chunk: unknown) => end(String(chunk).toUpperCase())) as never;
      app(req as never, res as never);
    };
    const [answer] = await several(http2.createServer(listener), '/');
    assert.equal(answer!.text, 'QUIET');
  });

  test('a patched write that returns nothing: the response is sent in full', async () => {
    const app = web().get('/', (_req, res) => {
      res.write('x');
      setTimeout(() => res.end('y'), 5);
    });
    const listener: Compat = (req, res) => {
      const write = res.write.bind(res) as (chunk: unknown) => boolean;
      res.write = ((chunk: unknown) => {
        write(chunk);
      }) as never;
      app(req as never, res as never);
    };
    const [answer] = await several(http2.createServer(listener), '/');
    assert.equal(answer!.text, 'xy');
  });

  test('custom classes: each request is an instance, and overridden methods are called', async () => {
    const made: string[] = [];
    class OwnRequest extends http2.Http2ServerRequest {}
    class OwnResponse extends http2.Http2ServerResponse {
      override end(...args: never[]): this {
        made.push('end');
        return super.end(...args);
      }
    }
    const app = web().get('/', (_req, res) => void res.send('x'));
    const options = { Http2ServerRequest: OwnRequest, Http2ServerResponse: OwnResponse };
    const server = http2.createServer(options, app as never);
    server.prependListener('stream', () => made.push('stream'));
    const answers = await several(server, '/', '/');
    assert.deepEqual(
      answers.map(({ text }) => text),
      ['x', 'x'],
    );
    assert.deepEqual(made, ['stream', 'end', 'stream', 'end']);
  });

  test('next: returns the request, with what the application has set', async () => {
    const app = web().use((req, res, next) => {
      Object.assign(req, { user: 'ada' });
      res.set('X-From', 'app');
      next();
    });
    const listener: Compat = (req, res) => {
      app(req as never, res as never, (error?: unknown) => {
        res.end(`${String(error)} ${(req as unknown as { user: string }).user} ${res.getHeader('x-from')}`);
      });
    };
    const [answer] = await several(http2.createServer(listener), '/');
    assert.equal(answer!.text, 'undefined ada app');
  });

  test('a body that a listener leaves unread: is parsed', async () => {
    const app = describeRequest(web().use(web.json()));
    const listener: Compat = (req, res) => {
      app(req as never, res as never);
    };
    const headers = { 'content-type': 'application/json' };
    const [answer] = await several(http2.createServer(listener), {
      method: 'POST',
      headers,
      body: '{"a":1}',
    });
    assert.match(answer!.text, /"body":\{"a":1\}/);
  });

  test('a second listener for `request`: both receive Node’s messages', async () => {
    const app = web().get('/', (_req, res) => void res.send('app'));
    const server = http2.createServer(app as never);
    const seen: string[] = [];
    const answers = await withSession(server, async session => {
      const first = await askSession(session);
      server.on('request', req => seen.push(req.constructor.name));
      return [first.text, (await askSession(session)).text];
    });
    assert.deepEqual(answers, ['app', 'app']);
    assert.deepEqual(seen, ['Http2ServerRequest']);
  });

  test('a listener for `stream`: remains, and the application works alongside it', async () => {
    const app = web().get('/', (_req, res) => void res.send('app'));
    const server = http2.createServer(app as never);
    let streams = 0;
    server.on('stream', () => streams++);
    const answers = await several(server, '/', '/');
    assert.deepEqual(
      answers.map(({ text }) => text),
      ['app', 'app'],
    );
    assert.equal(streams, 2);
  });

  test('CONNECT: is left to Node', async () => {
    const app = web().use((_req, res) => void res.send('never'));
    const answer = await withSession(http2.createServer(app as never), async session => {
      await askSession(session);
      return new Promise<number>(resolve => {
        const stream = session.request({ ':method': 'CONNECT', ':authority': 'a.example' });
        stream.on('response', ({ ':status': status }) => {
          resolve(status!);
        });
        stream.on('error', () => undefined).end();
      });
    });
    assert.equal(answer, 405);
  });

  test('applications in applications, routers: work as over HTTP/1.1', async () => {
    const inner = describeRequest(web());
    const app = web().use('/inner', inner);
    const [answer] = await several(http2.createServer(app as never), '/inner/x');
    assert.equal(answer!.text, '{"url":"/x","base":"/inner"}');
  });
});

describe('HTTP/2: TLS', () => {
  const identity = certificate();
  const app = (): ReturnType<typeof web> =>
    web().get('/', (req, res) => {
      const { alpnProtocol, authorized } = req.socket as unknown as Record<string, unknown>;
      res.json([req.httpVersion, req.protocol, req.secure, alpnProtocol, authorized]);
    });
  const servers: [string, () => Server][] = [
    [
      'createSecureServer with allowHTTP1',
      () =>
        http2.createSecureServer({ ...identity, allowHTTP1: true }, app() as never).listen(0, '127.0.0.1'),
    ],
    ['app.listen', () => app().listen({ http2: true, port: 0, host: '127.0.0.1', ...identity })],
  ];
  test('req.socket: reports the same as a TLS socket, including about the client', async () => {
    const server = web()
      .get('/', (req, res) => {
        const socket = req.socket as unknown as tls.TLSSocket & {
          authorizationError: unknown;
          server: unknown;
        };
        res.json([
          socket.getProtocol(),
          typeof socket.getCipher().name,
          socket.getPeerCertificate(),
          typeof socket.authorizationError,
          socket.localFamily,
          socket.bytesRead > 0,
          socket.bytesWritten >= 0,
          socket.server === server,
          'servername' in socket,
          (socket.address() as AddressInfo).family,
        ]);
      })
      .listen({ http2: true, port: 0, host: '127.0.0.1', ...identity });
    const port = await portOf(server);
    const session = http2.connect(`https://127.0.0.1:${String(port)}`, { rejectUnauthorized: false });
    const { text } = await askSession(session);
    assert.equal(text, '["TLSv1.3","string",{},"object","IPv4",true,true,true,true,"IPv4"]');
    session.destroy();
    await new Promise(resolve => server.close(resolve));
  });

  for (const [title, listen] of servers) {
    test(`${title}: serves HTTP/2 and HTTP/1.1 side by side, negotiated by ALPN`, async () => {
      const server = listen();
      const port = await portOf(server);
      const options = { host: '127.0.0.1', port, rejectUnauthorized: false };
      const session = http2.connect(`https://127.0.0.1:${String(port)}`, options);
      for (let i = 0; i < 2; i++) {
        assert.equal((await askSession(session)).text, '["2.0","https",true,"h2",false]');
        assert.equal(
          await askHttps({ ...options, agent: false, ALPNProtocols: ['http/1.1'] } as https.RequestOptions),
          '["1.1","https",true,"http/1.1",false]',
        );
      }
      session.destroy();
      await new Promise(resolve => server.close(resolve));
    });
  }

  const askHttps = (options: https.RequestOptions): Promise<string> =>
    new Promise((resolve, reject) => {
      const request = https.get(options, response => {
        let text = '';
        response.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
        response.on('end', () => {
          resolve(text);
        });
      });
      request.on('error', reject);
    });
});

describe('HTTP/2: a response that cannot be sent', () => {
  test('is logged by a server and by app.inject, except in tests', async context => {
    const logged = context.mock.method(console, 'error', () => undefined);
    for (const env of ['production', 'test']) {
      const app = web().set('env', env);
      app.get('/', (_req, res) => void res.status(700).send('x'));
      const server = app.listen({ http2: true, port: 0, host: '127.0.0.1' } as never) as unknown as Server;
      await new Promise(resolve => server.once('listening', resolve));
      assert.equal((await several(server, '/'))[0]!.status, 500);
      assert.equal((await app.inject('/')).status, 500);
      assert.equal((await app.fetch(new Request('http://a.example/'))).status, 500);
    }
    const messages = logged.mock.calls.map(({ arguments: [text] }) => String(text));
    assert.equal(messages.length, 3);
    for (const message of messages) assert.match(message, /700|status/i);
  });
});

describe('HTTP/1.1', () => {
  test('node:http2: is not loaded by an HTTP/1.1 server', () => {
    const program = `
      const http = require('node:http');
      const app = require('ristretto')().get('/', (req, res) => res.send('x'));
      const server = app.listen(0, async () => {
        await new Promise(done => http.get({ port: server.address().port }, res => res.resume().on('end', done)));
        console.log(process.moduleLoadList.includes('NativeModule http2'));
        process.exit();
      });
    `;
    const output = outputOf(program);
    assert.equal(output, 'false\n');
  });
});

describe('app.listen({ http2: true })', () => {
  test('without credentials: serves cleartext HTTP/2', async () => {
    const app = web().get('/', (req, res) => void res.send(req.httpVersion));
    const server = app.listen({ http2: true, port: 0, host: '127.0.0.1' } as never) as unknown as Server;
    await portOf(server);
    const [answer] = await several(server, '/');
    assert.equal(answer!.text, '2.0');
  });

  test('a callback: is called when the server listens', async () => {
    const app = web();
    const options = { http2: true, port: 0, host: '127.0.0.1' };
    const server = await new Promise<Server>(resolve => {
      const made = app.listen(options as never, () => {
        resolve(made as unknown as Server);
      });
    });
    assert.ok(server.listening);
    await new Promise(resolve => server.close(resolve));
  });

  test('a port in use: the error is emitted', async () => {
    const first = web().listen({ http2: true, port: 0, host: '127.0.0.1' } as never) as unknown as Server;
    const port = await portOf(first);
    const second = web().listen({ http2: true, port, host: '127.0.0.1' } as never) as unknown as Server;
    const error = await new Promise<NodeJS.ErrnoException>(resolve => second.once('error', resolve));
    assert.equal(error.code, 'EADDRINUSE');
    await new Promise(resolve => first.close(resolve));
  });
});
