/** Requests over cleartext HTTP/2: single ones with Node's client, and load with h2load. */
import { execFile, spawnSync } from 'node:child_process';
import http2 from 'node:http2';
import { promisify } from 'node:util';

const run = promisify(execFile);
const LOAD_CORE = '1';
/** Concurrent requests on each connection, as from a page; the number of connections is lower in return. */
const STREAMS = 10;

/** Whether h2load is installed. It is part of Debian's nghttp2-client. */
export const hasH2load = spawnSync('h2load', ['--version']).status === 0;

/** Sends one request on its own connection. */
export function askHttp2(port, { path }) {
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

/** Loads a server with h2load; resolves with the requests per second. */
export async function loadHttp2(port, { path }, seconds, connections = 50) {
  const url = `http://127.0.0.1:${port}${path}`;
  const clients = Math.max(1, Math.round(connections / STREAMS));
  const options = [`-c${clients}`, `-m${STREAMS}`, `-D${seconds}`, url];
  const { stdout } = await run('taskset', ['-c', LOAD_CORE, 'h2load', ...options]);
  const [, failed, errored] = /(\d+) failed, (\d+) errored/.exec(stdout);
  const [, fine, redirected] = /status codes: (\d+) 2xx, (\d+) 3xx/.exec(stdout);
  const [, bad, broken] = /(\d+) 4xx, (\d+) 5xx/.exec(stdout);
  const wrong = Number(failed) + Number(errored) + Number(redirected) + Number(bad) + Number(broken);
  if (wrong > 0 || Number(fine) === 0) throw new Error(`${wrong} failed responses from ${url}`);
  return Number(/finished in .*?, ([\d.]+) req\/s/.exec(stdout)[1]);
}
