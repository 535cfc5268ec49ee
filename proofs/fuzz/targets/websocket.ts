/**
 * Handshakes and frames of WebSockets on a new connection, in any order, and connections that are cut off anywhere.
 * There must be no uncaught error and no 5xx, what the server sends must be frames with valid codes, no socket may be
 * left over, and a new one must echo afterwards.
 *
 * The first line of a text is the target and the headers, separated by `|`. Each other line is a frame: its first byte,
 * and the payload, which is masked; `raw` sends a payload as it is, `cut` ends the connection, and `wait` lets the
 * server respond first.
 */
import assert from 'node:assert/strict';
import { subscribe } from 'node:diagnostics_channel';
import fs from 'node:fs';
import http from 'node:http';
import net from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import web from 'ristretto';
import { frame, KEY } from '../../../packages/engine/test/support/websocket.js';
import type { Target } from '../target.js';
import { words } from '../../../packages/engine/test/support/random.js';

const home = fs.mkdtempSync(path.join(os.tmpdir(), 'fuzz-websocket-'));
const address = path.join(home, 'socket');
/** A socket is opened to check the server after this many texts. */
const CHECKED_EACH = 20;
/** Milliseconds without bytes after which a connection is closed, because no more is expected. */
const QUIET = 4;
/** Opcodes of a server (RFC 6455, section 5.2). */
const OPCODES = [1, 2, 8, 9, 10];
const CLOSE = 8;

let open = 0;
subscribe('ristretto.websocket.open', () => void open++);
subscribe('ristretto.websocket.close', () => void open--);

const message = {
  '~standard': {
    version: 1,
    vendor: 'fuzz',
    validate: (value: unknown) => (Array.isArray(value) ? { value } : { issues: [{ message: 'no array' }] }),
  },
} as const;

function makeApp(): ReturnType<typeof web> {
  const app = web().set('env', 'test').set('trust proxy', true);
  app.ws(
    '/echo/:room',
    { protocols: ['v1'], maxPayload: 1000, maxConnectionsPerAddress: Infinity },
    socket => {
      socket.on('message', (data, isBinary) => {
        socket.send(data, { binary: isBinary });
      });
    },
  );
  app.ws('/compressed', { compression: { threshold: 0 }, maxPayload: 1000 }, socket => {
    socket.on('message', data => {
      socket.send(data);
    });
  });
  app.ws('/schema', { message }, socket => {
    socket.on('message', value => {
      socket.send(JSON.stringify(value));
    });
  });
  app.get('/echo/:room', (_req, res) => void res.send('page'));
  return app;
}

const server = http.createServer(makeApp());
const connections = new Set<net.Socket>();
server.on('connection', connection => {
  connections.add(connection);
  connection.once('close', () => connections.delete(connection));
});
const listening = new Promise<void>(resolve => server.listen(address, resolve));

/** Returns the pieces of a text that are written one after the other. */
function piecesOf(text: string): (Buffer | 'cut' | 'wait')[] {
  const [first = '', ...lines] = text.split('\n');
  const [target = '', ...headers] = first.split('|');
  const request = [
    `GET ${target} HTTP/1.1`,
    'Host: x',
    'Connection: Upgrade',
    'Upgrade: websocket',
    ...(headers.some(header => /^sec-websocket-key:/i.test(header)) ? [] : [`Sec-WebSocket-Key: ${KEY}`]),
    ...(headers.some(header => /^sec-websocket-version:/i.test(header)) ? [] : ['Sec-WebSocket-Version: 13']),
    ...headers,
  ];
  return [Buffer.from(`${request.join('\r\n')}\r\n\r\n`, 'latin1'), ...lines.map(pieceOf)];
}

function pieceOf(line: string): Buffer | 'cut' | 'wait' {
  if (line === 'cut' || line === 'wait') return line;
  const [, word = '', payload = ''] = /^(\w*) ?(.*)$/s.exec(line) ?? [];
  const bytes = Buffer.from(payload, 'latin1');
  if (word === 'raw') return bytes;
  return frame(Number(word) & 0xff, bytes);
}

/** Writes the pieces; resolves with what was received once nothing more arrives. */
function exchange(pieces: (Buffer | 'cut' | 'wait')[], quiet = QUIET): Promise<Buffer> {
  return new Promise(resolve => {
    const chunks: Buffer[] = [];
    const socket = net.connect({ path: address });
    const over = (): void => void socket.destroy();
    let timer = setTimeout(over, quiet + 100);
    socket.on('data', chunk => {
      chunks.push(chunk);
      clearTimeout(timer);
      timer = setTimeout(over, quiet);
    });
    socket.on('error', () => undefined);
    socket.on('close', () => {
      clearTimeout(timer);
      resolve(Buffer.concat(chunks));
    });
    void (async () => {
      for (const piece of pieces) {
        if (piece === 'wait') await sleep(1);
        else if (piece === 'cut') over();
        else if (!socket.destroyed) socket.write(piece);
      }
    })();
  });
}

/** Checks the response, and the frames after it. */
function check(received: Buffer): void {
  const end = received.indexOf('\r\n\r\n');
  if (end < 0) return;
  const [, status] = /^HTTP\/1\.1 (\d{3}) /.exec(received.toString('latin1')) ?? [];
  assert.ok(Number(status) < 500, `status ${String(status)}`);
  if (status !== '101') return;
  let rest = received.subarray(end + 4);
  while (rest.length >= 4) {
    const opcode = rest[0]! & 0x0f;
    assert.ok(OPCODES.includes(opcode) && (rest[0]! & 0xb0) === 0x80, `a frame that begins with ${rest[0]!}`);
    const short = rest[1]!;
    assert.ok(short <= 126, `a length of ${short}`);
    const at = short === 126 ? 4 : 2;
    const length = short === 126 ? rest.readUInt16BE(2) : short;
    if (rest.length < at + length) return;
    const payload = rest.subarray(at, at + length);
    if (opcode === CLOSE && length > 0) assert.ok(payload.readUInt16BE(0) >= 1000, payload.toString('hex'));
    rest = rest.subarray(at + length);
  }
}

let runs = 0;

export const target: Target = {
  cost: 10,
  maxLength: 1500,
  limit: 1000,
  seeds: [
    '/echo/1\n129 hello\n130 bytes\nwait\n136 \x03\xe8bye',
    '/echo/1?a=b|Origin: http://x|Sec-WebSocket-Protocol: v1, v2\n1 a\n137 ping\n0 b\n128 c\nwait\ncut',
    '/echo/%ff\n129 \xce\xba\xff',
    '/echo/1|Origin: http://evil.example\n129 x',
    '/echo/1|Sec-WebSocket-Key: short',
    '/echo/1|Sec-WebSocket-Version: 12',
    '/echo/1|Content-Length: 5\nraw 12345',
    '/compressed|Sec-WebSocket-Extensions: permessage-deflate; client_max_window_bits\nwait\n193 \xaa\x56\x00\n129 x',
    '/schema\n129 [1]\nwait\n129 {"a"\n130 x',
    `/echo/1\n129 ${'x'.repeat(1001)}`,
    '/echo/1\nwait\nraw \x81\xff\x7f\xff\xff\xff\xff\xff\xff\xff',
    '/echo/1\nwait\nraw \x81\x05hello',
    '/missing\n129 x',
    '/echo/1\ncut',
  ],
  dictionary: [
    ...words('| cut wait permessage-deflate server_max_window_bits=8 /schema /compressed [[1]]'),
    ...['\n', '129 ', '130 ', '1 ', '0 ', '128 ', '136 \x03\xe8', '137 ', '138 ', 'raw ', '193 '],
    ...['131 ', '139 ', '136 \x03\xed', '\xed\xa0\x80', '\xc0\xaf', '\x81\xfe\x00'],
    ...['\x88\x80\0\0\0\0', 'Sec-WebSocket-Protocol: ', 'Sec-WebSocket-Extensions: '],
    ...['Origin: null', 'Transfer-Encoding: chunked', 'X-Forwarded-Host: a, b', 'Upgrade: h2c'],
    ...['Sec-WebSocket-Version: 8', 'Expect: 100-continue', 'Connection: close'],
  ],
  async run(text) {
    await listening;
    check(await exchange(piecesOf(text)));
    if (++runs % CHECKED_EACH > 0) return;
    const fresh = await exchange(piecesOf('/echo/1\n129 fresh'), 50);
    assert.ok(fresh.includes('\x81\x05fresh', 'latin1'), 'a fresh socket does not echo');
    for (let tries = 0; tries < 100 && (open > 0 || connections.size > 0); tries++) await sleep(5);
    assert.deepEqual([open, connections.size], [0, 0], 'sockets or connections are left over');
  },
  async close() {
    for (const connection of connections) connection.destroy();
    await new Promise(resolve => server.close(resolve));
    fs.rmSync(home, { recursive: true, force: true });
  },
};
