/**
 * Proof: under three times its capacity, for a minute, a process with web.overload does nearly as much as it can, quickly, and
 * rejects the rest. It runs without nginx and stores: they would share the cores with it.
 */
import { closedLoop, openLoop, useServer } from '../../bench/overload/load.mjs';

const SECONDS = 60;
const UNLOADED = 5;
const AT_CAPACITY = 10;
const CONNECTIONS = 40;
const TIMES = 3;
/** By processor time, because other processes take some of what the server had alone. */
const SHARE = 0.9;
const SLOWER = 2;
/** Milliseconds for 99 of 100 health checks: any program on the machine may delay one of them. */
const HEALTHY = 100;

/** @type {import('../proofs.mjs').Proof} */
export const overload = {
  name: 'overload',
  title: 'three times the capacity for a minute: most of it is served, quickly, and the rest rejected',
  faults: [{ name: 'unshed', says: 'the application rejects nothing' }],
  async run({ fault }) {
    // Its capacity is what it delivers without rejecting anything.
    const { unloaded, peak } = await useServer('ristretto', async server => ({
      unloaded: await closedLoop(server, 1, UNLOADED),
      peak: await closedLoop(server, CONNECTIONS, AT_CAPACITY),
    }));
    const over = await useServer(fault ? 'ristretto' : 'ristretto with web.overload', server =>
      openLoop(server, peak.goodput * TIMES, SECONDS),
    );
    const share = over.efficiency / peak.efficiency;
    const before = unloaded.rank(0.99);
    const after = over.rank(0.99);
    const health = over.rank(0.99, over.health);
    return {
      figures: `${Math.round(over.goodput)} of ${Math.round(peak.goodput)} requests a second, ${Math.round(share * 100)} % by processor time; 99 % within ${Math.round(after)} ms, unloaded ${Math.round(before)} ms; ${Math.round(over.rejected / SECONDS)} rejected a second, ${over.failed} failed; 99 % of the health checks within ${Math.round(health)} ms, all within ${Math.round(over.rank(1, over.health))} ms`,
      reached:
        share >= SHARE &&
        after <= SLOWER * before &&
        over.failed === 0 &&
        over.rejected > 0 &&
        health <= HEALTHY,
    };
  },
};
