// runs: each
/**
 * `app.ws` through `app.fetch`, on stand-ins for the sockets of Bun, Deno and workerd. `npm run runtimes` runs the same
 * routes on the hosts themselves.
 */
import assert from 'node:assert/strict';
import { EventEmitter } from 'node:events';
import { afterEach, describe, test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import web from 'ristretto';
import type { Socket } from 'ristretto';
import { versions } from '../support/websocket.js';

type App = ReturnType<(typeof versions)[number]['make']>;
type Handlers = Record<
  'open' | 'message' | 'close' | 'ping' | 'pong',
  (socket: object, ...args: unknown[]) => void
>;

interface Opened {
  readonly response: Response;
  /** Calls of the host's socket, by name. */
  readonly calls: unknown[][];
  receive(data: string | Uint8Array): void;
  close(code: number, reason: string): void;
}

/** Opens a socket on a stand-in for a host. */
type Open = (
  app: App,
  headers?: Record<string, string>,
  more?: { buffered?: number; hostServer?: object },
) => Promise<Opened>;

const host = globalThis as { Deno?: unknown; WebSocketPair?: unknown };
/** What `app.ws` replaces in messages of the log. */
const quiet = (app: App): App => app.set('error logger', () => undefined);

const requestOf = (headers: Record<string, string> = {}): Request =>
  Object.defineProperty(new Request('http://example.com/rooms/7'), 'headers', {
    value: new Headers({ upgrade: 'websocket', connection: 'Upgrade', ...headers }),
  });

const openOnBun: Open = async (app, headers, { buffered = 0, hostServer = {} } = {}) => {
  const calls: unknown[][] = [];
  const { websocket } = app.fetch as unknown as { websocket: Handlers };
  let socket: object = {};
  const record =
    (name: string) =>
    (...args: unknown[]) => {
      calls.push([name, ...args]);
      if (name === 'close' || name === 'terminate') websocket.close(socket, args[0] ?? 1006, args[1] ?? '');
      return 1;
    };
  const server = Object.assign(hostServer, {
    requestIP: () => ({ address: '10.0.0.1', port: 1 }),
    upgrade(_request: unknown, { headers: given, data }: { headers: Headers; data: object }) {
      calls.push(['upgrade', [...given].sort()]);
      const names = ['send', 'close', 'terminate', 'ping', 'pong'];
      socket = { data, getBufferedAmount: () => buffered };
      for (const name of names) Object.assign(socket, { [name]: record(name) });
      websocket.open(socket);
      return true;
    },
  });
  const response = (await app.fetch(requestOf(headers), server)) as Response;
  return {
    response,
    calls,
    receive: data => {
      websocket.message(socket, data);
    },
    close: (code, reason) => {
      websocket.close(socket, code, reason);
    },
  };
};

/** A stand-in for the sockets of Deno and workerd. */
class HostSocket extends EventEmitter {
  readonly calls: unknown[][] = [];
  bufferedAmount = 0;
  addEventListener = this.on.bind(this);
  send = this.record('send');
  accept = this.record('accept');
  close = this.record('close');

  private record(name: string): (...args: unknown[]) => void {
    return (...args) => {
      this.calls.push([name, ...args]);
      if (name === 'close') this.emit('close', { code: args[0] ?? 1005, reason: args[1] ?? '' });
    };
  }
}

const openedOn = (socket: HostSocket, response: Response): Opened => ({
  response,
  calls: socket.calls,
  receive: data =>
    void socket.emit('message', { data: typeof data === 'string' ? data : new Uint8Array(data).buffer }),
  close: (code, reason) => void socket.emit('close', { code, reason }),
});

const openOnDeno: Open = async (app, headers, { buffered = 0 } = {}) => {
  const socket = Object.assign(new HostSocket(), { bufferedAmount: buffered });
  host.Deno = {
    upgradeWebSocket(_request: unknown, options: object) {
      socket.calls.push(['upgrade', options]);
      return { socket, response: new Response(null) };
    },
  };
  const response = (await app.fetch(requestOf(headers), {
    remoteAddr: { hostname: '10.0.0.1' },
  })) as Response;
  socket.emit('open');
  return openedOn(socket, response);
};

const openOnWorkerd: Open = async (app, headers, { buffered = 0 } = {}) => {
  const socket = Object.assign(new HostSocket(), { bufferedAmount: buffered });
  host.WebSocketPair = function () {
    return [{}, socket];
  };
  const { Response: Native } = globalThis;
  // Node's class rejects status 101.
  globalThis.Response = class extends Native {
    constructor(body: null, init: ResponseInit = {}) {
      super(body, { ...init, status: init.status === 101 ? 200 : (init.status ?? 200) });
    }
  } as typeof Response;
  try {
    return openedOn(socket, (await app.fetch(requestOf(headers))) as Response);
  } finally {
    globalThis.Response = Native;
  }
};

afterEach(() => {
  delete host.Deno;
  delete host.WebSocketPair;
});

const hosts: [name: string, open: Open][] = [
  ['Bun', openOnBun],
  ['Deno', openOnDeno],
  ['workerd', openOnWorkerd],
];

for (const { version, make } of versions) {
  describe(`app.ws on the hosts of app.fetch, Express ${version}`, () => {
    for (const [name, open] of hosts) {
      test(`${name}: opens a socket with the headers of middleware, which receives and sends text and bytes`, async () => {
        const app = quiet(make());
        const seen: unknown[] = [];
        app.use((_req, res, next) => {
          res.cookie('a', '1');
          next();
        });
        app.ws('/rooms/:room', { protocols: ['v2', 'v1'], heartbeat: '90s' }, (socket, req) => {
          seen.push(req.params.room, socket.readyState, socket.protocol);
          socket.on('message', (data: Buffer, isBinary: boolean) => {
            seen.push([data.toString(), isBinary]);
            socket.send(data, { binary: isBinary });
          });
          socket.on('close', (code, reason) => seen.push([code, reason.toString()]));
        });
        const { calls, receive, close, response } = await open(app, { 'sec-websocket-protocol': 'v1,v2' });
        await turn();
        receive('text');
        receive(Buffer.from('bytes'));
        close(3000, 'bye');
        assert.deepEqual(seen, ['7', 1, 'v2', ['text', false], ['bytes', true], [3000, 'bye']]);
        const sent = calls.filter(([call]) => call === 'send').map(([, data]) => data);
        assert.deepEqual(sent, ['text', Buffer.from('bytes')]);
        const [upgrade] = calls;
        if (name === 'Deno') assert.deepEqual(upgrade, ['upgrade', { idleTimeout: 90 }]);
        const headers = name === 'Bun' ? new Headers(upgrade![1] as [string, string][]) : response.headers;
        assert.equal(headers.get('sec-websocket-protocol'), 'v2');
        assert.match(headers.get('set-cookie')!, /^a=1/);
        assert.equal(headers.get('content-length'), null);
      });

      test(`${name}: refuses with the response of a handler`, async () => {
        const app = quiet(make());
        app.ws(
          '/rooms/:room',
          (_req, res) => res.status(401).json({ error: 'log in' }),
          () => undefined,
        );
        const { response, calls } = await open(app);
        assert.equal(response.status, 401);
        assert.deepEqual(calls, []);
      });

      test(`${name}: refuses pages of other origins, and closes for large messages, backlogs and errors`, async () => {
        const app = quiet(make());
        const errors: string[] = [];
        app.ws('/rooms/:room', { maxPayload: 8, maxBacklog: 16 }, socket => {
          socket.on('error', ({ message }) => errors.push(message));
          socket.on('message', data => {
            if (String(data) === 'throw') throw new Error('of a listener');
            socket.send('x', error => errors.push(error?.message ?? 'sent'));
          });
        });
        assert.equal((await open(app, { origin: 'http://evil.example' })).response.status, 403);
        const codes: unknown[] = [];
        for (const [message, buffered] of [
          ['too large', 0],
          ['throw', 0],
          ['echo', 17],
        ] as const) {
          const { calls, receive } = await open(app, {}, { buffered });
          await turn();
          receive(message);
          await turn();
          const end = calls.find(([call]) => call === 'close' || call === 'terminate');
          codes.push(end?.[0] === 'close' ? end[1] : end?.[0]);
        }
        assert.deepEqual(codes, [1009, 1011, name === 'Bun' ? 'terminate' : 1008]);
        assert.deepEqual(errors, [
          'Max payload size exceeded',
          'More than 16 bytes are waiting for a slow reader',
        ]);
      });
    }

    test('Bun: pings, and passes on pings and pongs of the peer', async () => {
      const app = make();
      const seen: string[] = [];
      let opened: Socket | undefined;
      app.ws('/rooms/:room', socket => {
        opened = socket;
        socket.on('ping', data => seen.push(`ping ${String(data)}`));
        socket.on('pong', data => seen.push(`pong ${String(data)}`));
        socket.ping('hello');
        socket.pong('again');
      });
      const { calls, close } = await openOnBun(app);
      await turn();
      const { websocket } = app.fetch as unknown as { websocket: Handlers };
      const data = opened as unknown as object;
      websocket.ping({ data }, Buffer.from('a'));
      websocket.pong({ data }, Buffer.from('b'));
      close(1000, '');
      assert.deepEqual(seen, ['ping a', 'pong b']);
      assert.deepEqual(
        calls.slice(1).map(([call, bytes]) => [call, String(bytes)]),
        [
          ['ping', 'hello'],
          ['pong', 'again'],
        ],
      );
    });

    test('Bun: sends 500 and frees the place of the socket if the server refuses', async () => {
      const app = make();
      const logged: unknown[] = [];
      app.set('error logger', ({ error }: { error: unknown }) => logged.push(String(error)));
      app.ws('/rooms/:room', { maxConnections: 1 }, () => undefined);
      const server = { upgrade: () => false, requestIP: () => null };
      for (let round = 0; round < 2; round++) {
        assert.equal(((await app.fetch(requestOf(), { server })) as Response).status, 500);
      }
      const message = 'Error: app.ws: Bun has refused to open the WebSocket';
      assert.deepEqual(logged, [message, message]);
    });

    test('Deno: throws for ping, which the host sends by itself', async () => {
      const app = make();
      let opened: Socket | undefined;
      app.ws('/rooms/:room', socket => {
        opened = socket;
      });
      const { close } = await openOnDeno(app);
      await turn();
      assert.throws(() => {
        opened!.ping();
      }, /^Error: socket\.ping\(\) is not available on this host, which sends pings and pongs by itself$/);
      close(1000, '');
    });

    test('members: are the same as in ws, with the same errors', async () => {
      const app = quiet(make());
      let socket!: Socket;
      app.ws('/rooms/:room', opened => {
        socket = opened;
      });
      const { calls, receive } = await openOnBun(app);
      await turn();
      assert.equal(socket.bufferedAmount, 0);
      assert.throws(() => {
        socket.close(1006);
      }, /^TypeError: First argument must be a valid error code number$/);
      assert.throws(() => {
        socket.close(1000, 'x'.repeat(124));
      }, /^RangeError: The message must not be greater than 123 bytes$/);
      assert.throws(() => {
        socket.send('x', { fin: false });
      }, /^TypeError: socket\.send\(\): fin: false is not available on this host$/);
      socket.send('text', { binary: true });
      socket.send(Buffer.from('bytes'), { binary: false });
      assert.deepEqual(calls.slice(-2), [
        ['send', Buffer.from('text')],
        ['send', 'bytes'],
      ]);
      const seen: unknown[] = [];
      socket.on('message', data => seen.push(data));
      socket.pause();
      receive('one');
      assert.deepEqual([socket.isPaused, seen.length], [true, 0]);
      socket.resume();
      socket.binaryType = 'arraybuffer';
      receive(Buffer.from('2'));
      socket.binaryType = 'fragments';
      receive(Buffer.from('3'));
      assert.deepEqual(seen, [Buffer.from('one'), new Uint8Array([50]).buffer, [Buffer.from('3')]]);
      socket.close(1000, 'done');
      assert.equal(socket.readyState, 3);
      const late: unknown[] = [];
      socket.send('late', error => late.push(error?.message));
      socket.close();
      socket.terminate();
      await turn();
      assert.deepEqual(late, ['WebSocket is not open: readyState 3 (CLOSED)']);
    });

    test('members: a socket that is paused and gets more than maxBacklog is closed with 1008', async () => {
      const app = quiet(make());
      app.ws('/rooms/:room', { maxBacklog: 8 }, socket => {
        socket.pause();
        setImmediate(() => {
          socket.pause();
        });
      });
      const { calls, receive } = await openOnBun(app);
      await turn();
      await turn();
      receive('12345');
      receive('12345');
      assert.deepEqual(calls.at(-1), [
        'close',
        1008,
        'Too many messages arrived while the socket was paused',
      ]);
    });

    test('messages: a schema validates them, and passes on its output', async () => {
      const app = quiet(make());
      const seen: unknown[] = [];
      const message = {
        '~standard': {
          version: 1,
          vendor: 'test',
          validate: (value: unknown) =>
            typeof value === 'number'
              ? { value: value * 2 }
              : { issues: [{ message: 'a number is needed' }] },
        },
      } as const;
      app.ws('/rooms/:room', { message }, socket => {
        socket.on('message', value => seen.push(value));
      });
      const { calls, receive } = await openOnBun(app);
      await turn();
      receive('21');
      receive('"text"');
      assert.deepEqual(seen, [42]);
      assert.deepEqual(calls.at(-1), ['close', 1007, 'Invalid message:  a number is needed']);
    });

    test('stop: web.stop closes the sockets of a server of Bun with 1001 and stops it, and refuses others', async () => {
      const app = quiet(make());
      app.ws('/rooms/:room', socket => {
        void socket.busy(turn());
      });
      const stops: unknown[] = [];
      const hostServer = { stop: (isForced: unknown) => Promise.resolve(stops.push(isForced)) };
      const { calls } = await openOnBun(app, {}, { hostServer });
      await turn();
      const stopped = web.stop(hostServer as never);
      assert.equal(web.stop(hostServer as never), stopped);
      const { response } = await openOnBun(app, {}, { hostServer });
      assert.equal((await stopped).sockets, 1);
      assert.deepEqual(calls.at(-1), ['close', 1001, 'The server is being stopped']);
      assert.deepEqual(stops, [undefined]);
      assert.equal(response.status, 503);
    });

    test('stop: web.stop closes the sockets of Deno before its server, which is cut off after the timeout', async () => {
      const app = quiet(make());
      app.ws('/rooms/:room', () => undefined);
      const { calls } = await openOnDeno(app);
      await turn();
      const order: string[] = [];
      const server = {
        finished: Promise.resolve(),
        shutdown: () => {
          order.push(String(calls.at(-1)));
          return new Promise<void>(() => undefined);
        },
      };
      assert.equal((await web.stop(server, { timeout: 50, drain: 0 })).sockets, 1);
      const closed = 'close,1001,The server is being stopped';
      assert.deepEqual(order, [closed, closed]);
    });

    test('other hosts: an upgrade request is an ordinary GET, with app.inject too', async () => {
      const app = make();
      app.ws('/rooms/:room', () => undefined);
      assert.equal(((await app.fetch(requestOf())) as Response).status, 404);
      host.Deno = { upgradeWebSocket: () => assert.fail() };
      assert.equal((await app.inject({ url: '/rooms/7', headers: { upgrade: 'websocket' } })).status, 404);
    });
  });
}
