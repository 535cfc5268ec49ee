/** What happens when nothing handled a request, or an error was left over: as in Express 4, but for the log. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { inspect } from 'node:util';
import { finish as baseFinish } from 'ristretto/lib/application/final-handler';
import { asBase } from './internals';
import type { Application } from './internals';

/**
 * Sends 404, or the error with its status, else 500; the stack is shown outside production only.
 * @param err the error that no handler took, if any
 */
export function finish(app: Application, req: IncomingMessage, res: ServerResponse, err?: unknown): void {
  baseFinish(asBase(app), req, res, err, whole);
}

/** The whole error, with its cause and its properties, if it can be read. */
function whole(error: unknown): unknown {
  try {
    inspect(error);
    return error;
  } catch {
    return 'The error cannot be read';
  }
}
