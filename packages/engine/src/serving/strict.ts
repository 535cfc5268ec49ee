/** Marks the requests that `strict http` applies to. */
import type { IncomingMessage } from 'node:http';

const STRICT: unique symbol = Symbol('strict http');

interface MarkedRequest extends IncomingMessage {
  [STRICT]?: true;
}

/** Marks a request as handled by an application with `strict http`. */
export function markStrict(req: IncomingMessage): void {
  (req as MarkedRequest)[STRICT] = true;
}

/** Whether `strict http` applies to the request. */
export function isStrict(req: IncomingMessage): boolean {
  return (req as MarkedRequest)[STRICT] === true;
}
