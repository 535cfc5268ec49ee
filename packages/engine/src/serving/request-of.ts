/** Finds the request of a response, for code whose exceptions would end the process. */
import type { IncomingMessage, ServerResponse } from 'node:http';

/** Returns the request of a response; undefined if the application has deleted `res.req`, as it may. */
export function requestOf(res: ServerResponse): Partial<IncomingMessage> | undefined {
  return res.req;
}
