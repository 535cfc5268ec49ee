/** Counts the open WebSockets of this process. Set by `app.ws`, reported by `web.health`. */

let count = 0;

/** Records that a socket was opened (1) or has closed (-1). */
export function noteSocket(change: 1 | -1): void {
  count += change;
}

/** Returns the number of open sockets. */
export const openSocketCount = (): number => count;
