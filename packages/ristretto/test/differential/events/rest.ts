/** Waits until nothing moves any more in a process that is server and client at once. */
import { setImmediate as turn, setTimeout as sleep } from 'node:timers/promises';

/** Turns of the event loop without anything new. */
const TURNS = 8;
const PATIENCE = 6_000;
/** So long the system may take from one end of a connection to the other; some things never arrive. */
const JOURNEY = 60;

export interface Movement {
  /** Grows with everything that happens. */
  count(): number;
  /** Whether the client leaves what it is sent in the socket. */
  isPaused(): boolean;
  /** Whether one end of the connection has sent what the other has not got. */
  isUnderWay(): boolean;
}

/** Resolves when nothing has happened for some turns and nothing is under way; false when that takes too long. */
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

/** Whether something that was asked of the system will come by itself. */
function isBusy(movement: Movement): boolean {
  const resources = process.getActiveResourcesInfo();
  return resources.some(
    name => name === 'FSReqCallback' || (name.endsWith('WriteWrap') && !movement.isPaused()),
  );
}
