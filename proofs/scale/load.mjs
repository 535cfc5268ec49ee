/**
 * Generates load: visitors who read, and members who post and make changes, all at once and through nginx; records the
 * responses.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { keepAlive, request } from './clients.mjs';

/**
 * @typedef {{ kind: string, status: number, began: number, ended: number, reason: string }} Failure
 * @typedef {{ text: string, isConfirmed: boolean }} Post
 */

/** The number of workers of each kind, the pause between their requests, and the expected status. */
const KINDS = {
  read: { workers: 4, pause: 2, expected: 200 },
  page: { workers: 2, pause: 5, expected: 200 },
  change: { workers: 4, pause: 2, expected: 303 },
  post: { workers: 3, pause: 60, expected: 201 },
  login: { workers: 2, pause: 0, expected: 201 },
};

let posts = 0;

/**
 * Starts the load; `end` resolves when the last response has arrived.
 * @param {{ port: number, cookies: string[], login: object, kinds: (keyof typeof KINDS)[] }} options
 */
export function startLoad({ port, cookies, login, kinds }) {
  const agent = keepAlive();
  const counts = /** @type {Record<string, number>} */ ({});
  const failures = /** @type {Failure[]} */ ([]);
  const sent = /** @type {Post[]} */ ([]);
  let isOn = true;

  const ask = (/** @type {string} */ kind, /** @type {number} */ worker) => {
    const cookie = cookies[worker % cookies.length] ?? '';
    const common = { port, agent, cookie };
    if (kind === 'read') return request({ port, agent, path: '/api/posts?limit=5' });
    if (kind === 'page') return request({ ...common, path: '/' });
    if (kind === 'change') return request({ ...common, path: '/theme', form: 'theme=dark' });
    if (kind === 'login') return request({ port, agent, path: '/api/session', json: login });
    const text = `under load ${++posts}.`;
    sent.push({ text, isConfirmed: false });
    return request({ ...common, path: '/api/posts', json: { text } });
  };

  const work = async (/** @type {keyof typeof KINDS} */ kind, /** @type {number} */ worker) => {
    const { pause, expected } = KINDS[kind];
    while (isOn) {
      const began = performance.now();
      const asked = ask(kind, worker);
      const post = kind === 'post' ? sent.at(-1) : undefined;
      const { status, error } = await asked;
      counts[kind] = (counts[kind] ?? 0) + 1;
      if (status !== expected)
        failures.push({ kind, status, began, ended: performance.now(), reason: error?.message ?? '' });
      else if (post) post.isConfirmed = true;
      await sleep(pause);
    }
  };
  const workers = kinds.flatMap(kind =>
    Array.from({ length: KINDS[kind].workers }, (_, worker) => work(kind, worker)),
  );

  return {
    failures,
    async end() {
      isOn = false;
      await Promise.all(workers);
      agent.destroy();
      const requests = Object.values(counts).reduce((sum, count) => sum + count, 0);
      return { counts, requests, failures, posts: sent };
    },
  };
}

/** Returns a readable list of what went wrong. @param {Failure[]} failures */
export const listed = failures =>
  [...new Set(failures.map(({ kind, status, reason }) => `${kind} ${status || reason}`))].join(', ');
