/** `web.compress`: which responses are compressed, and with which content coding. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import http from 'node:http';
import net from 'node:net';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { describe, test } from 'node:test';
import zlib from 'node:zlib';
import type { Handler } from 'ristretto3/lib/middleware/connect';
import { askAll, chain, sameEach, web } from './support/middleware.js';

const sending =
  (type: string, length: number): Handler =>
  (_req, res) => {
    res.setHeader('Content-Type', type);
    res.end('x'.repeat(length));
  };
const accepting = (codings: string, method = 'GET') => ({ method, headers: { 'Accept-Encoding': codings } });

describe('web.compress', () => {
  test('codings: are gzip, deflate and none', async () => {
    const requests = ['gzip', 'deflate', 'identity', '', 'gzip;q=0', 'x'].map(one => accepting(one));
    const answers = await sameEach(web => [web.compress(), sending('text/plain', 2000)], requests);
    assert.equal(zlib.gunzipSync(answers[0]!.body).length, 2000);
    assert.equal(zlib.inflateSync(answers[1]!.body).length, 2000);
    assert.equal(answers[2]!.headers['content-encoding'], undefined);
    for (const answer of answers) assert.equal(answer.headers.vary, 'Accept-Encoding');
  });

  test('codings: br is used if the client accepts it (Express 3 has no br)', async () => {
    const [answer] = await askAll(
      [web.compress(), sending('text/plain', 2000)],
      [accepting('gzip, deflate, br')],
    );
    assert.equal(answer!.headers['content-encoding'], 'br');
    assert.equal(zlib.brotliDecompressSync(answer!.body).length, 2000);
  });

  test('threshold: is 1 KiB, or the value of the option', async () => {
    await sameEach(web => [web.compress(), sending('text/plain', 1023)], [accepting('gzip')]);
    await sameEach(web => [web.compress(), sending('text/plain', 1024)], [accepting('gzip')]);
    for (const threshold of [0, 10, '1kb']) {
      await sameEach(web => [web.compress({ threshold }), sending('text/plain', 10)], [accepting('gzip')]);
    }
  });

  test('types: incompressible types are sent unchanged', async () => {
    for (const type of ['image/png', 'application/json', 'application/octet-stream', 'image/svg+xml']) {
      await sameEach(web => [web.compress(), sending(type, 2000)], [accepting('gzip')]);
    }
  });

  test('filter: decides what is compressed; the default filter is a member', async () => {
    const build = (allowed: boolean) => (one: typeof web) => [
      one.compress({ filter: (req, res) => allowed && !one.compress.filter(req, res) }),
      sending('image/png', 2000),
    ];
    const [compressed] = await sameEach(build(true), [accepting('gzip')]);
    assert.equal(compressed!.headers['content-encoding'], 'gzip');
    const [plain] = await sameEach(build(false), [accepting('gzip')]);
    assert.equal(plain!.headers['content-encoding'], undefined);
  });

  test('HEAD and no-transform: are not compressed', async () => {
    await sameEach(web => [web.compress(), sending('text/plain', 2000)], [accepting('gzip', 'HEAD')]);
    const fixed: Handler = (req, res, next) => {
      res.setHeader('Cache-Control', 'no-transform');
      sending('text/plain', 2000)(req, res, next);
    };
    const [answer] = await askAll([web.compress(), fixed], [accepting('gzip')]);
    assert.equal(answer!.headers['content-encoding'], undefined);
  });

  test('CVE-2026-87776: the encoder of an aborted response is closed', async t => {
    const encoders = new Set<Readable>();
    const { prototype } = zlib.createGzip().constructor as unknown as { prototype: Readable };
    const on = Readable.prototype.on as (...args: unknown[]) => Readable;
    t.mock.method(prototype, 'on', function (this: Readable, ...args: unknown[]) {
      encoders.add(this);
      return on.apply(this, args);
    });
    const closed: Promise<unknown>[] = [];
    const endless: Handler = (_req, res) => {
      res.setHeader('Content-Type', 'text/plain');
      const timer = setInterval(() => res.write('x'.repeat(100_000) + String(Math.random())), 1);
      res.on('close', () => clearInterval(timer));
      closed.push(once(res, 'close'));
    };
    const server = http.createServer(chain(web.compress(), endless)).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const client = net.connect(port, '127.0.0.1', () => {
      client.write('GET / HTTP/1.1\r\nHost: x\r\nAccept-Encoding: gzip\r\n\r\n');
    });
    await once(client, 'data');
    client.destroy();
    await Promise.all(closed);
    server.close();
    assert.equal(encoders.size, 1);
    const [encoder] = encoders;
    if (!encoder!.closed) await once(encoder!, 'close');
    assert.ok(encoder!.destroyed);
  });
});
