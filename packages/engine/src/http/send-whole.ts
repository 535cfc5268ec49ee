/**
 * The property of a response in which the function that sends it in one piece is stored, unless it is sent over
 * HTTP/1.1.
 */
import type { ServerResponse } from 'node:http';

/**
 * Sends a response of which nothing has been written.
 * @returns whether it was sent; if not, Node's methods must send it
 */
export type SendWhole = (res: ServerResponse, body: string | Uint8Array, encoding: BufferEncoding) => boolean;

/** The key of that function on a response. */
export const SEND_WHOLE = Symbol('sends the response in one piece');

/** Returns the function of a response; undefined for HTTP/1.1. */
export function sendWholeOf(res: ServerResponse): SendWhole | undefined {
  return (res as { [SEND_WHOLE]?: SendWhole })[SEND_WHOLE];
}
