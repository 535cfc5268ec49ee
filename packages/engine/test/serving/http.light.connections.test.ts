// runs: each
/** Light exchanges beside Node's own: what programs do with connections, their timeouts, and Node's channels. */
import assert from 'node:assert/strict';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { createServer } from 'node:http';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import net from 'node:net';
import { Duplex } from 'node:stream';
import { describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import web from 'ristretto';
import type { Request, Response } from 'ristretto';
import { portOf } from '../support/http.js';

const GET = (path: string): string => `GET ${path} HTTP/1.1\r\nHost: a\r\n\r\n`;
/** What is sent to a light exchange; the first request of a connection with it is Node's own. */
const UNUSUAL = 'GET /fast HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\n\r\n';

interface Program {
  /** Whether it adds what concerns all servers of the process. */
  isGlobal?: true;
  /** Options of the server. */
  options?: object;
  /** Prepares the server; calls of `log` are part of the transcript. */
  prepare?(server: Server, log: (text: string) => void): (() => void) | undefined;
  /** What a client sends, and milliseconds that it waits. */
  steps: readonly (string | number)[];
}

const programs: Record<string, Program> = {
  'a timeout set when a client connects: closes a connection whose first request takes too long': {
    prepare: server => void server.on('connection', socket => socket.setTimeout(400)),
    steps: [GET('/slow')],
  },
  'a timeout set when a client connects: ends with the first response': {
    prepare: server => void server.on('connection', socket => socket.setTimeout(400)),
    steps: [GET('/fast'), 800, GET('/fast')],
  },
  'a timeout set by a handler: is reset by the next request': {
    steps: [GET('/timeout'), GET('/slow')],
  },
  'a timeout set by a handler: ends with its response': {
    steps: [GET('/timeout'), 800, GET('/fast')],
  },
  'a timeout set by a handler, keepAliveTimeout 0: goes on': {
    prepare: server => void (server.keepAliveTimeout = 0),
    steps: [GET('/timeout'), GET('/fast'), 1000],
  },
  'the timeout after an exchange of Node’s own: does not close the connection of a slow one': {
    prepare: server => void Object.assign(server, { keepAliveTimeout: 600, keepAliveTimeoutBuffer: 0 }),
    steps: [UNUSUAL, GET('/slow')],
  },
  'the timeout after a pipelined exchange: does not close the connection of a slow one': {
    prepare: server => void Object.assign(server, { keepAliveTimeout: 600, keepAliveTimeoutBuffer: 0 }),
    steps: [GET('/later') + GET('/fast'), GET('/slow')],
  },
  'a listener for timeout that leaves connections open: is called once for each idle time': {
    prepare: (server, log) => {
      Object.assign(server, { keepAliveTimeout: 50, keepAliveTimeoutBuffer: 0 });
      server.on('timeout', () => log('timeout'));
    },
    steps: [GET('/fast'), 1900, GET('/fast')],
  },
  'listeners that a subscriber adds to responses: are called, in the order of Node': {
    isGlobal: true,
    prepare: (_server, log) => {
      const onStart = (message: unknown): void => {
        const { request, response } = message as { request: IncomingMessage; response: ServerResponse };
        for (const event of ['socket', 'prefinish', 'finish', 'close'])
          response.once(event, () => log(`${event} of ${request.url!}`));
        request.once('close', () => log(`request close of ${request.url!}`));
      };
      subscribe('http.server.request.start', onStart);
      return () => unsubscribe('http.server.request.start', onStart);
    },
    steps: [GET('/fast'), GET('/later'), GET('/later') + GET('/fast')],
  },
  'a subscriber that responds: its response is sent': {
    isGlobal: true,
    prepare: () => {
      const onStart = (message: unknown): void => {
        const { response } = message as { response: ServerResponse };
        response.statusCode = 503;
        response.end('set');
      };
      subscribe('http.server.request.start', onStart);
      return () => unsubscribe('http.server.request.start', onStart);
    },
    steps: [GET('/ended'), GET('/ended')],
  },
  'another server that gets the connection after CONNECT: its application responds': {
    prepare: (server, log) => {
      const inner = createServer((_req, res) => {
        log('inner');
        res.end('fast');
      });
      server.on('connect', (_req, socket: net.Socket) => {
        socket.write('HTTP/1.1 200 OK\r\n\r\nset');
        inner.emit('connection', socket);
      });
    },
    steps: [GET('/fast'), 'CONNECT x:1 HTTP/1.1\r\nHost: x\r\n\r\n', GET('/fast'), GET('/fast')],
  },
  'a connection that a pipelined handler closes: the responses in between are closed': {
    steps: [GET('/fast') + GET('/waits') + GET('/closes')],
  },
  'optimizeEmptyRequests: applies to pipelined requests that are read': {
    options: { optimizeEmptyRequests: true },
    steps: [GET('/read') + GET('/read'), GET('/fast')],
  },
  'an idle connection: stays open for the time that its last response has announced': {
    prepare: server => {
      server.on('request', () => {
        setImmediate(() => Object.assign(server, { keepAliveTimeout: 50, keepAliveTimeoutBuffer: 0 }));
      });
    },
    steps: [GET('/fast'), 1600],
  },
};

function makeApp(isLight: boolean): ReturnType<typeof web> {
  const app = web();
  if (!isLight) app.disable('light messages');
  app.get('/fast', (_req, res) => void res.send('fast'));
  app.get('/later', (_req, res) => void setTimeout(() => res.send('later'), 20));
  app.get('/slow', (_req, res) => void setTimeout(() => res.send('slow'), 1000));
  app.get('/waits', (_req, res) => void res.on('close', () => app.emit('log', 'closed')));
  app.get('/closes', req => void req.socket.destroy());
  app.get('/detached', (req, res) => {
    const { socket } = req;
    res.detachSocket(socket);
    socket.write('HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nset');
  });
  app.get('/ended', (_req, res) => void (res.writableEnded || res.send('later')));
  app.get('/read', async (req, res) => {
    for await (const chunk of req) void chunk;
    res.send('fast');
  });
  app.get('/timeout', (req: Request, res: Response) => {
    req.socket.setTimeout(400);
    res.send('set');
  });
  return app;
}

/** Sends the steps, each text after the responses to those before, and returns the bodies and how the connection ended. */
async function talk(port: number, steps: Program['steps']): Promise<string> {
  const socket = net.connect(port, '127.0.0.1').setEncoding('latin1');
  let [text, expected, isClosed] = ['', 0, false];
  socket.on('data', chunk => (text += String(chunk))).on('error', () => undefined);
  const closed = new Promise<void>(resolve => socket.on('close', () => resolve()));
  void closed.then(() => (isClosed = true));
  const bodies = (): string[] =>
    [...text.matchAll(/\r\n\r\n(fast|later|slow|set)/g)].map(([, body]) => body!);
  for (const step of steps) {
    if (typeof step === 'number') {
      await Promise.race([sleep(step), closed]);
      continue;
    }
    if (isClosed) break;
    socket.write(step);
    expected += step.split(/GET |CONNECT /).length - 1;
    while (!isClosed && bodies().length < expected) await sleep(5);
  }
  const ended = isClosed ? 'closed' : 'open';
  socket.destroy();
  await closed;
  await sleep(20);
  return [...bodies(), ended].join(' ');
}

async function run({ options = {}, prepare, steps }: Program, isLight: boolean): Promise<string[]> {
  const log: string[] = [];
  const app = makeApp(isLight).on('log', (text: string) => void log.push(text));
  const server = createServer(options, app).listen(0, '127.0.0.1');
  const port = await portOf(server);
  // Node creates the messages of the first requests
  for (let i = 0; i < 3; i++) await talk(port, [GET('/fast'), GET('/fast')]);
  const undo = prepare?.(server, text => log.push(text));
  const ended = await talk(port, steps);
  undo?.();
  server.closeAllConnections();
  await new Promise(resolve => server.close(resolve));
  return [ended, ...log];
}

async function same(program: Program): Promise<void> {
  const native = run(program, false);
  if (program.isGlobal) await native;
  assert.deepEqual(await run(program, true), await native);
}

describe('connections of light exchanges', { concurrency: true }, () => {
  for (const [title, program] of Object.entries(programs))
    if (!program.isGlobal) test(title, () => same(program));

  test('a response that the application has detached, to write to the socket: the next one is sent', async () => {
    const server = createServer(makeApp(true)).listen(0, '127.0.0.1');
    const port = await portOf(server);
    for (let i = 0; i < 3; i++) await talk(port, [GET('/fast'), GET('/fast')]);
    assert.equal(await talk(port, [GET('/detached'), GET('/fast'), GET('/later')]), 'set fast later open');
    server.close();
  });

  test('a stream that is not a socket: a response that closes it does, and the process goes on', async () => {
    const server = createServer(makeApp(true)).listen(0, '127.0.0.1');
    const port = await portOf(server);
    for (let i = 0; i < 3; i++) await talk(port, [GET('/fast'), GET('/fast')]);
    const half = (other: () => Duplex): Duplex =>
      new Duplex({
        read: () => undefined,
        write: (chunk, _encoding, done) => {
          other().push(chunk);
          done();
        },
        final: done => {
          other().push(null);
          done();
        },
      });
    const near: Duplex = half(() => far);
    const far: Duplex = half(() => near);
    let text = '';
    far.setEncoding('latin1').on('data', chunk => (text += String(chunk)));
    const ended = new Promise(resolve => far.on('end', resolve));
    server.emit('connection', near);
    far.write(GET('/fast'));
    far.write('GET /fast HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n');
    await ended;
    assert.equal(text.match(/\r\n\r\nfast/g)?.length, 2);
    server.close();
  });
});

describe('light exchanges that subscribers of Node’s channels see', () => {
  for (const [title, program] of Object.entries(programs))
    if (program.isGlobal) test(title, () => same(program));
});
