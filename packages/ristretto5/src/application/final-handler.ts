/** Responds when no handler did, or when an error was not handled: as in Express 4, except for the log. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { inspect } from 'node:util';
import { sendFinalResponse as baseFinish } from '@ristretto/private-engine/lib/application';
import { asBase } from './internals';
import type { Application } from './internals';

/**
 * Responds with 404, or with the error's status, or 500; the stack is shown only outside production.
 * @param err the error that no handler handled, if any
 */
export function sendFinalResponse(
  app: Application,
  req: IncomingMessage,
  res: ServerResponse,
  err?: unknown,
): void {
  baseFinish(asBase(app), req, res, err, whole);
}

/** Returns the error itself, to log it with its cause and its properties, if it can be inspected. */
function whole(error: unknown): unknown {
  try {
    inspect(error);
    return error;
  } catch {
    return 'The error cannot be read';
  }
}
