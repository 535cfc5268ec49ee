/**
 * Starts the processes of the benchmark: servers on one core, each with one framework, and the load generator on the
 * other.
 */
import { execFile, execFileSync, fork } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import http from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import * as payload from './payloads.mjs';

const run = promisify(execFile);
const SERVER_CORE = '0';
const LOAD_CORE = '1';

/** The folder of the files that the scenarios serve and send. */
export const files = payload.makeFiles();

/** Starts a server. @param {string} node the binary @param {string[]} flags for Node */
export function start(framework, scenario, node, flags = []) {
  const description = JSON.stringify({
    framework,
    scenario,
    files,
    payload: { text: payload.text, viewLocals: payload.viewLocals },
  });
  const child = fork(new URL('server.cjs', import.meta.url).pathname, [description], {
    execPath: node,
    execArgv: flags,
    env: { ...process.env, NODE_ENV: 'production' },
  });
  execFileSync('taskset', ['-apc', SERVER_CORE, String(child.pid)], { stdio: 'ignore' });
  return new Promise((resolve, reject) => {
    child.once('message', ({ port }) => resolve({ framework, child, port }));
    child.once('exit', code => reject(new Error(`${framework} for '${scenario}' ended with ${code}`)));
  });
}

/** Sends one request on its own connection. */
export function ask(port, { method = 'GET', path, headers = {}, body }) {
  return new Promise((resolve, reject) => {
    const request = http.request({ port, method, path, headers, agent: false }, response => {
      const chunks = [];
      response.on('data', chunk => chunks.push(chunk));
      response.on('end', () =>
        resolve({
          status: response.statusCode,
          headers: response.headers,
          body: Buffer.concat(chunks).toString(),
        }),
      );
    });
    request.on('error', reject);
    request.end(body);
  });
}

/** Returns the request as it is sent: a conditional one gets the validators of the server's own response. */
export async function prepare(port, request) {
  if (!request.conditional) return request;
  const { headers } = await ask(port, request);
  const conditions = headers.etag
    ? { 'If-None-Match': headers.etag }
    : { 'If-Modified-Since': headers['last-modified'] ?? new Date().toUTCString() };
  return { ...request, headers: { ...request.headers, ...conditions } };
}

function wrkScript({ method = 'GET', headers = {}, body }) {
  const lines = [`wrk.method = "${method}"`];
  for (const [name, value] of Object.entries(headers))
    lines.push(`wrk.headers[${JSON.stringify(name)}] = ${JSON.stringify(value)}`);
  if (body !== undefined) {
    const file = join(files, 'body.bin');
    writeFileSync(file, body);
    lines.push(`local f = io.open(${JSON.stringify(file)}, "rb"); wrk.body = f:read("*a"); f:close()`);
  }
  const script = join(tmpdir(), `wrk-${process.pid}.lua`);
  writeFileSync(script, lines.join('\n'));
  return script;
}

/** Loads a server with wrk; resolves with the requests per second. */
export async function load(port, request, seconds, connections = 50) {
  const script = wrkScript(request);
  const url = `http://127.0.0.1:${port}${request.path}`;
  const { stdout } = await run('taskset', [
    '-c',
    LOAD_CORE,
    'wrk',
    '-t1',
    `-c${connections}`,
    `-d${seconds}s`,
    '-s',
    script,
    url,
  ]);
  const bad = /Non-2xx or 3xx responses: (\d+)/.exec(stdout);
  if (bad) throw new Error(`${bad[1]} failed answers from ${url}`);
  return Number(/Requests\/sec:\s+([\d.]+)/.exec(stdout)[1]);
}

/**
 * Asks a server about itself: `'processor time'` in seconds, `'memory'` in bytes, `'allocated'` bytes since the last
 * question.
 */
export function tell(child, question) {
  child.send(question);
  return new Promise(resolve => child.once('message', resolve));
}

/** Returns the median of the numbers. */
export const median = numbers => numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)];
