/**
 * Whole requests: bytes on a new connection to a server that uses most of the API. The server must send a sequence of
 * whole responses, none of them 5xx except 501 and 505, and close the connection.
 */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import http from 'node:http';
import net from 'node:net';
import os from 'node:os';
import path from 'node:path';
import type { ErrorRequestHandler, Request, RequestHandler, Response } from 'express';
import type { Web } from '../../packages/engine/test/support/oracle.js';
import { sameRequest } from './same-request.js';
import type { Target } from './target.js';
import { words } from '../../packages/engine/test/support/random.js';

const STATUS = /^HTTP\/1\.1 (\d{3}) [\x20-\x7e\x80-\xff]*$/;
const FIELD = /^[!#$%&'*+.^_`|~\w-]+: ?[\t\x20-\x7e\x80-\xff]*$/;

/**
 * Asserts that the bytes are responses, none with a status of 500 or above except 501 and 505.
 * @param sent the requests, to determine whether a response may belong to HEAD
 */
function assertAnswers(bytes: Buffer, sent: string): void {
  let at = 0;
  while (at < bytes.length) {
    const end = bytes.indexOf('\r\n\r\n', at);
    assert.ok(end >= 0, 'a header block without an end');
    const [first = '', ...fields] = bytes.toString('latin1', at, end).split('\r\n');
    const status = Number(STATUS.exec(first)?.[1]);
    assert.ok(status >= 100 && (status < 500 || status === 501 || status === 505), first);
    for (const field of fields) assert.match(field, FIELD);
    at = end + 4;
    if (status >= 200) at = endOfBody(bytes, at, status, fields, sent);
  }
}

function endOfBody(bytes: Buffer, from: number, status: number, fields: string[], sent: string): number {
  if (status === 204 || status === 304) return from;
  const valueOf = (name: string): string | undefined =>
    fields
      .find(field => field.toLowerCase().startsWith(`${name}:`))
      ?.slice(name.length + 1)
      .trim();
  // The headers of a response to HEAD describe a body that is not sent
  const isNext = bytes.length === from || bytes.toString('latin1', from, from + 9) === 'HTTP/1.1 ';
  if (isNext && sent.includes('HEAD')) return from;
  if (valueOf('transfer-encoding') === 'chunked') return endOfChunks(bytes, from);
  const length = valueOf('content-length');
  if (length === undefined) return bytes.length;
  const end = from + Number(length);
  assert.ok(end <= bytes.length, `${bytes.length - from} bytes of ${length}`);
  return end;
}

function endOfChunks(bytes: Buffer, from: number): number {
  for (let at = from; ;) {
    const line = bytes.indexOf('\r\n', at);
    assert.ok(line >= 0, 'a chunk without a size');
    const size = Number.parseInt(bytes.toString('latin1', at, line), 16);
    assert.ok(size >= 0, 'a size that is no number');
    at = line + 2 + size + 2;
    assert.ok(at <= bytes.length, 'a chunk that is cut off');
    if (size === 0) return at;
  }
}

type App = ReturnType<Web>;

/** Paths in the syntax of the framework's version. */
interface Paths {
  /** A user's `:id`, and an optional `rest`. */
  rest: string;
  /** `:from`, `:to` and `:format` in one segment. */
  pair: string;
}

/** Must not occur in any response. */
const SECRET = 'top-secret';

/** A low limit, so that short texts exceed it. */
const MOST_HEADERS = 10;

/** The framework to fuzz, and the oracle that reads the same requests. */
interface Frameworks {
  web: Web;
  oracle: Web;
}

const SETTINGS = { env: 'test', 'trust proxy': true, 'query parser': 'extended' };
/** The settings without trusted proxies. */
const PLAIN = { ...SETTINGS, 'trust proxy': false };

/** Wraps a handler: records errors that are wrong whatever the input, and passes them on. */
type Noting = (handler: (req: Request, res: Response) => void) => RequestHandler;

function makeApp({ web, oracle }: Frameworks, paths: Paths, home: string, noting: Noting): App {
  const app = withSettings(web(), SETTINGS);
  app.use('/files', web.static(path.join(home, 'public')) as never);
  app.use(web.json({ limit: 500 }) as never, web.urlencoded({ extended: true, limit: 500 }) as never);
  app.use(web.text({ limit: 500 }) as never, web.raw({ limit: 500 }) as never);
  app.use('/admin', (_req, res) => void res.status(403).send('guarded'));
  app.get('/admin/secret', (_req, res) => void res.send(SECRET));
  app.all('/echo', noting(echo(sameRequest(oracle, SETTINGS))));
  app.use('/plain', withSettings(web(), PLAIN).all('/echo', noting(echo(sameRequest(oracle, PLAIN)))));
  app.get(paths.rest, (req, res) => void res.send(req.params));
  app.get(paths.pair, (req, res) => void res.jsonp(req.params));
  app.get('/jsonp', (req, res) => void res.jsonp(req.query));
  addNames(app, home);
  return app;
}

function withSettings(app: App, settings: Record<string, unknown>): App {
  for (const [name, value] of Object.entries(settings)) app.set(name, value);
  return app;
}

/** Asserts that the request matches the oracle's, and sends its members. */
function echo(assertAsOracle: (req: Request) => void): (req: Request, res: Response) => void {
  return (req, res) => {
    assertNothingHidden(req);
    assertAsOracle(req);
    const { query, body, ip, hostname, path } = req as Request & { body: unknown };
    res.json({ query, body, ip, hostname, path });
  };
}

/** Adds routes that put input into headers, which may be rejected. */
function addNames(app: App, home: string): void {
  app.get('/redirect', (req, res) => void res.redirect(String(req.query.to)));
  app.get('/back', (_req, res) => void res.redirect('back'));
  app.get(
    '/cookie',
    (req, res) => void res.cookie('a', String(req.query.a)).attachment(String(req.query.name)).end(),
  );
  app.get('/download', (req, res, next) => {
    res.download(path.join(home, 'public/file.txt'), String(req.query.name), error => {
      if (error && !res.headersSent) next(error);
    });
  });
  const refuse: ErrorRequestHandler = (error: unknown, _req, res, next) => {
    if (error instanceof TypeError) res.status(422).end();
    else next(error);
  };
  app.use(['/cookie', '/download', '/redirect'], refuse as never);
}

/** If Node has dropped headers, no unread body may have passed the parsers. */
function assertNothingHidden(req: Request): void {
  const { headers, rawHeaders, complete, readableLength } = req;
  const announced = headers['content-length'] ?? headers['transfer-encoding'];
  if (rawHeaders.length < 2 * MOST_HEADERS || announced !== undefined) return;
  assert.ok(complete && readableLength === 0, 'a hidden body');
}

/** Sends the bytes and ends the connection; resolves with everything received until the server closes. */
function exchange(address: string, bytes: Buffer): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    const socket = net.connect({ path: address });
    socket.setTimeout(5000, () => socket.destroy(new Error('no end after 5 s')));
    socket.on('data', chunk => chunks.push(chunk));
    socket.on('error', (error: NodeJS.ErrnoException) => {
      // These bytes arrived after the server had closed
      if (error.code !== 'EPIPE' && error.code !== 'ECONNRESET') reject(error);
    });
    socket.on('close', () => resolve(Buffer.concat(chunks)));
    socket.end(bytes);
  });
}

const get = (target: string, fields = ''): string => `GET ${target} HTTP/1.1\r\nHost: x\r\n${fields}\r\n`;
const post = (type: string, body: string): string =>
  `POST /echo HTTP/1.1\r\nHost: x\r\nContent-Type: ${type}\r\nContent-Length: ${body.length}\r\n\r\n${body}`;

const SEEDS = [
  get('/echo?a[b]=c&d=1', 'X-Forwarded-For: 1.1.1.1, 2.2.2.2\r\nAccept: text/html;q=0.5\r\n'),
  get('/files/file.txt', 'Range: bytes=0-2\r\nIf-None-Match: "x"\r\n'),
  get('/files/../secret.txt'),
  get('/files//file.txt?x') + get('/files/./%66ile.txt') + get('/files//dir/'),
  get('/files/dir') + get('/admin/secret') + get('//admin/secret'),
  get('/users/1/2/3?x') + get('/a-b.json?callback=f'),
  get('/redirect?to=//x', 'Accept: text/html\r\n') + get('/back', 'Referer: //x\r\n'),
  get('/jsonp?callback=a.b') + get('/range', 'Range: bytes=1-,5-9\r\n') + get('/cookie?a=b&name=%E2%82%AC'),
  get('http://y/echo', 'X-Forwarded-Host: z, y\r\nX-Forwarded-Proto: https\r\n'),
  get('/plain/echo?a=b+c&d=%41', 'X-Forwarded-Host: z\r\nX-Forwarded-For: 1.1.1.1\r\n'),
  get('/echo?a=b+c', 'Accept: a/b;c="d,e";q=0.1, */*\r\nAccept-Language: de-AT, de;q=0.5\r\n'),
  get(
    '/echo',
    'Accept-Encoding: br;q=1.0, *;q=0.5\r\nAccept-Charset: utf-8;q=0.1, *;q=0\r\nRange: bytes=1-\r\n',
  ),
  post('application/json', '{"a":[1]}') + get('/echo'),
  post('application/x-www-form-urlencoded', 'a[]=1&b=2'),
  `POST /echo HTTP/1.1\r\nHost: x\r\n${'A: b\r\n'.repeat(MOST_HEADERS)}Content-Length: 3\r\n\r\na=b`,
  'POST /echo HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\nContent-Type: text/plain\r\n\r\n3\r\nabc\r\n0\r\n\r\n',
  'POST /echo HTTP/1.1\r\nHost: x\r\nContent-Encoding: gzip\r\nContent-Type: text/plain; charset=utf-16\r\nContent-Length: 2\r\n\r\n\x1f\x8b',
  'HEAD /files/file.txt HTTP/1.1\r\nHost: x\r\n\r\nOPTIONS /users/1 HTTP/1.1\r\nHost: x\r\n\r\n',
  'GET /download?name=x HTTP/1.0\r\n\r\n',
];

const DICTIONARY = [
  ...[
    ...['\r\n', '\r\n\r\n', ' HTTP/1.1\r\n', 'GET ', 'POST ', 'HEAD ', 'OPTIONS ', 'PUT ', 'TRACE '],
    ...['Host: x\r\n', 'Content-Length: 5\r\n'],
    'A: b\r\n'.repeat(8),
  ],
  ...[
    'Transfer-Encoding: chunked\r\n',
    'Expect: 100-continue\r\n',
    'Connection: close\r\n',
    'Connection: keep-alive\r\n',
    'Upgrade: x\r\n',
  ],
  ...[
    'Range: bytes=0-',
    'If-Range: ',
    'If-None-Match: *\r\n',
    'If-Match: ',
    'If-Modified-Since: ',
    'Cache-Control: no-cache\r\n',
  ],
  ...[
    ...['X-Forwarded-For: ', 'X-Forwarded-Host: ', 'X-Forwarded-Proto: '],
    ...['X-Requested-With: XMLHttpRequest\r\n', 'Accept: ', 'Accept-Charset: ', 'Accept-Encoding: '],
    ...['Accept-Language: ', ';q=', '; Q = "0.5"', ', ', ':80', '*/*', '[::1]', '%C3%A9', '+'],
  ],
  ...[
    'Content-Type: application/json\r\n',
    'Content-Encoding: br\r\n',
    ...words('/echo /plain/echo /files/ /admin/secret /users/ /redirect?to='),
  ],
  ...[
    ...['%', '%2e%2e', '%00', '%2F', '//', '/..', '\\', '?', '&', '[', ']', '__proto__', '=', ';', ',', '"'],
    ...['0\r\n\r\n', '5\r\n', '\xff'],
  ],
];

/** Returns the target of a framework. @param oracle the framework that reads the same requests */
export function requestTarget(web: unknown, oracle: unknown, paths: Paths): Target {
  const home = fs.mkdtempSync(path.join(os.tmpdir(), 'fuzz-'));
  fs.mkdirSync(path.join(home, 'public/dir'), { recursive: true });
  fs.writeFileSync(path.join(home, 'public/file.txt'), 'public');
  fs.writeFileSync(path.join(home, 'secret.txt'), SECRET);
  const address = path.join(home, 'socket');
  let problem: unknown;
  const noting: Noting = handler => (req, res) => {
    try {
      handler(req, res);
    } catch (error) {
      problem = error;
      throw error;
    }
  };
  const frameworks = { web: web as Web, oracle: oracle as Web };
  const server = http.createServer(makeApp(frameworks, paths, home, noting));
  server.maxHeadersCount = MOST_HEADERS;
  const listening = new Promise<void>(resolve => server.listen(address, resolve));
  return {
    maxLength: 4096,
    cost: 3,
    limit: 1000,
    seeds: SEEDS,
    dictionary: DICTIONARY,
    async run(text) {
      await listening;
      problem = undefined;
      const bytes = await exchange(address, Buffer.from(text, 'latin1'));
      if (problem !== undefined) throw problem;
      const responses = bytes.toString('latin1');
      assert.ok(!responses.includes(SECRET), 'a secret');
      // If a pipelined request expects 100-continue, Node may send 100 Continue in the middle of its later response.
      if (!responses.includes('100 Continue')) assertAnswers(bytes, text);
    },
    async close() {
      server.closeAllConnections();
      await new Promise(resolve => server.close(resolve));
      fs.rmSync(home, { recursive: true, force: true });
    },
  };
}
