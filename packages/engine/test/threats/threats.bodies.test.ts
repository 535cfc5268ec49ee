/** Decoders that are abandoned: they are destroyed, and data that arrives later does no harm. */
import assert from 'node:assert/strict';
import net from 'node:net';
import { describe, test } from 'node:test';
import type { TestContext } from 'node:test';
import zlib from 'node:zlib';
import type { ErrorRequestHandler } from 'express';
import web from 'ristretto';
import { withServer } from '../support/http.js';

/** Records the decoders created and the unhandled errors. */
function watch(t: TestContext): { decoders: zlib.Gunzip[]; unhandled: unknown[] } {
  const decoders: zlib.Gunzip[] = [];
  const make = zlib.createGunzip;
  t.mock.method(zlib, 'createGunzip', () => {
    decoders.push(make());
    return decoders.at(-1);
  });
  const unhandled: unknown[] = [];
  const note = (error: unknown): number => unhandled.push(error);
  process.on('uncaughtException', note);
  t.after(() => process.off('uncaughtException', note));
  return { decoders, unhandled };
}

describe('threats: bodies', () => {
  test('CVE-2026-111181: a decoder is destroyed before the response, and reads no more of the body', async t => {
    const { decoders, unhandled } = watch(t);
    const app = web();
    app.use(web.text({ limit: 10 }) as never);
    let settle: (status: number) => void;
    const refused = new Promise<number>(resolve => (settle = resolve));
    const refuse: ErrorRequestHandler = (error: { status: number }, _req, res, _next) => {
      settle(error.status);
      res.status(error.status).end();
    };
    app.use(refuse as never);
    const good = zlib.gzipSync(Buffer.alloc(1000, 'x'));
    const bad = Buffer.alloc(50_000, 0xff);
    await withServer(app as never, async port => {
      const socket = net.connect(port, '127.0.0.1');
      const closed = new Promise(resolve => socket.on('close', resolve));
      socket.on('error', () => undefined).resume();
      const head = `POST / HTTP/1.1\r\nHost: x\r\nContent-Type: text/plain\r\nContent-Encoding: gzip\r\nConnection: close\r\n`;
      socket.write(`${head}Content-Length: ${good.length - 8 + bad.length}\r\n\r\n`);
      socket.write(good.subarray(0, -8));
      // The limit is exceeded as soon as the first part is decoded
      while (decoders.length === 0 || decoders[0]!.bytesWritten === 0 || !decoders[0]!.destroyed) {
        await new Promise(resolve => setImmediate(resolve));
      }
      assert.equal(decoders[0]!.listenerCount('data'), 0);
      const read = decoders[0]!.bytesWritten;
      socket.write(bad);
      assert.equal(await refused, 413);
      await closed;
      assert.equal(decoders[0]!.bytesWritten, read);
    });
    assert.deepEqual([decoders.length, unhandled], [1, []]);
  });

  test('CVE-2026-111181: an unknown charset is rejected before a decoder is created', async t => {
    const { decoders } = watch(t);
    const app = web();
    app.set('env', 'production').use(web.text() as never);
    const body = zlib.gzipSync('x');
    const headers = { 'content-type': 'text/plain; charset=foo', 'content-encoding': 'gzip' };
    await withServer(app as never, async port => {
      const answer = await fetch(`http://127.0.0.1:${port}/`, { method: 'POST', headers, body });
      assert.equal(answer.status, 415);
      await answer.arrayBuffer();
    });
    assert.equal(decoders.length, 0);
  });
});
