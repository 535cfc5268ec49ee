/** Which requests are handled strictly: the mark that `strict http` leaves on them. */
import type { IncomingMessage } from 'node:http';

const STRICT: unique symbol = Symbol('strict http');

interface MarkedRequest extends IncomingMessage {
  [STRICT]?: true;
}

/** Marks a request as one of an application with `strict http`. */
export function markStrict(req: IncomingMessage): void {
  (req as MarkedRequest)[STRICT] = true;
}

/** Whether the request is handled strictly. */
export function isStrict(req: IncomingMessage): boolean {
  return (req as MarkedRequest)[STRICT] === true;
}
