/** The automatic response to OPTIONS: the methods of all routes that the path matched. */
import type { ServerResponse } from 'node:http';

/**
 * Sends the list as `Allow` header and as body, without the framework's response members, because routers also work
 * without them.
 */
export function sendOptions(
  res: ServerResponse,
  methods: readonly string[],
  next: (err?: unknown) => void,
): void {
  try {
    const list = [...methods].sort().join(', ');
    res.setHeader('Allow', list);
    res.setHeader('Content-Length', Buffer.byteLength(list));
    res.setHeader('Content-Type', 'text/plain');
    res.setHeader('X-Content-Type-Options', 'nosniff');
    res.end(list);
  } catch (error) {
    next(error);
  }
}
