/**
 * Sends requests to a server: single ones with Node's clients, and many with h2load, over HTTP/1.1 or cleartext HTTP/2. Sequences
 * of different requests and WebSocket messages, which h2load can't send, come from this process.
 */
import { execFile, execFileSync, spawnSync } from 'node:child_process';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { once } from 'node:events';
import http from 'node:http';
import https from 'node:https';
import http2 from 'node:http2';
import net from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { connect, echo, exchange, frame } from './sockets.mjs';
import { files } from './processes.mjs';

const run = promisify(execFile);
const LOAD_CORE = '1';
/** Concurrent requests on each HTTP/2 connection, as from a page; the number of connections is lower in return. */
const STREAMS = 10;

/** Throws unless h2load is installed, and moves this process to the core of the load. h2load is part of Debian's nghttp2-client, and generates less load than it measures. */
export function prepareLoad() {
  if (spawnSync('h2load', ['--version']).status !== 0)
    throw new Error('the benchmark needs h2load: apt-get install nghttp2-client');
  execFileSync('taskset', ['-apc', LOAD_CORE, String(process.pid)], { stdio: 'ignore' });
}

/** Sends one request on a separate connection; or a sequence, whose responses are joined. */
export async function ask(port, request) {
  const { method = 'GET', path, headers = {}, body, http2: isHttp2, tls, steps, socket } = request;
  if (isHttp2) return askHttp2(port, path);
  if (socket) return { status: 101, body: await askSocket(port, path) };
  if (steps) {
    const answers = [];
    await converse(port, steps, 1, ({ status, body }) => answers.push(`${status} ${body}`));
    return { status: 200, body: answers.join('\n') };
  }
  return new Promise((resolve, reject) => {
    const { request: open } = tls ? https : http;
    const options = { port, method, path, headers, agent: false, rejectUnauthorized: false };
    const request = open(options, response => {
      const chunks = [];
      response.on('data', chunk => chunks.push(chunk));
      response.on('end', () =>
        resolve({ status: response.statusCode, headers: response.headers, bytes: Buffer.concat(chunks) }),
      );
    });
    request.on('error', reject);
    request.end(body);
  }).then(answer => ({ ...answer, body: answer.bytes.toString() }));
}

/** Sends a frame, and returns what comes back. */
async function askSocket(port, path) {
  const socket = await connect(port, path, 0);
  socket.write(frame);
  const [data] = await once(socket, 'data');
  socket.destroy();
  return data.equals(echo) ? 'echo' : data.toString('latin1');
}

/** Returns a request as it is sent. */
export function textOf({ method = 'GET', path, headers = {}, body = '' }) {
  const length = body === '' ? {} : { 'Content-Length': Buffer.byteLength(body) };
  const fields = Object.entries({ Host: '127.0.0.1', 'User-Agent': 'bench', ...headers, ...length });
  const lines = [`${method} ${path} HTTP/1.1`, ...fields.map(field => field.join(': '))];
  return `${lines.join('\r\n')}\r\n\r\n${body}`;
}

const END_OF_HEAD = Buffer.from('\r\n\r\n');

/**
 * Sends a sequence of requests so many times on one connection, each after the response to the one before it. `:id` in a path is
 * the id in the last response that is an item.
 *
 * @param {(answer: { status: number, body: string }) => void} onAnswer called with each response
 */
function converse(port, steps, times, onAnswer) {
  const texts = steps.map(textOf);
  const socket = net.connect({ port, host: '127.0.0.1', noDelay: true });
  return new Promise((resolve, reject) => {
    let received = Buffer.alloc(0);
    let id = '';
    let at = 0;
    const send = () => socket.write(texts[at % texts.length].replace(':id', id));
    socket
      .on('error', reject)
      .on('close', () => reject(new Error(`the connection was closed in request ${at}`)));
    socket.on('data', chunk => {
      received = received.length === 0 ? chunk : Buffer.concat([received, chunk]);
      const end = received.indexOf(END_OF_HEAD);
      if (end < 0) return;
      const head = received.latin1Slice(0, end);
      const status = Number(head.slice(9, 12));
      const length = status === 204 ? 0 : Number(/\ncontent-length: (\d+)/i.exec(head)?.[1]);
      const body = received.utf8Slice(end + 4);
      if (status >= 400 || Number.isNaN(length))
        return reject(new Error(`unexpected response: ${head}\n\n${body}`));
      if (received.length < end + 4 + length) return;
      onAnswer({ status, body });
      id = /^\{"id":(\d+)/.exec(body)?.[1] ?? id;
      received = Buffer.alloc(0);
      at++;
      if (at < times * texts.length) return send();
      resolve();
      socket.destroy();
    });
    send();
  });
}

/** Sends a sequence over and over on keep-alive connections. @returns the number of requests */
async function loadSteps(port, { steps }, requests, connections) {
  const times = Math.ceil(requests / steps.length / connections);
  const all = Array.from({ length: connections }, () => converse(port, steps, times, () => undefined));
  await Promise.all(all);
  return times * steps.length * connections;
}

/** Has each message echoed before the next one is sent. @returns the number of messages */
async function loadSockets(port, { path }, requests, connections) {
  const opening = Array.from({ length: connections }, (_, i) => connect(port, path, i));
  const sockets = await Promise.all(opening);
  const count = await exchange(sockets, { sent: frame, reply: echo.length, times: requests });
  for (const socket of sockets) socket.destroy();
  return count;
}

function askHttp2(port, path) {
  const session = http2.connect(`http://127.0.0.1:${port}`);
  return new Promise((resolve, reject) => {
    session.on('error', reject);
    const stream = session.request({ ':path': path });
    const chunks = [];
    let headers;
    stream.on('response', fields => (headers = fields));
    stream.on('data', chunk => chunks.push(chunk));
    stream.on('error', reject);
    stream.on('end', () => {
      session.close();
      resolve({ status: headers[':status'], headers, body: Buffer.concat(chunks).toString() });
    });
  });
}

/**
 * Sends many requests on new keep-alive connections, and waits until all are answered.
 *
 * @param amount either the number of requests, or the seconds during which to send them
 * @param {number} connections over HTTP/1.1, each with `pipelined` requests at a time, or one; a request that says how many
 * connections it needs, or how many requests each of them sends, has that many
 * @returns the number of requests, and the microseconds that each response took
 */
export async function load(port, request, { requests, seconds }, connections) {
  const { path, headers = {}, body, http2: isHttp2, tls, pipelined = 1, requestsPerConnection } = request;
  const most = request.connections ?? connections;
  const loadHere = request.steps ? loadSteps : request.socket ? loadSockets : undefined;
  if (loadHere) return { count: await loadHere(port, request, requests, most), times: [] };
  const clients = requestsPerConnection
    ? Math.ceil(requests / requestsPerConnection)
    : isHttp2
      ? Math.max(1, Math.round(most / STREAMS))
      : most;
  const options = [
    ...(isHttp2 ? [`-m${STREAMS}`] : ['--h1', `-m${pipelined}`]),
    `-c${requests === undefined ? clients : Math.min(clients, requests)}`,
    requests === undefined ? `-D${seconds}` : `-n${requests}`,
    ...Object.entries(headers).flatMap(field => ['-H', field.join(': ')]),
    ...(body === undefined ? [] : ['-d', fileOf(port, body)]),
    ...(requests === undefined ? [] : [`--log-file=${join(files, `log-${port}`)}`]),
    `${tls ? 'https' : 'http'}://127.0.0.1:${port}${path}`,
  ];
  const { stdout } = await run('taskset', ['-c', LOAD_CORE, 'h2load', ...options]);
  const [, done, failed] = /(\d+) done, \d+ succeeded, (\d+) failed/.exec(stdout);
  const [, bad, broken] = /(\d+) 4xx, (\d+) 5xx/.exec(stdout);
  const wrong = Number(failed) + Number(bad) + Number(broken);
  if (wrong > 0 || Number(done) === 0) throw new Error(`${wrong} failed requests for ${path}:\n${stdout}`);
  return { count: Number(done), times: requests === undefined ? [] : takeLog(port) };
}

/** Reads h2load's log, whose lines end with the microseconds of a response, and removes it: h2load appends to it. */
function takeLog(port) {
  const file = join(files, `log-${port}`);
  const lines = readFileSync(file, 'utf8').trim().split('\n');
  rmSync(file);
  return lines.map(line => Number(line.split('\t')[2]));
}

/** Returns the file from which h2load reads a body. */
function fileOf(port, body) {
  const file = join(files, `body-${port}`);
  writeFileSync(file, body);
  return file;
}

/**
 * Returns the request as it is sent: a conditional request gets the validators of the server's own response, and one
 * with a login gets its cookies.
 */
export async function prepare(port, request) {
  if (request.login) {
    const { headers } = await ask(port, { path: request.login });
    const cookies = headers['set-cookie'].map(field => field.split(';')[0]).join('; ');
    return { ...request, headers: { ...request.headers, Cookie: cookies } };
  }
  if (!request.conditional) return request;
  const { headers } = await ask(port, request);
  const conditions = headers.etag
    ? { 'If-None-Match': headers.etag }
    : { 'If-Modified-Since': headers['last-modified'] ?? new Date().toUTCString() };
  return { ...request, headers: { ...request.headers, ...conditions } };
}
