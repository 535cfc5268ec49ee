/** What this process is doing apart from requests: servers being stopped, WebSockets and event streams that are open. */

let stopping = 0;

/** Records that a server's stop has begun. */
export function noteStop(): void {
  stopping++;
}

/** Records that a server's stop is complete. */
export function noteStopped(): void {
  stopping--;
}

export const isStopping = (): boolean => stopping > 0;

const open = { websockets: 0, eventStreams: 0 };

/** Records that one was opened (1) or has closed (-1). */
export function noteOpen(kind: keyof typeof open, change: 1 | -1): void {
  open[kind] += change;
}

/** Returns how many are open. */
export const openCount = (kind: keyof typeof open): number => open[kind];
