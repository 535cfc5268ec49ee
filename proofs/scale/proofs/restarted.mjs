/**
 * Proof: while Redis or PostgreSQL is down, clients receive a clear 503; afterwards everything works without restarting
 * the application.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { request } from '../clients.mjs';

const PAGES = 8;
const AWAY = 2000;
const PATIENCE = 15_000;

/** Returns the milliseconds until a condition is true; Infinity if it never is. */
export async function timeUntil(/** @type {() => Promise<boolean>} */ isSo) {
  const began = performance.now();
  while (!(await isSo())) {
    if (performance.now() - began > PATIENCE) return Infinity;
    await sleep(50);
  }
  return performance.now() - began;
}

/** Stops a service, and starts it again. */
async function restart(service, stop, { services, site, cookies, open: openPages }) {
  const { boards, port } = site;
  const cookie = cookies[0];
  const pids = boards.map(({ pid }) => pid);
  const everyBoard = async (status, path = '/dependencies') => {
    const probes = boards.map(board => request({ port: board.port, plain: true, path }));
    return (await Promise.all(probes)).every(reply => reply.status === status);
  };
  const open = await openPages(PAGES);
  await stop();
  await timeUntil(() => everyBoard(503));
  const counts = { clear: 0, other: 0, slowest: 0 };
  for (const end = performance.now() + AWAY; performance.now() < end;) {
    for (const path of ['/', '/api/session']) {
      const began = performance.now();
      const { status, headers, text } = await request({ port, path, cookie });
      counts.slowest = Math.max(counts.slowest, performance.now() - began);
      const isClear =
        status === 503 && headers['retry-after'] === '5' && text.includes('is unavailable at the moment');
      counts[isClear ? 'clear' : 'other']++;
    }
  }
  const alive = await Promise.all(
    boards.map(board => request({ port: board.port, plain: true, path: '/livez' })),
  );
  const stillReady = await everyBoard(200, '/readyz');
  await service.start();
  const recovered = await timeUntil(async () => {
    const pages = boards.map(() => request({ port, path: '/api/session', cookie }));
    return (await everyBoard(200)) && (await Promise.all(pages)).every(({ status }) => status === 200);
  });
  await request({ port, path: '/api/posts', cookie, json: { text: 'after it came back' } });
  const last = await services.lastEvent();
  await open.reached(last);
  open.close();
  const informed = open.pages.filter(page => page.last >= last).length;
  const same = boards.filter((board, index) => board.isRunning && board.pid === pids[index]).length;
  return {
    figures: `${counts.clear} of ${counts.clear + counts.other} responses were a clear 503, within ${Math.round(counts.slowest)} ms, recovered after ${Math.round(recovered)} ms, ${informed} of ${PAGES} pages informed, ${same} of ${boards.length} processes the same`,
    reached:
      counts.clear > 0 &&
      counts.other === 0 &&
      alive.every(({ status }) => status === 200) &&
      stillReady &&
      recovered < PATIENCE &&
      informed === PAGES &&
      same === boards.length,
  };
}

/** @type {import('../proofs.mjs').Proof} */
export const restarted = {
  name: 'restarted',
  title: 'Redis or PostgreSQL restarted: a clear 503, and recovery',
  faults: [
    {
      name: 'blamed',
      says: 'nginx considers a process without its database failed',
      site: () => ({
        nginx: [
          [/max_fails=0;/g, 'max_fails=1 fail_timeout=30s;'],
          [/proxy_next_upstream error timeout;/, 'proxy_next_upstream error timeout http_503;'],
        ],
      }),
    },
  ],
  async run(context) {
    const { redis, postgres } = context.services;
    const first = await restart(redis, () => redis.stop('SIGTERM'), context);
    if (!first.reached) return first;
    const second = await restart(postgres, () => postgres.stop(), context);
    return {
      figures: `Redis: ${first.figures}; PostgreSQL: ${second.figures}`,
      reached: second.reached,
    };
  },
};
