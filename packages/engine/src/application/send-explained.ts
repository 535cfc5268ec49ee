/** Sends an explanation of an error instead of the default error handler's page. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { explain } from '../dev/error-page/explain';
import type { Explained } from '../dev/error-page/explain';
import type { Application } from '../types/internals';

/**
 * Runs the default error handler, but replaces its page with the explanation. The default error handler still sets
 * status and headers, and tools that wrap it see the error. If there is no explanation, its own page is sent.
 * @param respond runs the default error handler, which must end the response before it returns
 */
export function sendExplained(
  app: Application,
  req: IncomingMessage,
  res: ServerResponse,
  error: unknown,
  respond: () => void,
): void {
  const own = Object.getOwnPropertyDescriptor(res, 'end');
  let isReplaced = true;
  const restore = (): void => {
    if (!isReplaced) return;
    isReplaced = false;
    if (own === undefined) Reflect.deleteProperty(res, 'end');
    else Object.defineProperty(res, 'end', own);
  };
  const end = (...args: unknown[]): unknown => {
    restore();
    const explained = explanationOf(app, req, res, error);
    if (explained === undefined) return (res.end as (...all: unknown[]) => unknown)(...args);
    for (const [name, value] of Object.entries(explained.headers)) res.setHeader(name, value);
    res.setHeader('Content-Length', Buffer.byteLength(explained.body));
    // A response to HEAD gets only the headers and is ended without a body
    return args.length === 0 ? res.end() : res.end(explained.body, 'utf8');
  };
  Object.defineProperty(res, 'end', { value: end, configurable: true, writable: true });
  try {
    respond();
  } finally {
    restore();
  }
}

/** Explains an error; returns undefined if that fails, so that the failure does not hide the error. */
function explanationOf(
  app: Application,
  req: IncomingMessage,
  res: ServerResponse,
  error: unknown,
): Explained | undefined {
  try {
    return explain(req, app.settings, error, res.statusCode);
  } catch {
    return undefined;
  }
}
