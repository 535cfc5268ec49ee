/** Clients that disconnect, in either direction: nothing leaks, and handlers are notified once. */
import http2 from 'node:http2';
import { breakOff, repeat, sleep } from '../client.mjs';
import { MiB, start } from '../start.mjs';

/** Resolves with the figures as soon as this many descriptors are left, or after 5 seconds. */
async function settled(server, descriptors) {
  const end = Date.now() + 5000;
  for (;;) {
    const figures = await server.collect();
    if (figures.descriptors <= descriptors || Date.now() > end) return figures;
    await sleep(100);
  }
}

export const abortMidBody = {
  title: 'abort mid-body (1,000 uploads cut half-way: 500 to a file, 500 to a parser)',
  goal: 'each handler told exactly once; 0 temporary files; 0 descriptors more',
  async run(framework, { folder, scale }) {
    const times = Math.max(20, Math.round(500 * scale));
    const server = await start(framework, folder);
    const half = path =>
      Buffer.concat([
        Buffer.from(
          `POST ${path} HTTP/1.1\r\nHost: x\r\nContent-Type: application/octet-stream\r\nContent-Length: 200000\r\n\r\n`,
        ),
        Buffer.alloc(100_000),
      ]);
    await breakOff(server.port, half('/file'), 0);
    await sleep(200);
    const before = await server.collect();
    for (const path of ['/file', '/raw']) await repeat(times, 20, () => breakOff(server.port, half(path), 0));
    const after = await settled(server, before.descriptors);
    const told = after.told.cut - before.told.cut;
    const more = after.descriptors - before.descriptors;
    await server.end();
    return {
      figures: `told ${told} of ${2 * times}; ${after.temporary} files; ${more} descriptors more`,
      reached: told === 2 * times && after.temporary === 0 && more <= 0,
    };
  },
};

export const abortMidResponse = {
  title: 'abort mid-response (10,000 downloads: static and gzip)',
  goal: 'descriptors back to ± 2 within 5 s; RSS ± 5 %',
  async run(framework, { folder, scale }) {
    const times = Math.max(100, Math.round(5000 * scale));
    const server = await start(framework, folder);
    const get = path => `GET ${path} HTTP/1.1\r\nHost: x\r\nAccept-Encoding: gzip\r\n\r\n`;
    const abort = index =>
      breakOff(
        server.port,
        get(index % 2 ? '/static/large.txt' : '/gzip/large.txt'),
        1 + ((index * 977) % 60_000),
      );
    // The process allocates what it needs before it is measured.
    await repeat(times, 30, abort);
    await sleep(1000);
    const before = await server.collect();
    await repeat(2 * times, 30, abort);
    const began = Date.now();
    const after = await settled(server, before.descriptors + 2);
    const seconds = (Date.now() - began) / 1000;
    await sleep(1000);
    const { rss } = await server.collect();
    await server.end();
    const more = after.descriptors - before.descriptors;
    const growth = (rss / before.rss - 1) * 100;
    return {
      figures: `descriptors ${more >= 0 ? '+' : ''}${more} after ${seconds.toFixed(1)} s; RSS ${growth >= 0 ? '+' : ''}${growth.toFixed(1)} % of ${(before.rss / MiB).toFixed(0)} MiB`,
      reached: Math.abs(more) <= 2 && growth <= 5,
    };
  },
};

/** Aborts requests on one session, several at once: downloads on the first data, uploads after the first write. */
async function abortOnSession(port, times) {
  const session = http2.connect(`http://127.0.0.1:${port}`);
  session.on('error', () => undefined);
  const abort = index =>
    new Promise(resolve => {
      if (session.destroyed) return void resolve();
      const isUpload = index % 2 === 0;
      const stream = session.request(
        isUpload
          ? { ':method': 'POST', ':path': '/raw', 'content-type': 'application/octet-stream' }
          : { ':path': '/static/large.txt' },
      );
      const cancel = () => stream.close(http2.constants.NGHTTP2_CANCEL);
      stream.on('error', () => undefined).on('close', resolve);
      if (isUpload) stream.write('some', () => setImmediate(cancel));
      else stream.once('data', cancel);
    });
  await repeat(times, 20, abort);
  session.destroy();
}

/** Node closes a session after 1,000 cancelled requests, Node 20 after about 300. */
const ABORTS_OF_SESSION = 100;

export const abortHttp2 = {
  title: 'abort over HTTP/2 (10,000 streams: downloads and uploads)',
  goal: 'descriptors back to ± 2 within 5 s; heap + 1 MiB',
  async run(framework, { folder, scale }) {
    if (framework === 'express 4') return { figures: 'has no HTTP/2', reached: false };
    const sessions = Math.max(2, Math.round(50 * scale));
    const server = await start(framework, folder, { isHttp2: true });
    const abortAll = async count => {
      for (let done = 0; done < count; done++) await abortOnSession(server.port, ABORTS_OF_SESSION);
    };
    await abortAll(sessions);
    await sleep(1000);
    const before = await server.collect();
    await abortAll(2 * sessions);
    const after = await settled(server, before.descriptors + 2);
    await sleep(1000);
    const { heapUsed } = await server.collect();
    await server.end();
    const more = after.descriptors - before.descriptors;
    const heap = (heapUsed - before.heapUsed) / MiB;
    return {
      figures: `descriptors ${more >= 0 ? '+' : ''}${more}; heap ${heap >= 0 ? '+' : ''}${heap.toFixed(2)} MiB`,
      reached: Math.abs(more) <= 2 && heap < 1,
    };
  },
};
