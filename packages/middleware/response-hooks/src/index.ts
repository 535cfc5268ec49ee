/**
 * Hooks that run just before a response goes out: where middleware sets its last headers, stores a session, compresses
 * the body.
 */
import type { Http2ServerResponse } from 'node:http2';
import type { ServerResponse } from 'node:http';
import { DOOR, Interceptor } from './interceptor';
import type { InterceptedResponse } from './interceptor';

/** A whole body, or a piece of one. */
export type Content = string | Uint8Array;

/** The functions through which a response sends its body in pieces. */
export interface Output {
  /**
   * Sends a piece.
   * @param callback called when the piece has been passed on, or with an error
   * @returns false if the client reads more slowly than this is called; `drain` follows on the response
   */
  write(chunk: Content, encoding?: BufferEncoding, callback?: (error?: Error | null) => void): boolean;
  /** Ends the body, with a last piece if one is given. */
  end(chunk?: Content, encoding?: BufferEncoding): void;
  /**
   * Called when there is room again after the next output's `write` has returned false. Without this function, the event
   * is passed on.
   */
  drain?(): void;
}

/**
 * What middleware does before a response goes out. Hooks that were added last run first, as functions that wrap would.
 *
 * Each function is called at most once. If one throws or rejects, the error goes to the error handlers, and the hooks
 * that have not run yet run for the response to it.
 */
export interface ResponseHook {
  /**
   * Called before the header block is created: may change status and headers, including those passed to `writeHead`.
   * @param body the body, if it is known as a whole; undefined if it is sent in pieces, or `writeHead` has been called
   */
  head?(res: ServerResponse, body: Content | undefined): void;
  /**
   * Called with the whole body, after `head`, before anything of it is sent; with an empty string if there is none. May
   * change headers unless `head` was called without a body. `Content-Length` follows the body that this returns.
   * @returns another body to send instead, undefined to send it as it is, or a promise of either, for which the response waits
   */
  whole?(res: ServerResponse, body: Content): Content | undefined | Promise<Content | undefined>;
  /**
   * Called after `head` if the body is sent in pieces.
   * @param next sends what this returns
   * @param drain to be called when there is room again after `write` of what this returns has returned false
   * @returns functions that receive the pieces instead; undefined to leave them as they are
   */
  pieces?(res: ServerResponse, next: Output, drain: () => void): Output | undefined;
}

/**
 * Adds a hook that runs before the response goes out.
 * @param res any response of Node: `http`, `http2`, or of a framework
 * @throws TypeError if `res` is not a response; Error if its headers have been sent
 */
export function addResponseHook(res: ServerResponse | Http2ServerResponse, hook: ResponseHook): void {
  const response = res as InterceptedResponse;
  if (typeof response?.writeHead !== 'function' || typeof response.end !== 'function') {
    throw new TypeError(
      `addResponseHook: expected a response, got ${response === null ? 'null' : typeof res}`,
    );
  }
  if (response.headersSent) {
    const error = new Error('addResponseHook: the headers have been sent, so the hook would never run');
    throw Object.assign(error, { code: 'ERR_HTTP_HEADERS_SENT' });
  }
  const top = response[DOOR]?.top;
  (top?.isOnTop() === true ? top : new Interceptor(response)).add(hook);
}
