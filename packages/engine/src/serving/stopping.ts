/** Counts the servers of this process that are being stopped. Set by `web.stop`, reported by `web.health`. */

let count = 0;

/** Records that a server's stop has begun. */
export function noteStop(): void {
  count++;
}

/** Records that a server's stop is complete. */
export function noteStopped(): void {
  count--;
}

export const isStopping = (): boolean => count > 0;
