/** Proof: uploads of pictures that take long to decode keep nobody else waiting. */
import { createRequire } from 'node:module';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { root } from '../../../scripts/test-files.mjs';
import { request } from '../clients.mjs';

const UPLOADS = 8;
/**
 * The side lengths in pixels: the first is just too large, the second just small enough. Pictures of a single color
 * keep both files small.
 */
const SIDES = [7000, 4999];
/** @type {import('../proofs.mjs').Proof} */
export const pictures = {
  name: 'pictures',
  title: 'pictures that take long to decode keep nobody waiting',
  faults: [
    {
      name: 'one-thread',
      says: 'each process has one thread for pictures and files',
      site: () => ({ env: () => ({ UV_THREADPOOL_SIZE: '1' }) }),
    },
  ],
  async run({ site, cookies }) {
    const require = createRequire(path.join(root, 'examples/showcase/package.json'));
    let sharp;
    try {
      sharp = require('sharp');
    } catch {
      return { figures: 'sharp is not installed: the pictures were not checked', reached: true };
    }
    const { boards, port } = site;
    const slowest = { '/': 0, '/assets/style.css': 0, '/login': 0 };
    const found = [];
    for (const side of SIDES) {
      const create = { width: side, height: side, channels: 4, background: 'red' };
      const png = await sharp({ create, limitInputPixels: false }).png().toBuffer();
      const body = Buffer.concat([
        Buffer.from(
          '--x\r\nContent-Disposition: form-data; name="text"\r\n\r\na large picture\r\n' +
            '--x\r\nContent-Disposition: form-data; name="picture"; filename="a.png"\r\n\r\n',
        ),
        png,
        Buffer.from('\r\n--x--\r\n'),
      ]);
      const headers = { 'Content-Type': 'multipart/form-data; boundary=x' };
      let isOver = false;
      const uploads = Promise.all(
        Array.from({ length: UPLOADS * boards.length }, (_, n) =>
          request({ port, path: '/posts', cookie: cookies[n % cookies.length], body, headers }),
        ),
      ).finally(() => (isOver = true));
      const look = async at => {
        while (!isOver) {
          const began = performance.now();
          const { status } = await request({ port, path: at });
          slowest[at] = Math.max(slowest[at], status === 200 ? performance.now() - began : Infinity);
          await sleep(20);
        }
      };
      const began = performance.now();
      const [replies] = await Promise.all([uploads, ...Object.keys(slowest).map(look)]);
      const counts = {};
      for (const { status } of replies) counts[status] = (counts[status] ?? 0) + 1;
      found.push({ side, size: png.length, counts, took: performance.now() - began });
    }
    const listed = found.map(
      ({ side, size, counts, took }) =>
        `${side} x ${side} (${Math.round(size / 1000)} KB): ${Object.entries(counts)
          .map(([status, count]) => `${count} times ${status}`)
          .join(', ')} in ${Math.round(took)} ms`,
    );
    const [large, fitting] = found;
    // A request that waits for a thread waits for at least one picture, however fast the machine is.
    const decoding = (fitting.took * boards.length) / (fitting.counts[303] ?? Infinity);
    return {
      figures: `${listed.join('; ')}; one takes ${Math.round(decoding)} ms; meanwhile the slowest ${Object.entries(
        slowest,
      )
        .map(([at, time]) => `${at} ${Math.round(time)} ms`)
        .join(', ')}`,
      reached:
        Object.keys(large.counts).every(status => status === '422' || status === '503') &&
        Object.keys(fitting.counts).every(status => status === '303' || status === '503') &&
        fitting.counts[303] > 0 &&
        Math.max(...Object.values(slowest)) < decoding,
    };
  },
};
