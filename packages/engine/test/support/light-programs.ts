/**
 * Programs for light exchanges: handlers and clients of every kind on one connection, and a transcript of everything that
 * the server's messages and the client observe. The same program runs with light exchanges and with Node's own.
 */
import { createServer } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import net from 'node:net';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import type { Random } from './random.js';

/** The framework under test; its applications are listeners. */
type Web = (() => Application) & { json(): unknown };
interface Application {
  (req: IncomingMessage, res: ServerResponse): void;
  disable(name: string): unknown;
  set(name: string, value: unknown): Application;
  use(...handlers: unknown[]): unknown;
}

export interface Step {
  method: string;
  /** The name of a handler. */
  handler: string;
  /** How long the handler waits first. */
  waits: keyof typeof waiting;
  body: 'none' | 'length' | 'chunks';
  /** Whether listeners are added to both messages. */
  listens: boolean;
}

export interface Program {
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
export const handlers: Record<string, Handler> = {
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
  detaches: (req, res) => {
    const { socket } = req;
    res.detachSocket(socket);
    socket.end('HTTP/1.1 200 OK\r\nConnection: close\r\n\r\nraw');
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

/** What differs by nature: a cache of `headers`, identities, counters of asynchronous calls, and the timer of an idle connection. */
const UNSTABLE = /^(?:Symbol\(kHeaders\)|_idle\w*|_onPendingData|timeout|asyncId|triggerId|_handle|domain)$/;

function shownValue(value: unknown): unknown {
  if (typeof value === 'function') return 'function';
  if (typeof value === 'string') return value.replace(/Date: [^\r]*/, 'Date: now');
  if (typeof value !== 'object' || value === null) return typeof value === 'bigint' ? String(value) : value;
  if (Array.isArray(value)) return ['array', value.length];
  const name = (value as object).constructor as { name?: string } | undefined;
  return `object ${name?.name ?? 'null'}`;
}

/** Returns every own property of an object, in order, and the values of the getters that it inherits from Node. */
export function propertiesOf(object: object): unknown[] {
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
export async function run(web: unknown, program: Program, isLight: boolean): Promise<unknown> {
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
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
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
export function generate(random: Random): Program {
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
