/**
 * Proof: Redis or PostgreSQL is stopped by SIGSTOP for 20 seconds, so that connections stay open and nothing replies.
 * Each response is a 503 in a few seconds, and posts that are sent again afterwards are stored once.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { request } from '../clients.mjs';
import { timeUntil } from './restarted.mjs';

const PAGES = 8;
const STALLED = 20_000;
/** Milliseconds between requests of each kind. */
const PAUSE = 500;
/** The longest limit of the application, for a silent PostgreSQL, plus a margin for busy machines. */
const IN_TIME = 7000;
/** The time after which everything works again. */
const RECOVERED = 2000;

let keys = 0;

/** @param {import('../proofs.mjs').Context} context */
async function stall(service, { services, site, cookies, open: openPages }) {
  const { boards, port } = site;
  const pids = boards.map(({ pid }) => pid);
  const open = await openPages(PAGES);
  const made = [];
  const send = ({ key, cookie }) =>
    request({
      port,
      path: '/api/posts',
      cookie,
      json: { text: `stalled ${key}.` },
      headers: { 'Idempotency-Key': `stalled-${key}` },
    });
  const replies = [];
  const timed = async asked => {
    const began = performance.now();
    const reply = await asked;
    return { ...reply, took: performance.now() - began };
  };
  service.stall();
  let alive = true;
  try {
    for (const end = performance.now() + STALLED; performance.now() < end; await sleep(PAUSE)) {
      const key = ++keys;
      const cookie = cookies[made.length % cookies.length];
      made.push({ key, cookie });
      replies.push(timed(send({ key, cookie })), timed(request({ port, path: '/', cookie })));
      const live = await request({ port: boards[0].port, plain: true, path: '/livez' });
      if (live.status !== 200) alive = false;
    }
  } finally {
    service.resume();
  }
  const found = await Promise.all(replies);
  const isClear = ({ status, headers }) => status === 503 && headers['retry-after'] === '5';
  const clear = found.filter(isClear).length;
  const served = found.filter(({ status }) => status >= 200 && status < 400).length;
  const slowest = Math.max(...found.map(({ took }) => took));
  const others = new Set(
    found.filter(reply => !isClear(reply) && reply.status >= 400).map(({ status }) => status),
  );

  const recovered = await timeUntil(async () => {
    const pages = boards.map(board =>
      request({ port: board.port, plain: true, path: '/api/session', cookie: cookies[0] }),
    );
    return (await Promise.all(pages)).every(({ status }) => status === 200);
  });
  // Sends again, as clients do if they do not know what became of their posts.
  for (const post of made) await timeUntil(async () => (await send(post)).status === 201);
  const last = await services.lastEvent();
  await open.reached(last);
  open.close();
  const texts = made.map(({ key }) => `stalled ${key}.`);
  const stored =
    await services.sql`select text, count(*)::int as times from posts where text like 'stalled %' group by text`;
  const times = new Map(stored.map(({ text, times: count }) => [text, count]));
  const lost = texts.filter(text => !times.has(text)).length;
  const doubled = texts.filter(text => (times.get(text) ?? 0) > 1).length;
  const informed = open.pages.filter(page => page.last >= last).length;
  const same = boards.filter((board, index) => board.isRunning && board.pid === pids[index]).length;
  return {
    figures: `${clear} of ${found.length} responses were a clear 503, ${served} served${others.size > 0 ? `, others ${[...others].join(', ')}` : ''}, the slowest after ${Math.round(slowest)} ms, recovered after ${Math.round(recovered)} ms; of ${made.length} posts, all sent twice, ${lost} lost, ${doubled} doubled; ${informed} of ${PAGES} pages informed, ${same} of ${boards.length} processes the same`,
    reached:
      clear > 0 &&
      clear + served === found.length &&
      slowest < IN_TIME &&
      alive &&
      recovered < RECOVERED &&
      lost + doubled === 0 &&
      informed === PAGES &&
      same === boards.length,
  };
}

/** @type {import('../proofs.mjs').Proof} */
export const stalled = {
  name: 'stalled',
  title:
    'Redis or PostgreSQL stalled for 20 seconds: a clear 503 in time, back within 2 seconds, and no post twice',
  faults: [
    {
      name: 'keyless',
      says: 'nginx drops the keys of posts',
      site: () => ({
        nginx: [[/proxy_http_version 1\.1;/, 'proxy_http_version 1.1; proxy_set_header Idempotency-Key "";']],
      }),
    },
  ],
  async run(context) {
    const { redis, postgres } = context.services;
    const first = await stall(redis, context);
    if (!first.reached) return { ...first, figures: `Redis: ${first.figures}` };
    const second = await stall(postgres, context);
    return {
      figures: `Redis: ${first.figures}; PostgreSQL: ${second.figures}`,
      reached: second.reached,
    };
  },
};
