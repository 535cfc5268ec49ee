/**
 * HTTP/2 frames on a new connection, in any order, to a server in this process. There must be no uncaught error, no
 * response that contains a secret or is 5xx, and a new session must be served afterwards.
 *
 * A text is a list of frames, one per line: type, flags, stream and payload. A HEADERS or CONTINUATION payload that
 * consists of `name: value` pairs, separated by `|`, is encoded as HPACK literals; any other payload is sent unchanged.
 */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import http2 from 'node:http2';
import net from 'node:net';
import os from 'node:os';
import path from 'node:path';
import web from 'ristretto';
import { frame, OPENING, parseFrames, request } from '../../../packages/engine/test/support/http2-frames.js';
import type { Target } from '../target.js';
import { words } from '../../../packages/engine/test/support/random.js';

const home = fs.mkdtempSync(path.join(os.tmpdir(), 'fuzz-http2-'));
fs.mkdirSync(path.join(home, 'public'));
fs.writeFileSync(path.join(home, 'public/file.txt'), 'public');
fs.writeFileSync(path.join(home, 'secret.txt'), 'top-secret');
const address = path.join(home, 'socket');

const SECRET = 'top-secret';
const SERVED = 'served';
/** Frame types (RFC 9113, section 6). */
const DATA = 0;
const HEADERS = 1;
const CONTINUATION = 9;
/** Node 20 keeps the session of a client that has sent malformed frames and disconnected, until the idle timeout. */
const HAS_LEFTOVERS = process.version.startsWith('v20.');
/** A request is sent on a new session after this many texts. */
const CHECKED_EACH = 20;
/** Milliseconds without a frame after which a connection is closed, because no more response is expected. */
const QUIET = 4;

function makeApp(): ReturnType<typeof web> {
  const app = web().set('env', 'test').set('trust proxy', true);
  app.use('/files', web.static(path.join(home, 'public')));
  app.use(web.json({ limit: 500 }), web.text({ limit: 500 }), web.urlencoded({ extended: true, limit: 500 }));
  app.all('/echo', (req, res) => {
    res.json({ ...req.headers, query: req.query, body: req.body as unknown, ip: req.ip, host: req.hostname });
  });
  app.get('/pieces', (_req, res) => {
    res.write('one');
    setImmediate(() => res.end('two'));
  });
  app.get('/early', (_req, res) => {
    res.writeEarlyHints({ link: '</a>; rel=preload' });
    res.addTrailers({ 'x-trailer': 'end' });
    res.write('early');
    res.end();
  });
  app.get('/unread', (_req, res) => void res.send('x'.repeat(100_000)));
  app.get('/', (_req, res) => void res.send(SERVED));
  return app;
}

const server = http2.createServer(makeApp() as never);
const sessions = new Set<http2.ServerHttp2Session>();
server.on('session', session => {
  sessions.add(session);
  session.once('close', () => sessions.delete(session));
});
const listening = new Promise<void>(resolve => server.listen(address, resolve));

/** Encodes HPACK literals without indexing, each at most 126 bytes long. */
function fieldsOf(text: string): Buffer {
  const strings = text.split('|').flatMap(pair => {
    const at = pair.indexOf(': ');
    return [pair.slice(0, at), pair.slice(at + 2)].map(part => Buffer.from(part.slice(0, 126), 'latin1'));
  });
  return Buffer.concat(
    strings.flatMap((part, index) => [Buffer.from(index % 2 === 0 ? [0, part.length] : [part.length]), part]),
  );
}

function frameOf(line: string): Buffer {
  const [, type = '0', flags = '0', stream = '0', payload = ''] = /^(\d*) ?(\d*) ?(\d*) ?(.*)$/s.exec(line)!;
  const kind = Number(type) & 0xff;
  const isFields = (kind === HEADERS || kind === CONTINUATION) && payload.includes(': ');
  const bytes = isFields ? fieldsOf(payload) : Buffer.from(payload, 'latin1');
  return frame(kind, Number(flags) & 0xff, Number(stream) % 2 ** 32, bytes);
}

/** Sends the bytes, and resolves with what was received once nothing more arrives. */
function exchange(
  bytes: Buffer,
  isOver = (_received: Buffer): boolean => false,
  quiet = QUIET,
): Promise<Buffer> {
  return new Promise(resolve => {
    const chunks: Buffer[] = [];
    const socket = net.connect({ path: address });
    const over = (): void => void socket.destroy();
    let timer = setTimeout(over, quiet);
    socket.on('data', chunk => {
      chunks.push(chunk);
      clearTimeout(timer);
      timer = setTimeout(over, quiet);
      if (isOver(Buffer.concat(chunks))) over();
    });
    socket.on('error', () => undefined);
    socket.on('close', () => {
      clearTimeout(timer);
      resolve(Buffer.concat(chunks));
    });
    socket.write(bytes);
  });
}

const isServed = (received: Buffer): boolean =>
  parseFrames(received).some(({ type, payload }) => type === DATA && String(payload) === SERVED);

const get = (stream: number, target: string, fields = ''): string =>
  `1 5 ${stream} :method: GET|:scheme: http|:authority: x|:path: ${target}${fields}`;
const post = (stream: number, type: string): string =>
  `1 4 ${stream} :method: POST|:scheme: http|:authority: x|:path: /echo|content-type: ${type}`;

let runs = 0;

export const target: Target = {
  cost: 12,
  maxLength: 2000,
  limit: 1000,
  seeds: [
    get(1, '/echo?a=b', '|x-forwarded-for: 1.1.1.1|cookie: a=b|cookie: c=d'),
    `${get(1, '/pieces')}\n${get(3, '/early')}\n${get(5, '/unread')}\n3 0 5 \0\0\0\x08`,
    `${post(1, 'application/json')}\n0 0 1 {"a"\n0 1 1 :1}`,
    `${post(1, 'text/plain')}|content-length: 3\n0 1 1 abc`,
    `${post(1, 'text/plain')}\n0 0 1 abc\n1 5 1 x-trailer: end`,
    `1 1 1 :method: GET|:scheme: http|:path: /echo\n9 0 1 x: y\n9 4 1 z: 1`,
    `${get(1, '/files/file.txt', '|range: bytes=0-2')}\n${get(3, '/files/../secret.txt')}`,
    `4 0 0 \0\x04\0\0\0\0\n${get(1, '/unread')}\n8 0 1 \0\0\x10\0\n3 0 1 \0\0\0\x08`,
    `6 0 0 12345678\n${get(1, '/')}\n7 0 0 \0\0\0\0\0\0\0\0`,
    `2 0 1 \0\0\0\0\x10\n${get(1, '/', '|expect: 100-continue')}`,
    '1 5 1 :method: CONNECT|:authority: x',
    `1 13 1 \x02:method: GET|:path: /|:scheme: http`,
  ],
  dictionary: [
    ...words('|'),
    ...['\n', ' ', ': ', '0 1 1 ', '1 5 3 ', '3 0 1 \0\0\0\x08', '4 0 0 ', '6 0 0 12345678'],
    ...['7 0 0 ', '8 0 0 \0\0\0\x01', '9 4 1 ', ':method: HEAD', ':path: /pieces', ':path: *'],
    ...[':authority: y', ':scheme: ', 'content-length: 5', 'transfer-encoding: chunked'],
    ...['te: trailers', 'connection: close', 'host: z', 'expect: 100-continue', 'range: bytes=0-'],
    ...['if-none-match: *', '__proto__: x', '\xff\xff', '\x82\x86\x84'],
  ],
  async run(text) {
    await listening;
    const frames = text.split('\n').map(frameOf);
    const received = await exchange(Buffer.concat([OPENING, ...frames]));
    assert.ok(!received.includes(SECRET), 'a secret');
    if (++runs % CHECKED_EACH > 0) return;
    const fresh = await exchange(Buffer.concat([OPENING, request(1)]), isServed, 5000);
    assert.ok(isServed(fresh), 'a fresh session is not served');
    if (HAS_LEFTOVERS) for (const session of sessions) session.destroy();
    assert.ok(sessions.size < CHECKED_EACH, `${sessions.size} sessions are open`);
  },
  async close() {
    for (const session of sessions) session.destroy();
    await new Promise(resolve => server.close(resolve));
    fs.rmSync(home, { recursive: true, force: true });
  },
};
