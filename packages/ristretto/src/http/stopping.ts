/** Whether servers of this process are being stopped: `web.stop` says so, and `web.health` reports it. */

let count = 0;

/** A server is being stopped from now on. */
export function noteStop(): void {
  count++;
}

/** A server's stop is over. */
export function noteStopped(): void {
  count--;
}

export const isStopping = (): boolean => count > 0;
