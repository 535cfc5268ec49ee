/**
 * Hooks, deadlines, errors and ways to respond, combined at random, over HTTP/1.1 and HTTP/2: no request ends the process or
 * stays without a response, and no response has bytes of another one, or of one that it replaced.
 *
 *     npm run proofs -- combinations
 *     DIFFERENTIAL_CASES=200 DIFFERENTIAL_SEED=7 node --require ./scripts/typescript.cjs proofs/differential/combinations.ts
 *     CASE=2604204962 node …                  only this one
 */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import http from 'node:http';
import http2 from 'node:http2';
import net from 'node:net';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { gunzipSync } from 'node:zlib';
import compression from '@ristretto/compression';
import { addResponseHook } from '@ristretto/response-hooks';
import session from '@ristretto/session';
import npmCompression from 'compression';
import npmSession from 'express-session';
import onHeaders from 'on-headers';
import web from 'ristretto';
import type { NextFunction, Request, Response } from 'ristretto';
import web5 from 'ristretto5';
import { Random, words } from '../../packages/engine/test/support/random.js';
import { LONGEST_WAIT, until } from '../../packages/engine/test/support/until.js';
import { requestLines } from '../../packages/engine/test/support/websocket.js';

type App = ReturnType<typeof web>;
type Handler = (req: Request, res: Response, next: NextFunction) => unknown;

const SEED = Number(process.env.DIFFERENTIAL_SEED ?? 20_261_129);
const CASES = Number(process.env.DIFFERENTIAL_CASES ?? 1000);

/** Every body is made of this mark of its request. */
const markOf = ({ query }: Request): string => `[${String(query.n)}]`;
const CHUNKS = 4;
const BY_ERROR_HANDLER = 'the error handler';

async function* pieces(req: Request): AsyncGenerator<string> {
  for (let i = 0; i < CHUNKS; i++) {
    yield markOf(req);
    await sleep(3);
  }
}

function sendSecond(req: Request, res: Response): void {
  try {
    res.send(markOf(req).repeat(CHUNKS));
  } catch (error) {
    assert.equal((error as NodeJS.ErrnoException).code, 'ERR_HTTP_HEADERS_SENT');
  }
}

class SlowStore extends session.MemoryStore {
  override set(id: string, data: session.SessionData, done?: (error?: unknown) => void): void {
    super.set(id, data, () => setTimeout(() => done?.(), 15));
  }
}

class SlowNpmStore extends npmSession.MemoryStore {
  override set(id: string, data: npmSession.SessionData, done?: (error?: unknown) => void): void {
    super.set(id, data, () => setTimeout(() => done?.(), 15));
  }
}

/** Ways to respond, by path. Those of `WHOLE` send all marks, or an error. */
const HANDLERS: Record<string, Handler> = {
  send: (req, res) => res.send(markOf(req).repeat(CHUNKS)),
  json: async (req, res) => {
    await sleep(2);
    res.json(markOf(req).repeat(CHUNKS));
  },
  end: (req, res) => res.end(markOf(req).repeat(CHUNKS)),
  stream: (req, res) => res.send(pieces(req)),
  pipe: (req, res) => Readable.from(pieces(req)).pipe(res),
  pipeline: (req, res) => pipeline(pieces(req), res).catch(() => undefined),
  write: (req, res) => {
    let left = CHUNKS;
    const timer = setInterval(() => {
      if (left-- > 0) {
        res.write(markOf(req));
        return;
      }
      clearInterval(timer);
      res.end();
    }, 3);
    res.on('close', () => {
      clearInterval(timer);
    });
  },
  events: async (req, res) => {
    const events = res.sse();
    await events.send(markOf(req));
    await sleep(3);
    events.close();
  },
  body: async (req, res) => {
    for await (const chunk of req) void chunk;
    res.send(markOf(req).repeat(CHUNKS));
  },
  file: (_req, res) => {
    res.sendFile(__filename);
  },
  text: (req, res) => {
    res.type('text').write(markOf(req).repeat(CHUNKS - 1));
    res.end(markOf(req));
  },
  head: (req, res) => res.writeHead(200, 'Fine', { 'X-Head': 'a' }).end(markOf(req).repeat(CHUNKS)),
  flush: async (req, res) => {
    res.type('text').flushHeaders();
    await sleep(3);
    res.end(markOf(req).repeat(CHUNKS));
  },
  unmodified: (_req, res) => res.status(304).end(),
  redirect: (_req, res) => {
    res.redirect('/elsewhere');
  },
  hints: (req, res) => res.earlyHints('</a.css>; rel=preload').send(markOf(req).repeat(CHUNKS)),
  next: (_req, _res, next) => setTimeout(() => next(new Error('failed')), 2),
  throws: () => {
    throw new Error('failed');
  },
  rejects: () => Promise.reject(new Error('failed')),
  late: async (req, res) => {
    await sleep(40);
    res.send(markOf(req).repeat(CHUNKS));
  },
  twice: (req, res) => {
    // Node's own event for what follows a response that has been sent; without a listener, it ends the process
    res.on('error', () => undefined);
    res.json(markOf(req).repeat(CHUNKS));
    res.end('second');
  },
  twiceLater: async (req, res) => {
    res.send(markOf(req).repeat(CHUNKS));
    await sleep(5);
    sendSecond(req, res);
  },
  errorAndLater: async (req, res, next) => {
    next(new Error('failed'));
    await sleep(10);
    sendSecond(req, res);
  },
  breaks: (req, res) =>
    res.send(
      (async function* () {
        yield markOf(req);
        await sleep(2);
        throw new Error('failed');
      })(),
    ),
};
const WHOLE = new Set(
  words(`send json end stream pipe pipeline write text head flush body hints late twice
  twiceLater`),
);

/** Whether the hook of a package is to fail. Beneath wrappers that have begun with the response, they would end another one. */
const failsIn = ({ query, app }: Request, hook: string): boolean =>
  query.fail === hook && app.get('wrapped') !== true;
const failing = (): never => {
  throw Object.assign(new Error('hook failed'), { status: 418 });
};
const asHandler = (act: (res: Response) => void): Handler =>
  function hooked(_req, res, next) {
    act(res);
    next();
  };

/** Middleware in front of the handlers. */
const MIDDLEWARE: readonly ((random: Random) => Handler)[] = [
  () => asHandler(res => res.onSend(() => undefined)),
  random => asHandler(res => res.onSend(() => sleep(random.between(1, 20)))),
  () => asHandler(res => res.onSend((_body, { req }) => (req.query.fail === 'sync' ? failing() : undefined))),
  () =>
    asHandler(res =>
      res.onSend(async (_body, { req }) => {
        await sleep(2);
        if (req.query.fail === 'async') failing();
      }),
    ),
  () =>
    asHandler(res => {
      addResponseHook(res, {
        head: ({ req }) => (failsIn(req as Request, 'head') ? failing() : undefined),
      });
    }),
  () =>
    asHandler(res => {
      const whole = async (): Promise<undefined> => {
        await sleep(2);
        if (failsIn(res.req, 'whole')) failing();
      };
      addResponseHook(res, { whole });
    }),
  () =>
    asHandler(res => {
      addResponseHook(res, {
        pieces: (_res, next) => ({
          write: (...args) => (failsIn(res.req, 'piece') ? failing() : next.write(...args)),
          end: (...args) => {
            next.end(...args);
          },
        }),
      });
    }),
  () => asHandler(res => res.onSend(body => (body === undefined ? undefined : `${String(body)} `))),
  random =>
    asHandler(res =>
      res.onSend(async () => {
        await sleep(random.pick([5, 25]));
        res.set('X-Signature', 'a');
      }),
    ),
  () => session({ secret: 'a', resave: true, saveUninitialized: true, store: new SlowStore() }) as never,
  () => compression({ threshold: 0 }) as never,
  random => web.deadline(random.pick([5, 15, 30])) as Handler,
  () => web.overload({ maxRequests: 1000, maxDelay: '1m' }) as Handler,
  () => web.json() as Handler,
  random => (_req, _res, next) => setTimeout(next, random.between(1, 10)),
];

/** Middleware that replaces the methods of responses. */
const WRAPPERS: readonly (() => Handler)[] = [
  () =>
    npmSession({ secret: 'a', resave: true, saveUninitialized: true, store: new SlowNpmStore() }) as never,
  () => npmCompression({ threshold: 0 }) as never,
  // As loggers of bodies do
  () =>
    asHandler(res => {
      const methods = res as unknown as Record<'write' | 'end' | 'send', (...args: unknown[]) => unknown>;
      for (const name of ['write', 'end', 'send'] as const) {
        const method = methods[name];
        methods[name] = function (...args) {
          void String(args[0]);
          return method.apply(this, args);
        };
      }
    }),
  () =>
    asHandler(res => {
      onHeaders(res, () => res.setHeader('X-Listener', 'a'));
    }),
];

function makeApp(random: Random): App {
  const make = random.pick([web, web5 as unknown as typeof web]);
  const app = make().set('env', 'test');
  if (random.chance(0.3)) app.set('error format', 'problem');
  const isWrapped = random.chance(0.4);
  app.set('wrapped', isWrapped);
  if (random.chance(0.2)) app.onSend(() => sleep(4));
  const makers = isWrapped ? [...MIDDLEWARE, ...WRAPPERS, ...WRAPPERS] : MIDDLEWARE;
  for (const middleware of random.many(0, 4, () => random.pick(makers)(random))) app.use(middleware as never);
  app.use(web.health({ checks: { database: () => sleep(2) } }));
  const target = random.chance(0.3) ? make() : app;
  for (const [name, handler] of Object.entries(HANDLERS)) target.all(`/${name}`, handler as never);
  app.ws('/socket', socket => {
    socket.close();
  });
  if (target !== app) app.use(target);
  const wait = random.pick([undefined, 0, 5]);
  const onlyEnds = random.chance(0.3);
  if (wait !== undefined)
    app.use(async (error: Error & { status?: number }, _req: Request, res: Response, next: NextFunction) => {
      if (wait > 0) await sleep(wait);
      if (res.headersSent) next(error);
      else if (onlyEnds) res.end(BY_ERROR_HANDLER);
      else res.status(error.status ?? 500).send(BY_ERROR_HANDLER);
    });
  return app;
}

interface Asked {
  name: string;
  n: number;
  method: string;
  target: string;
  body: string | undefined;
  acceptsGzip: boolean;
  range: string | undefined;
}

function makeRequest(random: Random, n: number): Asked {
  const name = random.pick([...Object.keys(HANDLERS), 'readyz', 'nowhere']);
  const fail = random.chance(0.3) ? `&fail=${random.pick(['sync', 'async', 'head', 'whole', 'piece'])}` : '';
  const body = random.pick([undefined, undefined, '', '{"a":1}', '{']);
  const method = body === undefined ? random.pick(['GET', 'GET', 'HEAD']) : 'POST';
  // An error of its output becomes an error of the compressor's stream
  const acceptsGzip = random.chance(0.5) && fail !== '&fail=piece';
  const range =
    name === 'file' ? random.pick([undefined, 'bytes=0-9', 'bytes=-10', 'bytes=9999999-']) : undefined;
  return { name, n, method, target: `/${name}?n=${n}${fail}`, body, acceptsGzip, range };
}

/** Checks what a client has received for a request. */
function check({ name, n, method, target }: Asked, status: number, text: string, isWhole: boolean): void {
  // A second response may take the place of one whose hook has failed
  if (name.startsWith('twice') && target.includes('fail=')) return;
  const marks = text.match(/\[\d+\]/g) ?? [];
  if (name !== 'file') assert.ok(marks.every(mark => mark === `[${n}]`));
  if (!isWhole || method === 'HEAD' || text.trim() === BY_ERROR_HANDLER) return;
  if (status === 206) assert.equal(text.length, 10);
  if (status === 200 && WHOLE.has(name)) {
    assert.equal(text.replaceAll('"', '').trim(), `[${n}]`.repeat(CHUNKS));
  }
  if (status >= 400) assert.deepEqual(marks, [], 'an error has no part of the response that it replaced');
}

/** Returns the content of a complete body. */
const decoded = (encoding: string | undefined, text: string): string =>
  encoding === 'gzip' ? gunzipSync(Buffer.from(text, 'latin1')).toString() : text;

interface Received {
  status: number;
  text: string;
  isWhole: boolean;
}

/** Splits what a connection has received into the responses to these requests. @throws for bytes that belong to none */
function responsesOf(received: string, requests: readonly Asked[]): Received[] {
  let rest = received;
  const responses: Received[] = [];
  const waiting = [...requests];
  while (rest !== '' && waiting.length > 0) {
    const [head, after] = splitAt(rest, '\r\n\r\n');
    const [, code] =
      /^HTTP\/1\.1 (\d{3}) /.exec(head) ?? assert.fail(`not a response: ${rest.slice(0, 200)}`);
    const status = Number(code);
    rest = after;
    if (status < 200) continue;
    const { method } = waiting.shift()!;
    const isEmpty = method === 'HEAD' || status === 204 || status === 304;
    const length = /^content-length: (\d+)$/im.exec(head)?.[1];
    let text = '';
    let isWhole = true;
    if (!isEmpty && length !== undefined) {
      text = rest.slice(0, Number(length));
      isWhole = text.length === Number(length);
      rest = rest.slice(text.length);
    } else if (!isEmpty && /^transfer-encoding: chunked$/im.test(head)) {
      for (isWhole = false; !isWhole && rest !== '';) {
        const [size, chunks] = splitAt(rest, '\r\n');
        const bytes = Number.parseInt(size, 16);
        assert.ok(bytes >= 0, `not a chunk: ${size}`);
        text += chunks.slice(0, bytes);
        rest = chunks.slice(bytes + 2);
        isWhole = bytes === 0;
      }
    } else if (!isEmpty) {
      text = rest;
      rest = '';
    }
    const encoding = /^content-encoding: (.+)$/im.exec(head)?.[1];
    responses.push({ status, text: isWhole && !isEmpty ? decoded(encoding, text) : '', isWhole });
  }
  assert.equal(rest, '', 'nothing follows the last response');
  return responses;
}

function splitAt(text: string, mark: string): [string, string] {
  const at = text.indexOf(mark);
  return at < 0 ? [text, ''] : [text.slice(0, at), text.slice(at + mark.length)];
}

/** Sends requests on one connection, perhaps pipelined, and perhaps aborts it. */
async function overHttp1(port: number, requests: readonly Asked[], random: Random): Promise<void> {
  const isUpgrade = random.chance(0.1);
  const socket = net.connect(port, '127.0.0.1').setEncoding('latin1');
  let text = '';
  socket.on('data', (piece: string) => (text += piece)).on('error', () => undefined);
  const closed = new Promise(resolve => socket.on('close', resolve));
  const bytes = requests.map(({ method, target, body, acceptsGzip, range }, at) => {
    const isLast = at === requests.length - 1 && !isUpgrade;
    const lines = [`${method} ${target} HTTP/1.1`, 'Host: a', ...(isLast ? ['Connection: close'] : [])];
    if (acceptsGzip) lines.push('Accept-Encoding: gzip');
    if (range !== undefined) lines.push(`Range: ${range}`);
    if (body === undefined) return [...lines, '', ''].join('\r\n');
    lines.push('Content-Type: application/json');
    if (random.chance(0.5)) return [...lines, `Content-Length: ${body.length}`, '', body].join('\r\n');
    const chunk = body === '' ? '' : `${body.length.toString(16)}\r\n${body}\r\n`;
    return [...lines, 'Transfer-Encoding: chunked', '', `${chunk}0\r\n\r\n`].join('\r\n');
  });
  if (isUpgrade) bytes.push([...requestLines('/socket?n=0'), '', ''].join('\r\n'));
  const isPipelined = random.chance(0.5);
  if (isPipelined) socket.write(bytes.join(''));
  else
    for (const each of bytes) {
      socket.write(each);
      await sleep(random.between(0, 30));
    }
  const aborts = random.chance(0.2);
  if (aborts) {
    await sleep(random.between(0, 20));
    if (random.chance(0.5)) socket.destroy();
    else socket.resetAndDestroy();
  } else if (isUpgrade) {
    await sleep(100);
    socket.end();
    setTimeout(() => socket.destroy(), 200);
  }
  const limit = setTimeout(() => {
    socket.destroy(new Error('hangs'));
    text = 'the requests were not responded to';
  }, LONGEST_WAIT / 4);
  await closed;
  clearTimeout(limit);
  assert.notEqual(text, 'the requests were not responded to');
  if (isUpgrade) return;
  const responses = responsesOf(text, requests);
  for (const [at, { status, text: body, isWhole }] of responses.entries())
    check(requests[at]!, status, body, isWhole && !aborts);
  // A body that fails while it is held back, or a hook that fails in one that is sent in chunks, may end the connection
  const missing = requests[responses.length];
  if (!aborts && responses.at(-1)?.isWhole === true && missing !== undefined)
    assert.match(missing.target, /breaks|fail=/, 'the connection was closed without a response');
}

/** Sends requests on one session at the same time, and perhaps resets some. */
async function overHttp2(port: number, requests: readonly Asked[], random: Random): Promise<void> {
  const session = http2.connect(`http://127.0.0.1:${port}`).on('error', () => undefined);
  try {
    await Promise.all(
      requests.map(async asked => {
        const headers = {
          ':method': asked.method,
          ':path': asked.target,
          'content-type': 'application/json',
          ...(asked.acceptsGzip && { 'accept-encoding': 'gzip' }),
          ...(asked.range !== undefined && { range: asked.range }),
        };
        const stream = session.request(headers, { endStream: asked.body === undefined });
        if (asked.body !== undefined) stream.end(asked.body);
        let status = 0;
        let text = '';
        let encoding: string | undefined;
        stream.on('response', fields => {
          status = fields[':status']!;
          encoding = fields['content-encoding'] as string | undefined;
        });
        stream.setEncoding('latin1').on('data', (piece: string) => (text += piece));
        stream.on('error', () => undefined);
        const resets = random.chance(0.1);
        if (resets) setTimeout(() => stream.close(http2.constants.NGHTTP2_CANCEL), random.between(0, 20));
        const limit = setTimeout(() => stream.destroy(new Error('hangs')), LONGEST_WAIT / 4);
        await new Promise(resolve => stream.on('close', resolve));
        clearTimeout(limit);
        if (resets) return;
        // A hook that fails after `writeHead` resets the stream
        if (!/breaks|head.*fail=/.test(asked.target))
          assert.notEqual(status, 0, 'the request was not responded to');
        const isWhole = stream.rstCode === http2.constants.NGHTTP2_NO_ERROR;
        check(asked, status, isWhole && asked.method !== 'HEAD' ? decoded(encoding, text) : '', isWhole);
      }),
    );
  } finally {
    session.destroy();
  }
}

async function run(seed: number): Promise<void> {
  const random = new Random(seed);
  const isHttp2 = random.chance(0.3);
  const app = makeApp(random);
  const server = isHttp2 ? http2.createServer(app as never) : http.createServer(app);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  try {
    const clients = random.many(1, 4, () => random.many(1, 3, at => makeRequest(random, at + 1)));
    const ask = isHttp2 ? overHttp2 : overHttp1;
    await Promise.all(clients.map(requests => ask(port, requests, new Random(random.seed()))));
    let open = -1;
    await until(() => {
      server.getConnections((_error, count) => (open = count));
      return open === 0;
    });
  } finally {
    server.close();
  }
}

describe('combinations', () => {
  test(`of middleware, handlers, errors and clients: ${CASES} with seed ${SEED}`, async () => {
    const random = new Random(SEED);
    const seeds =
      process.env.CASE === undefined ? random.many(CASES, CASES, () => random.seed()) : [+process.env.CASE];
    let seed = 0;
    // The test fails by the exception itself, which does not tell its case
    const tell = (): void => void process.stderr.write(`in case ${seed}\n`);
    process.on('uncaughtExceptionMonitor', tell);
    for (seed of seeds) {
      try {
        await run(seed);
      } catch (error) {
        throw new Error(`case ${seed}: ${(error as Error).message}`, { cause: error });
      }
    }
    process.off('uncaughtExceptionMonitor', tell);
  });
});
