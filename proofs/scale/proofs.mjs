/**
 * Runs the proofs with nginx in front of several processes: as configured, or with a planted fault, which must be
 * detected.
 */
import { logIn, Pages } from './clients.mjs';
import { browser } from './proofs/browser.mjs';
import { chat } from './proofs/chat.mjs';
import { restored, rolledBack } from './proofs/drills.mjs';
import { events } from './proofs/events.mjs';
import { front } from './proofs/front.mjs';
import { killed } from './proofs/killed.mjs';
import { login } from './proofs/login.mjs';
import { overload } from './proofs/overload.mjs';
import { pictures } from './proofs/pictures.mjs';
import { restarted } from './proofs/restarted.mjs';
import { rolling } from './proofs/rolling.mjs';
import { stalled } from './proofs/stalled.mjs';
import { password, startSite } from './site.mjs';

/**
 * @typedef {{ figures: string, reached: boolean }} Outcome
 * @typedef {{ services: import('./site.mjs').Services, site: import('./site.mjs').Site, cookies: string[],
 *   credentials: { name: string, password: string }, open: (pages: number) => Promise<Pages>,
 *   fault: Fault | undefined }} Context
 * @typedef {{ name: string, says: string, client?: { forgets?: boolean },
 *   site?: (services: Context['services']) => Partial<Parameters<typeof startSite>[1]> }} Fault
 * @typedef {{ name: string, title: string, faults: Fault[], run: (context: Context) => Promise<Outcome> }} Proof
 */

export const proofs = [
  front,
  login,
  events,
  rolling,
  killed,
  restarted,
  stalled,
  browser,
  pictures,
  chat,
  overload,
  rolledBack,
  restored,
];

/** Starts a site, runs proofs one after another, and stops it. @returns {Promise<Outcome[]>} */
async function onSite(services, count, chosen, fault) {
  const site = await startSite(services, { count, ...fault?.site?.(services) });
  try {
    const credentials = { name: services.names[0] ?? '', password };
    const cookies = await Promise.all(
      services.names.map(name => logIn({ port: site.port, path: '', json: { name, password } })),
    );
    const outcomes = [];
    for (const proof of chosen) {
      /** @type {Pages[]} */
      const opened = [];
      const open = async (/** @type {number} */ pages) => {
        const after = await services.lastEvent();
        const made = new Pages(site.port, { count: pages, after, ...fault?.client });
        opened.push(made);
        await made.opened();
        return made;
      };
      const context = { services, site, cookies, credentials, open, fault };
      const began = performance.now();
      const outcome = await proof.run(context).catch(error => ({ figures: error.message, reached: false }));
      for (const pages of opened) pages.close();
      outcomes.push(outcome);
      console.log(
        `  ${outcome.reached ? '✔' : '✖'} ${fault?.says ?? proof.title} (${Math.round((performance.now() - began) / 1000)} s)\n      ${outcome.figures}`,
      );
    }
    return outcomes;
  } finally {
    await site.close();
  }
}

/** Whether all proofs hold with this number of processes. */
export async function prove(services, count, chosen) {
  console.log(`nginx before ${count} processes`);
  const outcomes = await onSite(services, count, chosen);
  return outcomes.every(({ reached }) => reached);
}

/** Whether each planted fault makes its proof fail. */
export async function proveFaults(services, count, chosen) {
  console.log(`planted faults, with ${count} processes: each must be found`);
  let isFound = true;
  for (const proof of chosen) {
    for (const fault of proof.faults) {
      const [outcome] = await onSite(services, count, [proof], fault);
      if (outcome?.reached) isFound = false;
    }
  }
  return isFound;
}
