/** Waits until everything is idle in a process that is server and client at once. */
import { setImmediate as turn, setTimeout as sleep } from 'node:timers/promises';

/** Turns of the event loop in which nothing must happen. */
const TURNS = 8;
/** The factor by which all time limits are extended. */
const SLOWNESS = Number(process.env.DIFFERENTIAL_SLOWNESS ?? 1);
const PATIENCE = 6_000 * SLOWNESS;
/** How long the system may take to deliver data from one end of a connection to the other; some data never arrives. */
const JOURNEY = 60 * SLOWNESS;

export interface Movement {
  /** Returns a number that grows with every event. */
  count(): number;
  /** Whether the client has stopped reading from the socket. */
  isPaused(): boolean;
  /** Whether one end of the connection has sent bytes that the other has not received. */
  isUnderWay(): boolean;
}

/**
 * Resolves with true when nothing has happened for some turns and no bytes are in transit; false if that takes too
 * long.
 */
export async function atRest(movement: Movement): Promise<boolean> {
  const deadline = performance.now() + PATIENCE;
  let last = -1;
  let since = 0;
  while (performance.now() < deadline) {
    const before = movement.count();
    if (before !== last) since = performance.now();
    last = before;
    if (!(await isStill(movement, TURNS))) continue;
    await sleep(1);
    if (movement.isUnderWay() && performance.now() - since < JOURNEY) continue;
    if (await isStill(movement, TURNS / 2)) return true;
  }
  return false;
}

async function isStill(movement: Movement, turns: number): Promise<boolean> {
  const before = movement.count();
  for (let left = turns; left > 0; left--) await turn();
  return movement.count() === before && !isBusy(movement);
}

/** Whether a pending operation of the system will complete by itself. */
function isBusy(movement: Movement): boolean {
  const resources = process.getActiveResourcesInfo();
  return resources.some(
    name => name === 'FSReqCallback' || (name.endsWith('WriteWrap') && !movement.isPaused()),
  );
}
