// runs: once
/** deploy/nginx/board.conf in a real nginx, in front of a server that counts what reaches it. Skipped without nginx. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import fs from 'node:fs';
import http from 'node:http';
import http2 from 'node:http2';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { after, before, describe, test } from 'node:test';
import { root } from './deploy';
import { freePorts, missingProgram } from './servers';
import { temporaryFolder } from './showcase';

interface Nginx {
  stop(): Promise<void>;
}

const BURST = 200;
const CONNECTIONS = 100;
/** More than either limit; nginx allows 128 streams of a connection at once. */
const MANY = 300;
const STREAMS = 120;

const waiting: http.ServerResponse[] = [];
let received = 0;
const upstream = http.createServer((req, res) => {
  received++;
  if (req.url === '/slow') waiting.push(res);
  else res.end('ok');
});
let nginx: Nginx;
let session: http2.ClientHttp2Session;

/** Sends a request over the one connection; resolves with the status. */
const ask = (target: string, method = 'GET') =>
  new Promise<number>((resolve, reject) => {
    const stream = session.request({ ':path': target, ':method': method }, { endStream: true });
    stream.on('response', headers => resolve(Number(headers[':status'])));
    stream.on('error', reject);
    stream.resume();
  });

/** Sends requests at once, and counts the responses by status. */
async function count(target: string, requests: number): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const status of await Promise.all(Array.from({ length: requests }, () => ask(target))))
    counts[status] = (counts[status] ?? 0) + 1;
  return counts;
}

describe('deploy nginx', { skip: missingProgram('nginx') }, () => {
  before(async () => {
    const { startNginx } = (await import('../../proofs/scale/nginx.mjs' as string)) as {
      startNginx(options: object): Promise<Nginx>;
    };
    upstream.listen(0, '127.0.0.1');
    await once(upstream, 'listening');
    const [port, plainPort, stopped] = await freePorts(3);
    const upstreams = [(upstream.address() as AddressInfo).port, stopped];
    // Checks the file with `nginx -t` first.
    nginx = await startNginx({ folder: temporaryFolder(), port, plainPort, upstreams, keepsLimits: true });
    session = http2.connect(`https://localhost:${port}`, {
      ca: fs.readFileSync(path.join(root, 'examples/https/localhost-cert.pem')),
    });
    await once(session, 'connect');
  });

  after(async () => {
    session?.close();
    await nginx?.stop();
    upstream.close();
  });

  test('limit_conn: more requests of an address at the same time get 429 without reaching a process', async () => {
    const asked = count('/slow', STREAMS);
    // All others have their response when this one does, because nginx handles the frames of a connection in order.
    while (waiting.length < CONNECTIONS) await once(upstream, 'request');
    assert.equal(await ask('/'), 429);
    for (const res of waiting) res.end();
    assert.deepEqual(await asked, { 200: CONNECTIONS, 429: STREAMS - CONNECTIONS });
  });

  test('failover: a member that is stopped is skipped at once, for GET and POST', async () => {
    for (let i = 0; i < 10; i++) {
      for (const method of ['GET', 'POST']) {
        const began = performance.now();
        assert.equal(await ask('/', method), 200);
        assert.ok(performance.now() - began < 1000);
      }
    }
  });

  test('limit_req: requests beyond the burst get a 429 without reaching a process', async () => {
    received = 0;
    const began = performance.now();
    const { 200: served = 0, 429: limited = 0, ...others } = await count('/', MANY);
    assert.deepEqual(others, {});
    assert.equal(served + limited, MANY);
    assert.equal(received, served);
    const allowed = BURST + 1 + ((performance.now() - began) / 1000) * 50;
    assert.ok(limited > 0 && served <= allowed, `${served} of ${MANY} were served`);
  });
});
