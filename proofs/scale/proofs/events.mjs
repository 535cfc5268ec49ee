/** Proof: posts to one process reach the pages whose streams are on any other. */
import { setTimeout as sleep } from 'node:timers/promises';
import { request } from '../clients.mjs';

const PAGES_FOR_EACH = 4;
/** Milliseconds. A process that is not notified by the others polls every five seconds. */
const AT_ONCE = 3000;
const ROUNDS = 2;

/** @type {import('../proofs.mjs').Proof} */
export const events = {
  name: 'events',
  title: 'an event posted to one process reaches the clients of all',
  faults: [
    {
      name: 'silent',
      says: 'processes do not wake each other through Redis',
      site: () => ({ env: () => ({ REDIS_URL: '' }) }),
    },
  ],
  async run({ services, site, cookies, open: openPages }) {
    const { boards, nginx } = site;
    const count = PAGES_FOR_EACH * boards.length;
    const open = await openPages(count);
    /** @type {Map<number, number>} */
    const posted = new Map();
    for (let round = 0; round < ROUNDS; round++) {
      for (const board of boards) {
        const began = performance.now();
        const json = { text: 'for everybody' };
        await request({ port: board.port, plain: true, path: '/api/posts', cookie: cookies[0], json });
        const id = await services.lastEvent();
        posted.set(id, began);
        await open.reached(id, 6000);
      }
    }
    const delays = open.pages.flatMap(({ times }) =>
      [...posted].map(([id, began]) => (times.get(id) ?? Infinity) - began),
    );
    const inTime = delays.filter(delay => delay < AT_ONCE).length;
    open.close();
    await sleep(300); // nginx logs a stream when it ends
    const holders = new Set(
      nginx
        .requests()
        .filter(({ uri }) => uri.startsWith('/events'))
        .map(({ upstreams }) => upstreams),
    );
    return {
      figures: `${posted.size} posts to ${boards.length} processes, ${count} pages on ${holders.size} of them: ${inTime} of ${delays.length} arrived, the slowest after ${Math.round(Math.max(...delays))} ms`,
      reached: inTime === delays.length && holders.size === boards.length,
    };
  },
};
