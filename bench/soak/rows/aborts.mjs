/** Clients that break off, in either direction: nothing is left behind, and handlers are told once. */
import { breakOff, repeat, sleep } from '../client.mjs';
import { MiB, start } from '../start.mjs';

/** The figures as soon as so many descriptors are left, or after 5 seconds. */
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
    // The process takes what it needs before it is measured.
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
