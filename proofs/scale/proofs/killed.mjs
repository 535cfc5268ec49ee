/** Proof: killing a process affects only its own in-flight requests. */
import { setTimeout as sleep } from 'node:timers/promises';
import { compare } from '../compare.mjs';
import { listed, startLoad } from '../load.mjs';

const PAGES = 8;
/** Milliseconds during which a busy nginx may not have noticed that its connections to the process are closed. */
const UNNOTICED = 250;

/** @type {import('../proofs.mjs').Proof} */
export const killed = {
  name: 'killed',
  title: 'a process killed with SIGKILL costs only its own in-flight requests',
  faults: [
    {
      name: 'no-failover',
      says: 'nginx tries no other process',
      site: () => ({ nginx: [[/proxy_next_upstream error timeout;/, 'proxy_next_upstream off;']] }),
    },
  ],
  async run({ services, site, cookies, credentials, open: openPages }) {
    const { boards, port, nginx } = site;
    const from = await services.lastEvent();
    const open = await openPages(PAGES);
    const earlier = nginx.requests().length;
    // A login takes a while, so some are always in flight.
    const kinds = /** @type {const} */ (['read', 'page', 'change', 'post', 'login']);
    const load = startLoad({ port, cookies, login: credentials, kinds: [...kinds] });
    await sleep(2000);
    const victim = boards[0];
    const early = load.failures.length;
    await victim?.stop('SIGKILL');
    const gone = performance.now();
    await sleep(2000);
    await victim?.start();
    await sleep(1000);
    const { requests, failures, posts } = await load.end();
    const to = await services.lastEvent();
    await open.reached(to);
    open.close();
    const found = await compare(services, from, to, posts, open.pages);
    const later = failures.filter(({ began }) => began > gone + UNNOTICED).length;
    const failed = nginx
      .requests()
      .slice(earlier)
      .filter(({ status }) => status >= 400);
    const ofOthers = failed.filter(({ upstreams }) => !upstreams.startsWith(`127.0.0.1:${victim?.port}`));
    const repeated = nginx
      .requests()
      .slice(earlier)
      .filter(({ upstreams }) => upstreams.includes(',')).length;
    return {
      figures: `${failures.length} of ${requests} requests failed${failures.length > 0 ? ` (${listed(failures)})` : ''}: ${early} before it was killed, ${later} that began later, ${ofOthers.length} of other processes; ${repeated} were sent by another process instead; of ${posts.length} posts ${found.lost} lost, ${found.doubled} doubled; of ${found.events * PAGES} events ${found.missed} missed, ${found.repeated} repeated, in ${open.reconnects} reconnections`,
      reached:
        early + later + ofOthers.length === 0 &&
        found.lost + found.doubled + found.missed + found.repeated + found.reloaded === 0 &&
        open.reconnects > 0 &&
        repeated > 0,
    };
  },
};
