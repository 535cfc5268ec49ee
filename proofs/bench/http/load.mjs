/** Sends requests to a server: single ones with Node's clients, and many with h2load, over HTTP/1.1 or cleartext HTTP/2. */
import { execFile, spawnSync } from 'node:child_process';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import http from 'node:http';
import https from 'node:https';
import http2 from 'node:http2';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { files } from './processes.mjs';

const run = promisify(execFile);
const LOAD_CORE = '1';
/** Concurrent requests on each HTTP/2 connection, as from a page; the number of connections is lower in return. */
const STREAMS = 10;

/** Throws unless h2load is installed. It is part of Debian's nghttp2-client, and generates less load than it measures. */
export function requireH2load() {
  if (spawnSync('h2load', ['--version']).status !== 0)
    throw new Error('the benchmark needs h2load: apt-get install nghttp2-client');
}

/** Sends one request on a separate connection. */
export function ask(port, { method = 'GET', path, headers = {}, body, http2: isHttp2, tls }) {
  if (isHttp2) return askHttp2(port, path);
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
