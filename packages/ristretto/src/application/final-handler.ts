/** What happens when nothing handled a request, or an error was left over. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type finalHandlerType = require('finalhandler');
import type { Application } from '../types/internals';

type FinalHandler = typeof finalHandlerType;

// Required at the first need, and under its own name: tools wrap it to see unhandled errors.
let finalHandler: FinalHandler | undefined;

/**
 * Answers 404, or the error with its status, else 500; the stack is shown outside production only. Once headers are
 * out the socket is destroyed, so that no client takes a broken body for a whole one.
 * @param err the error that no handler took, if any
 */
export function finish(app: Application, req: IncomingMessage, res: ServerResponse, err?: unknown): void {
  finalHandler ??= require('finalhandler') as FinalHandler;
  // finalhandler would take it for the status, and fail where nobody catches it: one request could end the process
  if (Number.isNaN(res.statusCode)) res.statusCode = 500;
  finalHandler(req, res, {
    env: app.get('env'),
    onerror: (error: unknown) => {
      logError(app, error);
    },
  })(err);
}

/** Writes an unhandled error to the standard error, but in tests. */
function logError(app: Application, error: unknown): void {
  if (app.get('env') === 'test') return;
  const { stack } = Object(error) as { stack?: unknown };
  // eslint-disable-next-line no-console -- the log of last resort
  console.error(stack || String(error));
}
