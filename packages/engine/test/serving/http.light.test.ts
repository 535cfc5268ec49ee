// runs: each
/** Light exchanges, and how functions of Node are told from wrappers. */
import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import http, { createServer, ServerResponse } from 'node:http';
import type { IncomingMessage } from 'node:http';
import net from 'node:net';
import path from 'node:path';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { describe, it, mock, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { areNative } from '@ristretto/private-engine/lib/serving/node-internals';
import web from 'ristretto';
import type { Request, Response as WebResponse } from 'ristretto';
import { Random } from '../support/random.js';
import { portOf } from '../support/http.js';

// * Programs for light exchanges: handlers and clients of every kind on one connection, and a transcript of everything that
// the server's messages and the client observe. The same program runs with light exchanges and with Node's own.

/** The framework under test; its applications are listeners. */
type Web = (() => Application) & { json(): unknown };

interface Application {
  (req: IncomingMessage, res: ServerResponse): void;
  disable(name: string): unknown;
  set(name: string, value: unknown): Application;
  use(...handlers: unknown[]): unknown;
}

interface Step {
  method: string;
  /** The name of a handler. */
  handler: string;
  /** How long the handler waits first. */
  waits: keyof typeof waiting;
  body: 'none' | 'length' | 'chunks';
  /** Whether listeners are added to both messages. */
  listens: boolean;
}

interface Program {
  steps: Step[];
  /** Whether the requests are sent without waiting for responses. */
  isPipelined: boolean;
  /** Where the bytes are cut; the client waits after each piece. */
  cuts: number[];
  /** What the client does at the end. */
  ends: 'waits' | 'half-closes' | 'resets';
}

type Response = ServerResponse &
  Record<'json' | 'send' | 'sendStatus' | 'redirect', (value: unknown) => void>;
type Handler = (req: IncomingMessage, res: Response) => void;

const waiting = {
  no: (then: () => void) => then(),
  tick: (then: () => void) => process.nextTick(then),
  promise: (then: () => void) => void Promise.resolve().then(then),
  turn: (then: () => void) => setImmediate(then),
  timer: (then: () => void) => setTimeout(then, 2),
};
const KINDS = Object.keys(waiting) as Step['waits'][];
const LARGE = 'x'.repeat(300_000);

/** Every way to respond, or not to. */
const handlers: Record<string, Handler> = {
  json: (_req, res) => res.json({ a: 'é' }),
  send: (_req, res) => res.send('text'),
  bytes: (_req, res) => res.send(Buffer.from('bytes')),
  large: (_req, res) => res.send(LARGE),
  largeBytes: (_req, res) => res.send(Buffer.from(LARGE)),
  status: (_req, res) => res.sendStatus(204),
  redirect: (_req, res) => res.redirect('/x'),
  end: (_req, res) => res.end('end'),
  endEmpty: (_req, res) => res.end(),
  endTwice: (_req, res) => res.end('end').end(),
  endCallback: (req, res) => res.end('end', () => log(req, 'callback')),
  endCallbackLate: (req, res) => {
    res.end('end');
    res.end((error?: Error) => log(req, ['late callback', error?.message]));
  },
  head: (_req, res) => res.writeHead(201, { 'X-A': '1' }).end('head'),
  headEmpty: (_req, res) => res.writeHead(204).end(),
  write: (_req, res) => {
    res.write('one');
    res.end('two');
  },
  writeLater: (_req, res) => {
    res.write('one');
    setImmediate(() => res.end('two'));
  },
  drains: (_req, res) => {
    if (res.write(LARGE)) res.end('not buffered');
    else res.on('drain', () => res.end('drained'));
  },
  flush: (_req, res) => {
    res.flushHeaders();
    res.end('flushed');
  },
  pipe: (_req, res) => void Readable.from(['a', 'b']).pipe(res),
  hints: (_req, res) => {
    res.writeEarlyHints({ link: '</a.css>; rel=preload' });
    res.send('hints');
  },
  trailers: (_req, res) => {
    res.setHeader('Trailer', 'X-T');
    res.write('a');
    res.addTrailers({ 'X-T': '1' });
    res.end();
  },
  cork: (_req, res) => {
    res.cork();
    res.write('corked');
    res.uncork();
    res.end();
  },
  closes: (_req, res) => {
    res.shouldKeepAlive = false;
    res.send('bye');
  },
  closesByHeader: (_req, res) => {
    res.setHeader('Connection', 'close');
    res.send('bye');
  },
  last: (_req, res) => {
    (res as unknown as { _last: boolean })._last = true;
    res.send('last');
  },
  destroys: (_req, res) => void res.destroy(),
  destroysRequest: (req, res) => {
    req.on('error', () => undefined);
    req.destroy();
    res.end('x');
  },
  destroysSocket: (req, res) => {
    res.send('partly');
    req.socket.destroy();
  },
  destroysSent: (_req, res) => {
    res.send('sent');
    res.destroy(new Error('failed'));
  },
  destroysSocketSent: (req, res) => {
    res.end('sent', (error?: Error | null) => log(req, ['callback', error?.message]));
    req.socket.destroy(new Error('failed'));
  },
  detaches: (req, res) => {
    const { socket } = req;
    res.detachSocket(socket);
    socket.end('HTTP/1.1 200 OK\r\nConnection: close\r\n\r\nraw');
  },
  otherSocketLater: (_req, res) => {
    res.end('x');
    Object.assign(res, { socket: {} });
  },
  otherRequestSocket: (req, res) => {
    Object.assign(req, { socket: {} });
    res.send('x');
  },
  throws: () => {
    throw Object.assign(new Error('thrown'), { status: 418 });
  },
  never: () => undefined,
  reads: (req, res) => {
    let text = '';
    req.on('data', chunk => (text += String(chunk)));
    req.on('end', () => res.send(`read ${text}`));
  },
  iterates: (req, res) => {
    const read = async (): Promise<void> => {
      let text = '';
      for await (const chunk of req) text += String(chunk);
      res.json({ text });
    };
    void read().catch(() => undefined);
  },
  resumes: (req, res) => {
    req.resume();
    res.end('resumed');
  },
  pauses: (req, res) => {
    req.pause();
    res.end('paused');
  },
  lateListeners: (req, res) => {
    res.send('late');
    listen(req, res);
  },
  lateRead: (req, res) => {
    res.send('late');
    setImmediate(() =>
      req.on('data', chunk => log(req, String(chunk))).on('end', () => log(req, 'late end')),
    );
  },
  signal: (req, res) => {
    const { signal } = req as { signal?: AbortSignal };
    signal?.addEventListener('abort', () => log(req, 'signal'));
    res.send('signal');
  },
  timeout: (req, res) => {
    res.setTimeout(3, () => {
      log(req, 'timeout');
      res.end('timed out');
    });
  },
  setTimeout: (req, res) => {
    req.setTimeout(30_000);
    res.end('has a timer');
  },
};
type Log = unknown[];
const logs = new WeakMap<IncomingMessage, Log>();

function log(req: IncomingMessage, what: unknown): void {
  logs.get(req)?.push(what);
}

function listen(req: IncomingMessage, res: ServerResponse): void {
  for (const event of ['end', 'close', 'aborted']) req.on(event, () => log(req, `req ${event}`));
  req.on('error', error => log(req, `req ${error.message} ${String((error as NodeJS.ErrnoException).code)}`));
  // Node sends a pipelined response later, if it comes in one packet with the request before.
  for (const event of [...(isPipelined ? [] : ['prefinish']), 'finish', 'close', 'pipe', 'drain'])
    res.on(event, () => log(req, [`res ${event}`, ...look(req, res)]));
  res.on('error', error => log(req, `res ${error.message}`));
}

/** What differs by nature: caches of `headers` and of an option, identities, counters of asynchronous calls, and the timer of an idle connection. */
const UNSTABLE =
  /^(?:Symbol\((?:kHeaders|kLenientCache)\)|_idle\w*|_onPendingData|timeout|asyncId|triggerId|_handle|domain)$/;

function shownValue(value: unknown): unknown {
  if (typeof value === 'function') return 'function';
  if (typeof value === 'string') return value.replace(/Date: [^\r]*/, 'Date: now');
  if (typeof value !== 'object' || value === null) return typeof value === 'bigint' ? String(value) : value;
  if (Array.isArray(value)) return ['array', value.length];
  const name = (value as object).constructor as { name?: string } | undefined;
  return `object ${name?.name ?? 'null'}`;
}

/** Returns every own property of an object, in order, and the values of the getters that it inherits from Node. */
function propertiesOf(object: object): unknown[] {
  const own = Reflect.ownKeys(object)
    .filter(key => !UNSTABLE.test(String(key)))
    .map(key => [String(key), shownValue((object as Record<PropertyKey, unknown>)[key])]);
  const inherited: unknown[] = [];
  for (
    let at = Object.getPrototypeOf(object) as object;
    at !== Object.prototype;
    at = Object.getPrototypeOf(at) as object
  ) {
    for (const [key, { get }] of Object.entries(Object.getOwnPropertyDescriptors(at))) {
      if (
        get === undefined ||
        /^(?:signal|_headers|_headerNames|connection|locals|ips?|fresh|stale|query|_parsedUrl)$/.test(key)
      )
        continue;
      try {
        inherited.push([key, shownValue(get.call(object))]);
      } catch (error) {
        inherited.push([key, String(error)]);
      }
    }
  }
  return [...own, ...inherited];
}

/** Pipelined requests may find the response before theirs complete or not, as with Node when they come in one packet. */
let isPipelined = false;

/** What tools and applications read of both messages and their connection. */
function look(req: IncomingMessage, res: ServerResponse): unknown[] {
  if (isPipelined) return [];
  const socket = req.socket as net.Socket & { _httpMessage?: unknown; parser?: { incoming: unknown } };
  return [
    propertiesOf(req),
    propertiesOf(res),
    res.listenerCount('finish'),
    res.eventNames().map(String),
    socket._httpMessage === res,
    socket.parser?.incoming === req,
    res.socket === socket,
    (req as { res?: unknown }).res === res,
  ];
}

/** Runs a program on a new server, and returns everything that was observed, except the order between exchanges. */
async function run(web: unknown, program: Program, isLight: boolean): Promise<unknown> {
  ({ isPipelined } = program);
  const app = (web as Web)();
  if (!isLight) app.disable('light messages');
  // The page of an error would show frames of one of the two.
  app.set('env', 'production').disable('x-powered-by');
  const transcripts: Log[] = [];
  app.use((req: IncomingMessage, res: Response, next: (error: unknown) => void) => {
    if (req.url === '/begin') {
      res.end();
      return;
    }
    const step = program.steps[transcripts.length]!;
    const own: Log = [];
    transcripts.push(own);
    logs.set(req, own);
    log(req, look(req, res));
    if (step.listens) listen(req, res);
    waiting[step.waits](() => {
      try {
        handlers[step.handler]!(req, res);
      } catch (error) {
        next(error);
      } finally {
        log(req, look(req, res));
      }
    });
  });
  app.use((error: Error, req: IncomingMessage, res: Response, _next: unknown) => {
    log(req, error.message);
    res.statusCode = 418;
    res.send(error.message);
  });
  const server = createServer(app);
  server.keepAliveTimeout = 60_000;
  server.on('clientError', (error, socket) => socket.destroy(error));
  const port = await portOf(server.listen(0, '127.0.0.1'));
  await begin(port);
  const text = await connect(port, program, transcripts);
  server.closeAllConnections();
  await new Promise(resolve => server.close(resolve));
  await turns(3);
  return [text, transcripts];
}

/** The server learns of its application with the first request, which is Node's. */
async function begin(port: number): Promise<void> {
  for (let i = 0; i < 2; i++) {
    const socket = net.connect(port, '127.0.0.1');
    socket.write('GET /begin HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n');
    await new Promise(resolve =>
      socket
        .resume()
        .on('close', resolve)
        .on('error', () => undefined),
    );
  }
}

async function turns(count: number): Promise<void> {
  for (let i = 0; i < count; i++) await new Promise(resolve => setImmediate(resolve));
}

function bytesOf({ method, handler, body }: Step): string {
  // A path of its own, because handlers need not treat HEAD as GET
  const head = `${method} /${handler}-${method} HTTP/1.1\r\nHost: a\r\n`;
  if (body === 'none') return `${head}\r\n`;
  if (body === 'length') return `${head}Content-Length: 4\r\n\r\nbody`;
  return `${head}Transfer-Encoding: chunked\r\n\r\n2\r\nbo\r\n2\r\ndy\r\n0\r\n\r\n`;
}

const MOST_TURNS = 20_000;

/** Sends the requests, and returns what the client receives until the connection closes. */
async function connect(port: number, program: Program, transcripts: Log[]): Promise<string> {
  const { steps, isPipelined, cuts, ends } = program;
  const socket = net.connect({ port, host: '127.0.0.1', allowHalfOpen: true, noDelay: true });
  let text = '';
  let isClosed = false;
  let hasEnded = false;
  socket.setEncoding('latin1').on('data', chunk => (text += String(chunk)));
  socket.on('error', () => undefined);
  socket.on('end', () => (hasEnded = true));
  socket.on('close', () => (isClosed = true));
  await new Promise(resolve => socket.once('connect', resolve));
  const until = async (isReached: () => boolean): Promise<void> => {
    for (let turn = 0; !isReached() && !isClosed && !hasEnded; turn++) {
      if (turn === MOST_TURNS) throw new Error(`no progress after ${JSON.stringify(text.slice(0, 300))}`);
      await turns(1);
    }
    await turns(2);
  };
  const send = async (bytes: string): Promise<void> => {
    let from = 0;
    for (const cut of [...cuts.filter(at => at < bytes.length), bytes.length]) {
      if (isClosed || hasEnded) return;
      socket.write(bytes.slice(from, cut));
      from = cut;
      await turns(2);
    }
  };
  const wholeOf = (): number => countOf(text, steps);
  if (isPipelined) await send(steps.map(bytesOf).join(''));
  for (const [at, step] of steps.entries()) {
    if (!isPipelined) await send(bytesOf(step));
    await until(() => (step.handler === 'never' ? transcripts.length > at : wholeOf() > at));
  }
  if (ends === 'resets') socket.resetAndDestroy();
  else if (!isClosed) socket.end();
  if (ends === 'waits') await until(() => isClosed || hasEnded);
  socket.destroy();
  await turns(4);
  // Node may send the chunks of a pipelined response together.
  const whole = isPipelined ? text.replace(/(?<=\r\n)[0-9a-f]+\r\n|\r\n(?=[0-9a-f]+\r\n)/g, '') : text;
  return whole.replace(/Date: [^\r]*/g, 'Date: now');
}

/** Returns the number of complete responses. */
function countOf(text: string, steps: Step[]): number {
  let count = 0;
  let at = 0;
  while (count < steps.length) {
    const end = text.indexOf('\r\n\r\n', at);
    if (end < 0) return count;
    const head = text.slice(at, end);
    at = end + 4;
    if (/^HTTP\/1.1 1/.test(head)) continue;
    if (steps[count]!.method !== 'HEAD' && !/^HTTP\/1.1 (?:204|304)/.test(head)) {
      const length = /content-length: (\d+)/i.exec(head)?.[1];
      if (length !== undefined) at += Number(length);
      else if (/transfer-encoding: chunked/i.test(head)) {
        const last = /(?:^|\r\n)0\r\n(?:[^\r]+\r\n)*\r\n/.exec(text.slice(at));
        if (last === null) return count;
        at += last.index + last[0].length;
      } else return count;
      if (at > text.length) return count;
    }
    count++;
  }
  return count;
}

/** Creates a program. */
function generate(random: Random): Program {
  const isPipelined = random.chance(0.3);
  const cuts = random.many(0, 2, () => random.between(0, 120)).sort((a, b) => a - b);
  // Whether a response is complete before another handler closes the connection depends on time, and so does what has arrived
  // of a body when a timer fires. Node mixes up early hints of pipelined responses.
  const excluded = isPipelined
    ? /^(?:never|destroys|detaches|last|closes|timeout|hints)/
    : cuts.length > 0
      ? /^(?:never|timeout)$/
      : /^never$/;
  const names = Object.keys(handlers).filter(name => !excluded.test(name));
  const steps = random.many(1, 4, (): Step => ({
    method: random.pick(['GET', 'GET', 'GET', 'HEAD', 'POST', 'DELETE']),
    handler: random.pick(names),
    waits: random.pick(isPipelined || cuts.length > 0 ? (['no', 'tick', 'promise'] as const) : KINDS),
    body: random.pick(['none', 'none', 'length', 'chunks']),
    listens: random.chance(0.4),
  }));
  const isNever = random.chance(0.2);
  if (isNever)
    steps.push({ method: 'GET', handler: 'never', waits: 'no', body: 'none', listens: random.chance(0.7) });
  return {
    steps,
    isPipelined,
    cuts,
    ends: random.pick(isNever ? ['resets', 'half-closes'] : ['waits', 'half-closes', 'resets']),
  };
}

const CASES = Number(process.env.LIGHT_CASES ?? 200);
const SEED = Number(process.env.LIGHT_SEED ?? 1);

async function same(program: Program): Promise<void> {
  const native = await run(web, program, false);
  assert.deepEqual(await run(web, program, true), native, JSON.stringify(program));
}

const step = (rest: Partial<Step>): Step => ({
  method: 'GET',
  handler: 'json',
  waits: 'no',
  body: 'none',
  listens: false,
  ...rest,
});

/** Light exchanges: everything that both messages, their connection and the client observe is as with Node's own. */
describe('light exchanges beside Node’s own', () => {
  for (const handler of Object.keys(handlers)) {
    test(`handler '${handler}': has the same properties, events and bytes, also for the next request`, async () => {
      for (const rest of [
        {},
        { listens: true },
        { waits: 'timer' },
        { method: 'POST', body: 'length' },
      ] as const) {
        // The client aborts as soon as the handler has been called.
        if (handler === 'never' && 'waits' in rest) continue;
        const steps = [
          step({ handler, ...rest }),
          ...(handler === 'never' ? [] : [step({ handler: 'end' })]),
        ];
        await same({ steps, isPipelined: false, cuts: [], ends: handler === 'never' ? 'resets' : 'waits' });
      }
    });
  }

  test('pipelined in one chunk: each response has finished when Node says so', async () => {
    const steps = ['endCallbackLate', 'endCallbackLate', 'endCallbackLate'].map(handler => step({ handler }));
    await same({ steps, isPipelined: true, cuts: [], ends: 'waits' });
  });

  test(`generated: ${CASES} sequences of requests are the same`, async () => {
    const random = new Random(SEED);
    for (let at = 0; at < CASES; at++) await same(generate(random));
  });
});

describe('which exchanges are light', () => {
  /** Returns, for each request on two connections, whether its exchange was light. */
  function lightness({ before = '', listen = 'app.listen(0)', after = '' }): boolean[] {
    const program = `
      const http = require('node:http');
      const { isLight } = require('@ristretto/private-engine/lib/serving/http1/light-exchange');
      const [first, second] = [1, 2].map(() => new http.Agent({ keepAlive: true, maxSockets: 1 }));
      const seen = [];
      ${before}
      const app = require('ristretto')().get('/', (req, res) => void res.send(String(seen.push(isLight(req)))));
      const server = ${listen}.on('listening', async () => {
        const { port } = server.address();
        for (const agent of [first, second, second, second])
          await new Promise(resolve => http.get({ port, agent }, res => res.resume().on('end', resolve)));
        console.log(JSON.stringify(seen));
        process.exit();
      });
      ${after}`;
    const { stdout, stderr } = spawnSync(process.execPath, ['-e', program], {
      cwd: __dirname,
      encoding: 'utf8',
    });
    assert.equal(stderr, '');
    return JSON.parse(stdout) as boolean[];
  }

  test('app.listen: exchanges are light after the first one, in which Node has created the messages', () => {
    assert.deepEqual(lightness({}), [false, true, true, true]);
  });

  test('http.createServer: exchanges are light after the first two', () => {
    const seen = lightness({ listen: 'http.createServer(app).listen(0)' });
    assert.deepEqual(seen, [false, false, true, true]);
  });

  const adding = {
    request: `Object.defineProperty(server, 'keepAliveTimeout', {
      get() { current.parser.incoming[Symbol('of a later version')] = {}; return 5000; },
    }).on('connection', socket => (current = socket));
    let current;`,
    response: `Object.defineProperty(app.response, '_maxRequestsPerSocket', {
      set() { this[Symbol('of a later version')] = {}; },
    });`,
  };
  for (const [message, after] of Object.entries(adding))
    test(`unknown property: exchanges are Node's where its server adds one to each ${message}`, () => {
      assert.deepEqual(lightness({ after }), [false, false, false, false]);
    });

  test('subscriber: exchanges are light where one of the channel for requests adds properties', () => {
    const before = `
      require('node:diagnostics_channel').subscribe('http.server.request.start', ({ request, response }) => {
        request[Symbol('span')] = response[Symbol('span')] = {};
      });`;
    assert.deepEqual(lightness({ before }), [false, true, true, true]);
  });
});

describe('replaced members', () => {
  const programs: Record<string, (req: Request, res: WebResponse) => unknown> = {
    'res.req replaced by a copy, res.send': (req, res) =>
      Object.assign(res, { req: Object.create(req) }).send('x'),
    'res.req replaced by a plain object, res.end': (_req, res) => Object.assign(res, { req: {} }).end('x'),
    'res.req deleted': (_req, res) => Reflect.deleteProperty(res, 'req') && res.end('x'),
    'res.req and res.socket replaced after the end': (_req, res) =>
      Object.assign(res.send('x'), { req: undefined, socket: undefined }),
  };
  // Node's own exchanges end the process in most of these cases on some releases: the first request is an ordinary one.
  for (const [title, respond] of Object.entries(programs))
    test(`${title}: the exchange ends, and the next one begins`, async () => {
      const app = web()
        .get('/', respond)
        .get('/ordinary', (_req, res) => void res.send('ordinary'));
      const server = app.listen(0);
      const agent = new http.Agent({ keepAlive: true, maxSockets: 1 });
      const ask = (path: string): Promise<string> =>
        new Promise((resolve, reject) => {
          const { port } = server.address() as { port: number };
          http.get({ port, path, agent }, res => void text(res).then(resolve)).on('error', reject);
        });
      try {
        const bodies = [];
        for (const path of ['/ordinary', '/ordinary', '/', '/', '/ordinary']) bodies.push(await ask(path));
        assert.deepEqual(bodies, ['ordinary', 'ordinary', 'x', 'x', 'ordinary']);
      } finally {
        agent.destroy();
        server.close();
      }
    });
});

describe('res.req deleted while something is being sent', () => {
  const deleteReq = (req: Request, res: WebResponse): void => {
    Reflect.deleteProperty(res, 'req');
    // Node 26.12 itself requires the property at the end of its own exchanges
    res.once('prefinish', () => Object.assign(res, { req }));
  };
  const programs: Record<string, (req: Request, res: WebResponse) => unknown> = {
    'a small file': (_req, res) => res.sendFile(path.join(__dirname, '../support/tree.ts')),
    'a large file': (_req, res) => res.sendFile(path.join(__dirname, '../../../../package-lock.json')),
    'an event stream': (_req, res) => {
      const events = res.sse({ heartbeat: 1 });
      setTimeout(events.close, 20);
    },
    'an empty body, after hooks': (_req, res) => {
      res.onSend(() => undefined);
      setTimeout(() => res.end(), 2);
    },
  };
  for (const [title, respond] of Object.entries(programs))
    test(`${title}: is sent to its end`, async () => {
      const app = web()
        .enable('strict http')
        .get('/', (req, res) => {
          respond(req, res);
          deleteReq(req, res);
        });
      const server = app.listen(0);
      try {
        for (let i = 0; i < 3; i++) {
          const { port } = server.address() as { port: number };
          const answer = await fetch(`http://127.0.0.1:${String(port)}/`);
          const { byteLength } = await answer.arrayBuffer();
          assert.equal(byteLength, Number(answer.headers.get('content-length') ?? byteLength));
          assert.equal(answer.status, 200);
        }
      } finally {
        server.close();
      }
    });
});

describe('idle connections', () => {
  for (const { title, method, path } of [
    { title: 'a response at once', method: 'GET', path: '/now' },
    { title: 'a response after a timer', method: 'GET', path: '/later' },
    { title: 'a body that has been parsed', method: 'POST', path: '/parsed' },
    { title: 'a body that nobody has read', method: 'POST', path: '/now' },
  ]) {
    test(`${title}: the connection keeps neither request nor response`, async () => {
      setFlagsFromString('--expose-gc');
      const collect = runInNewContext('gc') as () => void;
      const messages: WeakRef<object>[] = [];
      const app = web();
      app.use((req, res, next) => {
        messages.push(new WeakRef(req), new WeakRef(res));
        next();
      });
      app.use('/parsed', web.json());
      app.use('/later', (_req, _res, next) => void sleep(1).then(() => next()));
      app.use((_req, res) => void res.json({ a: 1 }));
      const server = app.listen(0);
      const agent = new http.Agent({ keepAlive: true, maxSockets: 1 });
      const ask = (): Promise<void> =>
        new Promise((resolve, reject) => {
          const { port } = server.address() as { port: number };
          const headers =
            method === 'POST' ? { 'Content-Type': 'application/json', 'Content-Length': 7 } : {};
          const req = http.request({ port, path, method, agent, headers }, res => {
            res.on('end', resolve).resume();
          });
          req.on('error', reject).end(method === 'POST' ? '{"b":2}' : undefined);
        });
      try {
        // The first request of a connection may be Node's own.
        for (let i = 0; i < 3; i++) await ask();
        for (let i = 0; i < 50 && messages.some(each => each.deref() !== undefined); i++) {
          await sleep(10);
          collect();
        }
        const kept = messages.flatMap((each, i) => (each.deref() === undefined ? [] : [i]));
        assert.deepEqual(kept, []);
        assert.equal(Object.values(agent.freeSockets).flat().length, 1, 'the connection is still open');
      } finally {
        agent.destroy();
        server.close();
      }
    });
  }
});

const { end } = ServerResponse.prototype as unknown as { end(...args: unknown[]): unknown };
const isNative = (fn: unknown, word: string): boolean => areNative({ fn }, { fn: word });

const wrappers: Record<string, [fn: unknown, word: string]> = {
  'a wrapper that mentions _implicitHeader': [
    function (this: unknown, ...args: unknown[]) {
      void '_implicitHeader';
      return end.apply(this, args);
    },
    '_implicitHeader',
  ],
  'a wrapper that reads a property first': [
    function (this: { finished: boolean }, ...args: unknown[]) {
      return this.finished ? undefined : end.apply(this, args);
    },
    'finished',
  ],
  'a function that reads nothing': [() => 'read', 'read'],
  'a bound function': [end.bind({}), 'native code'],
  'a proxy with a handler for calls': [
    new Proxy(end, { apply: (target, self, args) => target.apply(self, args) }),
    'native code',
  ],
  'a function patched by mock.method, which is a module of Node': [
    mock.method({ end }, 'end', end),
    'native code',
  ],
  undefined: [undefined, ''],
};

/** Node's own functions are distinguished from wrappers by what runs, not by their source. */
describe('recognizing Node’s functions', () => {
  test('res.end is recognized', () => {
    assert.equal(isNative(end, '_implicitHeader'), true);
  });

  for (const [name, [fn, word]] of Object.entries(wrappers)) {
    test(`${name} is not taken for Node’s own`, () => {
      assert.equal(isNative(fn, word), false);
    });
  }

  test('the settings of stack traces are the same afterwards', () => {
    const before = Object.getOwnPropertyDescriptors(Error);
    isNative(end, '_implicitHeader');
    assert.deepEqual(Object.getOwnPropertyDescriptors(Error), before);
  });
});

/** Collects garbage while no tick is queued; prints whether ticks still have the hidden class of an earlier one. */
const program = (start: string): string => `
  const { createHook } = require('node:async_hooks');
  const { setTimeout } = require('node:timers/promises');
  const earlier = [];
  let newest;
  const hook = createHook({
    init(id, type, trigger, resource) {
      if (type !== 'TickObject') return;
      earlier.push(new WeakRef(resource));
      newest = resource;
    },
  });
  hook.enable();
  process.nextTick(() => {});
  ${start}
  (async () => {
    newest = undefined;
    for (let round = 0; round < 6; round++) {
      await setTimeout(1);
      gc();
    }
    process.nextTick(() => {});
    const kept = earlier.slice(0, -1).map(ref => ref.deref()).filter(tick => tick !== undefined);
    console.log(kept.some(tick => %HaveSameMap(tick, newest)));
  })();`;

const keepsTicks = (start: string): boolean => {
  const flags = ['--expose-gc', '--allow-natives-syntax', '-e', program(start)];
  const env = { ...process.env, NODE_OPTIONS: '' };
  return JSON.parse(
    execFileSync(process.execPath, flags, { cwd: __dirname, env, encoding: 'utf8' }),
  ) as boolean;
};

/** Holding one queued tick makes V8 retain the hidden class for which it has compiled `process.nextTick`. */
describe('serving/keep-tick', () => {
  it('garbage collection while nothing is queued: the next ticks have the same hidden class', () => {
    assert.equal(keepsTicks("require('ristretto');"), true);
    assert.equal(keepsTicks(''), false);
  });
});
