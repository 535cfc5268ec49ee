/** Where errors of hooks go, which cannot be thrown to a caller. */
import { STATUS_CODES } from 'node:http';
import type { ServerResponse } from 'node:http';
import { destroyInTurn } from './methods';

/** Passes an error to the application's error handlers; without an application, logs it and responds with 500. */
export function passError(res: ServerResponse, error: unknown): void {
  // A response created by hand may have no request, so no caller would catch what this throws.
  const next = (res.req as { next?: (error: unknown) => void } | undefined)?.next;
  try {
    if (typeof next === 'function') {
      next(error);
      return;
    }
    // eslint-disable-next-line no-console -- the package has no other log
    console.error(error);
    if (res.headersSent) {
      destroyInTurn(res);
    } else {
      res.statusCode = 500;
      res.end(STATUS_CODES[500]);
    }
  } catch (thrown) {
    // Thrown further, this would be an unhandled rejection, which ends the process.
    // eslint-disable-next-line no-console -- the package has no other log
    console.error(thrown);
    destroyInTurn(res);
  }
}
