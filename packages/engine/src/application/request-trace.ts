/** Publishes requests on the tracing channel `ristretto.request`. Loaded when the first request is published. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { adopt } from '../serving/adopt';
import { enter, enteringRequests, requests } from '../report/channels';
import { onClosed } from '../serving/closing';
import type { Application } from '../types/internals';

interface Context {
  app: Application;
  req: IncomingMessage;
  res: ServerResponse;
  error?: unknown;
  aborted?: boolean;
}

const { start, end, asyncStart, asyncEnd, error: errors } = requests;

/** The contexts passed to subscribers, by request. */
const contexts = new WeakMap<IncomingMessage, Context>();

/** Handles a request by calling `run` within the stores bound to the `start` channel. */
export function traceRequest(
  app: Application,
  req: IncomingMessage,
  res: ServerResponse,
  run: () => void,
): void {
  if (contexts.has(req)) {
    // A handler has passed the request to another application
    run();
    return;
  }
  // Subscribers may read members of the framework before the first layer runs
  adopt(app, req, res);
  const context: Context = { app, req, res };
  contexts.set(req, context);
  let isOver = false;
  onClosed(req, res, () => {
    if (isOver) return;
    isOver = true;
    context.aborted = !res.writableFinished;
    asyncStart.runStores(context, () => {
      asyncEnd.publish(context);
    });
  });
  enter(enteringRequests, context, () => {
    start.runStores(context, () => {
      try {
        run();
      } finally {
        end.publish(context);
      }
    });
  });
}

/** Publishes an error that no handler handled. */
export function traceError(
  app: Application,
  req: IncomingMessage,
  res: ServerResponse,
  error: unknown,
): void {
  // The subscriber may have subscribed after the request started
  const context = contexts.get(req) ?? { app, req, res };
  context.error = error;
  errors.publish(context);
}
