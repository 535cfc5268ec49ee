/** Counts what stays open in this process: WebSockets of `app.ws` and event streams of `res.sse`. */

const counts = { websockets: 0, eventStreams: 0 };

/** Records that one was opened (1) or has closed (-1). */
export function noteOpen(kind: keyof typeof counts, change: 1 | -1): void {
  counts[kind] += change;
}

/** Returns how many are open. */
export const openCount = (kind: keyof typeof counts): number => counts[kind];
