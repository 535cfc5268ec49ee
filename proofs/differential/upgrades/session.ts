/**
 * Compares what connections with several pipelined requests get, each perhaps with an upgrade, `Expect`, a body, an error
 * or an abort, cut into pieces at any position.
 *
 * The oracle is a server of Express without a listener for upgrades, which responds to all requests in their order. A
 * handshake of a WebSocket gets what it gets alone from Express with `ws`, in its turn; on a path without a socket, the
 * oracle's response, after which the connection ends.
 */
import '../quiet.js';
import { once } from 'node:events';
import http from 'node:http';
import net from 'node:net';
import type { AddressInfo } from 'node:net';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { setImmediate as turn } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import express4 from 'express';
import web4 from 'ristretto';
import { WebSocketServer } from 'ws';
import { frame, KEY } from '../../../packages/engine/test/support/websocket.js';
import { Random } from '../../../packages/engine/test/support/random.js';
import { PATIENCE, parse, requestBytes } from '../wire.js';

export interface Ask {
  method: string;
  target: string;
  headers: [string, string][];
  body?: string;
  chunked?: boolean;
}

/** What a client does on one connection. */
export interface Case {
  asks: Ask[];
  /** How our server gets its requests: its application is the listener, or called by one. */
  isWrapped: boolean;
  /** Whether the first message of a WebSocket is sent with its handshake. */
  isEager: boolean;
  /** The positions of the bytes at which the client waits for the server. */
  cuts: number[];
  /** The position at which the client disconnects. */
  abort?: number;
}

export interface Finding {
  /** `--cases 1 --seed <number>` runs it again. */
  seed: number;
  shrunk: Case;
  difference: Difference;
}

interface Difference {
  what: string;
  ours: unknown;
  theirs: unknown;
}

interface Session {
  cases: number;
  seed: number;
  most?: number | undefined;
  self?: boolean | undefined;
  /** The version of Express. */
  express?: string | undefined;
  onFinding?: ((finding: Finding) => void) | undefined;
}

const UPGRADES = ['websocket', 'WebSocket', 'h2c', 'TLS/1.0, x'];
/** Paths whose responses are complete when the request has been read. */
const AT_ONCE = ['/now', '/missing', '/fail', '/now?close'];
const TARGETS = [...AT_ONCE, '/later', '/later', '/pieces', '/body', '/slow-body', '/destroy', '/ws', '/ws'];

const isUpgrade = ({ headers }: Ask): boolean =>
  headers.some(([name, value]) => name === 'Upgrade' && /^websocket$/i.test(value));
const isHandshake = (ask: Ask): boolean => ask.method === 'GET' && isUpgrade(ask);
const opensSocket = (ask: Ask): boolean => isHandshake(ask) && ask.target === '/ws';

/** Whether nothing may follow: after a handshake, or a request that closes the connection. */
export const isLast = (ask: Ask): boolean =>
  /destroy|close/.test(ask.target) ||
  isHandshake(ask) ||
  ask.headers.some(header => header.join() === 'Connection,close');

function makeAsk(random: Random): Ask {
  const target = random.pick(TARGETS);
  const method = target === '/ws' ? 'GET' : random.pick(['GET', 'GET', 'GET', 'HEAD', 'POST', 'PUT']);
  const headers: Ask['headers'] = [];
  const upgrade = random.chance(target === '/ws' ? 0.8 : 0.3) ? random.pick(UPGRADES) : undefined;
  if (upgrade !== undefined) {
    headers.push(['Connection', random.pick(['Upgrade', 'keep-alive, upgrade', 'Upgrade, HTTP2-Settings'])]);
    headers.push(['Upgrade', upgrade]);
    if (upgrade === 'h2c') headers.push(['HTTP2-Settings', 'AAMAAABkAAQAAP__']);
    else headers.push(['Sec-WebSocket-Key', KEY], ['Sec-WebSocket-Version', '13']);
  } else if (random.chance(0.05)) {
    headers.push(['Connection', 'close']);
  }
  const ask: Ask = { method, target, headers };
  if (isHandshake(ask) || method === 'HEAD' || !random.chance(method === 'GET' ? 0.1 : 0.8)) return ask;
  if (random.chance(0.2)) headers.push(['Expect', '100-continue']);
  return { ...ask, body: 'b'.repeat(random.pick([0, 1, 30, 3000])), chunked: random.chance(0.3) };
}

export function makeCase(seed: number): Case {
  const random = new Random(seed);
  const made = random.many(1, 5, () => makeAsk(random));
  // How Node ends a response that is destroyed in its queue depends on the version.
  for (const ask of made.slice(1)) if (ask.target === '/destroy') ask.target = '/now';
  const last = made.findIndex(isLast);
  const asks = last < 0 ? made : made.slice(0, last + 1);
  const { length } = bytesOf(asks);
  return {
    asks,
    isEager: random.chance(0.3),
    isWrapped: random.chance(0.3),
    cuts: random.many(0, 3, () => random.between(1, length - 1)),
    ...(random.chance(0.15) && { abort: random.between(1, length) }),
  };
}

const bytesOf = (asks: Ask[]): Buffer => Buffer.concat(asks.map(ask => requestBytes(ask)));

type Handle = (req: IncomingMessage & { path: string }, res: ServerResponse) => void;
interface App {
  (req: IncomingMessage, res: ServerResponse): void;
  set(name: string, value: unknown): App;
  all(path: string, handle: Handle): App;
  use(
    handle: Handle | ((error: unknown, req: IncomingMessage, res: ServerResponse, next: unknown) => void),
  ): App;
  ws?(
    path: string,
    open: (socket: {
      on: (event: string, listener: (data: Buffer) => void) => void;
      send: (data: string) => void;
    }) => void,
  ): void;
}

/** Builds the same application on each framework. */
function build(make: () => App): App {
  const app = make();
  app.set('env', 'test').set('x-powered-by', false);
  const send = (res: unknown, text: string): void =>
    void (res as { send: (text: string) => void }).send(text);
  app.all('/now', (req, res) => {
    if (req.url!.endsWith('?close')) res.setHeader('Connection', 'close');
    send(res, 'now');
  });
  app.all('/later', (_req, res) => void setTimeout(send, 2, res, 'later'));
  app.all('/pieces', (_req, res) => {
    let left = 3;
    const write = (): void => {
      if (left-- === 0) res.end('end');
      else if (res.write('p'.repeat(100_000))) setImmediate(write);
      else res.once('drain', write);
    };
    write();
  });
  const read = (req: IncomingMessage, res: unknown): void => {
    let text = '';
    req
      .on('data', piece => (text += String(piece)))
      .on('end', () => {
        send(res, `body ${text}`);
      });
  };
  app.all('/body', read);
  app.all('/slow-body', (req, res) => void setTimeout(read, 2, req, res));
  app.all('/fail', () => {
    throw new Error('failed');
  });
  app.ws?.('/ws', socket => {
    socket.on('message', data => {
      socket.send(String(data));
    });
  });
  app.all('/destroy', (_req, res) => void setImmediate(() => res.destroy()));
  const missing: Handle = (_req, res) => {
    res.statusCode = 404;
    send(res, 'missing');
  };
  app.use(missing);
  app.use((_error, _req, res: ServerResponse, _next) => {
    res.statusCode = 500;
    send(res, 'failed');
  });
  return app;
}

/** The frameworks of a version. */
function frameworks(version: string): { ours: () => App; theirs: () => App } {
  const load = (name: string): (() => App) => {
    const loaded = require(name) as (() => App) & { default?: () => App };
    return loaded.default ?? loaded;
  };
  if (version === '4')
    return { ours: web4 as unknown as () => App, theirs: express4 as unknown as () => App };
  return { ours: load(`ristretto${version}`), theirs: load(`express${version}`) };
}

/** Everything that a connection received. */
interface Received {
  responses: unknown[];
  /** What is no complete response. */
  rest: string;
  /** Whether a message was echoed by the WebSocket at the end; undefined if there is none. */
  echoed?: boolean;
  isClosed: boolean;
}

export class Upgrades {
  private readonly servers: http.Server[] = [];
  private ports: Record<'direct' | 'wrapped' | 'oracle' | 'ws', number> | undefined;
  private crash: unknown;
  private readonly crashed = (error: unknown): void => {
    this.crash ??= error;
  };

  constructor(
    private readonly version = '4',
    private readonly self = false,
  ) {}

  async start(): Promise<void> {
    process.on('uncaughtException', this.crashed);
    const { ours, theirs } = frameworks(this.version);
    const listen = async (server: http.Server): Promise<number> => {
      this.servers.push(server);
      // A busy machine must not appear as an idle connection.
      server.keepAliveTimeout = 60_000;
      server.on('connection', (connection: net.Socket) => {
        const { remotePort } = connection;
        connections.set(remotePort, connection);
        connection.on('close', () => connections.delete(remotePort));
      });
      server.listen(0, '127.0.0.1');
      await once(server, 'listening');
      return (server.address() as AddressInfo).port;
    };
    const app = build(ours);
    const ws = http.createServer(build(theirs));
    new WebSocketServer({ server: ws }).on('connection', socket => {
      socket.on('message', data => {
        socket.send(String(data as Buffer));
      });
    });
    this.ports = {
      direct: await listen(http.createServer(app)),
      wrapped: await listen(
        http.createServer((req, res) => {
          app(req, res);
        }),
      ),
      oracle: await listen(http.createServer(build(theirs))),
      ws: await listen(ws),
    };
    // A wrapped application is known from its first request on.
    for (const port of [this.ports.direct, this.ports.wrapped]) await this.isServing(port);
  }

  async stop(): Promise<void> {
    for (const server of this.servers) {
      server.closeAllConnections();
      await new Promise(resolve => server.close(resolve));
    }
    process.off('uncaughtException', this.crashed);
  }

  private async isServing(port: number): Promise<boolean> {
    const asks = [{ method: 'GET', target: '/now', headers: [] }];
    const { responses } = await exchange(port, { asks, isWrapped: false, isEager: false, cuts: [] });
    return responses.length === 1;
  }

  /** Returns how our responses differ from the expected ones. */
  async difference(one: Case): Promise<Difference | undefined> {
    const { direct, wrapped, oracle } = this.ports!;
    const port = this.self ? oracle : one.isWrapped ? wrapped : direct;
    this.crash = undefined;
    const expected = one.abort === undefined ? await this.expected(one) : undefined;
    const received = await exchange(port, one, expected);
    await turn();
    if (this.crash !== undefined) {
      return { what: 'crash', ours: String((this.crash as Error).stack), theirs: undefined };
    }
    if (expected !== undefined) {
      if (isDeepStrictEqual(received, expected)) return undefined;
      return { what: 'responses', ours: received, theirs: expected };
    }
    return (await this.isServing(port)) ? undefined : { what: 'serving', ours: 'silent', theirs: undefined };
  }

  private async expected({ asks, ...rest }: Case): Promise<Received> {
    const { oracle, ws } = this.ports!;
    const at = asks.findIndex(isHandshake);
    const last = at < 0 ? undefined : asks[at]!;
    const opens = last !== undefined && opensSocket(last);
    const before = last === undefined ? asks : asks.slice(0, opens ? at : at + 1);
    const plain = before.length > 0 ? await exchange(oracle, { ...rest, asks: before }) : undefined;
    const { responses = [], rest: left = '', isClosed = false } = plain ?? {};
    if (last === undefined || isClosed) return { responses, rest: left, isClosed };
    if (!opens) {
      if (responses.length < before.length) return { responses, rest: left, isClosed };
      const response = responses.pop() as { fields: string[] };
      const fields = response.fields.map(line => (/^connection:/i.test(line) ? 'Connection: close' : line));
      responses.push({ ...response, fields: fields.filter(line => !/^keep-alive:/i.test(line)) });
      return { responses, rest: left, isClosed: true };
    }
    const opened = await exchange(ws, { ...rest, asks: [last], cuts: [] });
    return { ...opened, responses: [...responses, ...opened.responses] };
  }
}

/**
 * Returns the positions of the ends of all pieces. Node loses what follows a request whose upgrade it ignores in the same
 * piece.
 */
function piecesOf(asks: Ask[], cuts: number[], end: number): number[] {
  let at = 0;
  const ends = asks.flatMap(ask => {
    at += requestBytes(ask).length;
    return ask.headers.some(([name]) => name === 'Upgrade') && !isHandshake(ask) ? at : [];
  });
  return [...new Set([...cuts, ...ends, end])].filter(cut => cut <= end).sort((a, b) => a - b);
}

const ECHO = frame(0x81, 'echo');

/** The connections of the servers, by the port of their client. */
const connections = new Map<number | undefined, net.Socket>();

/** Waits until the server has read this number of bytes, if it reads on. */
async function whenRead(port: number | undefined, count: number): Promise<void> {
  const started = performance.now();
  while ((connections.get(port)?.bytesRead ?? 0) < count && performance.now() - started < 50) await turn();
  await turn();
}

const ECHOED = '\x81\x04echo';

/** A connection that sends the requests of a case, and reads their responses. */
class Client {
  private readonly socket: net.Socket;
  private readonly patience = AbortSignal.timeout(PATIENCE);
  private readonly received: Received = { responses: [], rest: '', isClosed: false };
  private text = '';
  private isOpened = false;
  private wake = (): void => undefined;

  constructor(
    port: number,
    private readonly one: Case,
  ) {
    this.socket = net.connect({ port, host: '127.0.0.1', noDelay: true, allowHalfOpen: true });
    this.socket.setEncoding('latin1').on('data', (piece: string) => {
      this.text += piece;
      this.wake();
    });
    const ended = (): void => {
      this.received.isClosed = true;
      this.socket.destroy();
      this.wake();
    };
    this.socket.on('error', ended).on('end', ended).on('close', ended);
    this.patience.addEventListener('abort', () => {
      this.wake();
    });
  }

  async send(): Promise<void> {
    const { socket } = this;
    const { asks, cuts, abort, isEager } = this.one;
    await once(socket, 'connect');
    const hasSocket = asks.some(opensSocket);
    const bytes = Buffer.concat([bytesOf(asks), ...(isEager && hasSocket ? [ECHO] : [])]);
    const end = abort ?? bytes.length;
    let from = 0;
    for (const to of piecesOf(asks, cuts, end)) {
      if (!socket.destroyed) socket.write(bytes.subarray(from, to));
      from = to;
      if (to < end || abort !== undefined) await whenRead(socket.localPort, to);
    }
    if (abort !== undefined) socket.resetAndDestroy();
  }

  /** Reads until as much has come as expected: by default, a response to each request. */
  async read(expected: Partial<Received> = {}): Promise<Received> {
    const { received, socket, one } = this;
    const { responses = one.asks, isClosed = false } = expected;
    for (;;) {
      this.readResponses();
      const isComplete = received.responses.length >= responses.length && !isClosed && !this.closes();
      if (isComplete || this.isOver() || this.isOpened) break;
      await this.news();
    }
    if (this.isOpened) {
      if (!one.isEager) socket.write(ECHO);
      while (!this.text.includes(ECHOED) && !this.isOver()) await this.news();
      received.echoed = this.text.includes(ECHOED);
      Object.assign(received, { isClosed: false, rest: '' });
    }
    socket.destroy();
    return { ...received };
  }

  private isOver(): boolean {
    return this.received.isClosed || this.patience.aborted;
  }

  private news(): Promise<void> {
    return new Promise(resolve => (this.wake = resolve));
  }

  private closes(): boolean {
    const last = this.received.responses.at(-1) as { fields: string[] } | undefined;
    return last?.fields.includes('Connection: close') === true;
  }

  private readResponses(): void {
    const { received, one } = this;
    const responses: unknown[] = [];
    // Node sends 100 Continue at once, even in the middle of an earlier response.
    const text = this.text.replaceAll('HTTP/1.1 100 Continue\r\n\r\n', '');
    let at = 0;
    while (responses.length < one.asks.length && !this.isOpened) {
      const found = parse(text.slice(at), one.asks[responses.length]!.method, received.isClosed);
      if (found === undefined) break;
      at += found.length;
      const { status, fields, body } = found.answer;
      this.isOpened = status.startsWith('HTTP/1.1 101');
      const lines = fields
        .filter(([name]) => name !== 'Date')
        // Express 3 has another algorithm for entity tags.
        .map(([name, value]) => (name === 'ETag' ? name : `${name}: ${value}`));
      responses.push({ status, fields: lines, body });
    }
    received.responses = responses;
    received.rest = text.slice(at);
  }
}

async function exchange(port: number, one: Case, expected?: Received): Promise<Received> {
  const client = new Client(port, one);
  await client.send();
  return client.read(expected);
}

/** Removes what the difference does not need. */
async function shrink(one: Case, differs: (smaller: Case) => Promise<boolean>): Promise<Case> {
  let best = one;
  const smaller = (): Case[] => [
    ...best.asks.map((_, at) => ({ ...best, asks: best.asks.toSpliced(at, 1), cuts: [] })),
    ...best.cuts.map((_, at) => ({ ...best, cuts: best.cuts.toSpliced(at, 1) })),
    ...(best.isWrapped ? [{ ...best, isWrapped: false }] : []),
  ];
  for (;;) {
    let next: Case | undefined;
    for (const candidate of smaller()) {
      if (candidate.asks.length > 0 && (await differs(candidate))) next = candidate;
      if (next !== undefined) break;
    }
    if (next === undefined) return best;
    best = next;
  }
}

/** Runs the session. Returns the differences that occurred twice. */
export async function runSession({
  cases,
  seed,
  most = 10,
  self,
  express,
  onFinding,
}: Session): Promise<Finding[]> {
  const upgrades = new Upgrades(express, self);
  await upgrades.start();
  const findings: Finding[] = [];
  const seeds = new Random(seed);
  for (let index = 0; index < cases && findings.length < most; index++) {
    const caseSeed = cases === 1 ? seed : seeds.seed();
    const one = makeCase(caseSeed);
    const first = await upgrades.difference(one);
    if (first === undefined) continue;
    const differs = async (smaller: Case): Promise<boolean> =>
      (await upgrades.difference(smaller))?.what === first.what;
    if (!(await differs(one))) continue;
    const shrunk = await shrink(one, differs);
    const finding = { seed: caseSeed, shrunk, difference: (await upgrades.difference(shrunk)) ?? first };
    findings.push(finding);
    onFinding?.(finding);
  }
  await upgrades.stop();
  return findings;
}

/** Returns a finding as text. */
export function report({ seed, shrunk, difference }: Finding): string {
  return [
    `── case ${seed}: ${difference.what} differ: npm run differential -- --family upgrades --cases 1 --seed ${seed}`,
    JSON.stringify(shrunk),
    `ours:     ${JSON.stringify(difference.ours, null, 1)}`,
    `expected: ${JSON.stringify(difference.theirs, null, 1)}`,
  ].join('\n');
}
