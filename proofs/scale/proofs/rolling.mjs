/** Proof: if all processes are restarted in turn under load, no request, post or event is lost or duplicated. */
import { setTimeout as sleep } from 'node:timers/promises';
import { compare } from '../compare.mjs';
import { listed, startLoad } from '../load.mjs';

const PAGES = 8;
const RESTARTS = 6;

/** @type {import('../proofs.mjs').Proof} */
export const rolling = {
  name: 'rolling',
  title: 'a rolling restart of all processes under load loses nothing',
  faults: [
    {
      name: 'abrupt',
      says: 'the processes have no time to stop',
      // Quotes cannot be used in this variable.
      site: () => ({
        env: () => ({
          NODE_OPTIONS: '--import=data:text/javascript,process.on(`SIGTERM`,()=>process.exit())',
        }),
      }),
    },
    { name: 'forgetful', says: 'clients send no Last-Event-ID', client: { forgets: true } },
  ],
  async run({ services, site, cookies, credentials, open: openPages }) {
    const { boards, port } = site;
    const from = await services.lastEvent();
    const open = await openPages(PAGES);
    const load = startLoad({ port, cookies, login: credentials, kinds: ['read', 'page', 'change', 'post'] });
    await sleep(500);
    let slowest = 0;
    for (let n = 0; n < RESTARTS; n++) {
      const board = boards[n % boards.length];
      const began = performance.now();
      await board?.stop();
      slowest = Math.max(slowest, performance.now() - began);
      await board?.start();
      await sleep(500);
    }
    const { requests, counts, failures, posts } = await load.end();
    const to = await services.lastEvent();
    await open.reached(to);
    open.close();
    const found = await compare(services, from, to, posts, open.pages);
    const seen = found.events * PAGES;
    return {
      figures: `${RESTARTS} restarts, each process stopped within ${Math.round(slowest)} ms: ${failures.length} of ${requests} requests failed${failures.length > 0 ? ` (${listed(failures)})` : ''}; of ${counts.post} posts ${found.lost} lost, ${found.doubled} doubled; of ${seen} events ${found.missed} missed, ${found.repeated} repeated, in ${open.reconnects} reconnections`,
      reached:
        failures.length === 0 &&
        found.events > 0 &&
        found.lost + found.doubled + found.missed + found.repeated + found.reloaded === 0 &&
        open.reconnects > 0,
    };
  },
};
