/** Where a response that does not go over HTTP/1.1 keeps the function that sends it in one piece. */
import type { ServerResponse } from 'node:http';

/**
 * Sends a response of which nothing has been written.
 * @returns whether it was sent; if not, Node's functions are to send it
 */
export type SendWhole = (res: ServerResponse, body: string | Uint8Array, encoding: BufferEncoding) => boolean;

/** On a response. */
export const SEND_WHOLE = Symbol('sends the response in one piece');

/** The function of a response; undefined for HTTP/1.1. */
export function sendWholeOf(res: ServerResponse): SendWhole | undefined {
  return (res as { [SEND_WHOLE]?: SendWhole })[SEND_WHOLE];
}
