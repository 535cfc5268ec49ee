/** Reports requests on the tracing channel `ristretto.request`. Loaded with the first request that is reported. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { adopt } from '../http/adopt';
import { requests } from '../report/channels';
import type { Application } from '../types/internals';

interface Context {
  app: Application;
  req: IncomingMessage;
  res: ServerResponse;
  error?: unknown;
  aborted?: boolean;
}

const { start, end, asyncStart, asyncEnd, error: errors } = requests;

/** What subscribers were given for a request. */
const contexts = new WeakMap<IncomingMessage, Context>();

/** Handles a request by `run`, in the stores that are bound to `start`. */
export function traceRequest(
  app: Application,
  req: IncomingMessage,
  res: ServerResponse,
  run: () => void,
): void {
  if (contexts.has(req)) {
    // a handler has given it to another application
    run();
    return;
  }
  // subscribers may read their members before the first layer runs
  adopt(app, req, res);
  const context: Context = { app, req, res };
  contexts.set(req, context);
  res.once('close', () => {
    context.aborted = !res.writableFinished;
    asyncStart.runStores(context, () => {
      asyncEnd.publish(context);
    });
  });
  start.runStores(context, () => {
    try {
      run();
    } finally {
      end.publish(context);
    }
  });
}

/** Reports an error that no handler took. */
export function traceError(
  app: Application,
  req: IncomingMessage,
  res: ServerResponse,
  error: unknown,
): void {
  // the subscriber may have come after the request
  const context = contexts.get(req) ?? { app, req, res };
  context.error = error;
  errors.publish(context);
}
