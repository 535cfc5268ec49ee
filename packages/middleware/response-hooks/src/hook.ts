/** The type of hooks. */
import type { ServerResponse } from 'node:http';

/** A complete body, or a chunk of one. */
export type Content = string | Uint8Array;

/** Called when a chunk has been written, or with an error. */
export type Callback = (error?: Error | null) => void;

/** The functions through which a response sends its body in chunks. */
export interface Output {
  /**
   * Sends a chunk.
   * @param callback called when the chunk has been passed on, or with an error
   * @returns false if the client reads more slowly than this is called; `drain` follows on the response
   */
  write(chunk: Content, encoding?: BufferEncoding, callback?: Callback): boolean;
  /** Ends the body, with a last chunk if one is passed. */
  end(chunk?: Content, encoding?: BufferEncoding): void;
  /**
   * Called when there is room again, after the next output's `write` has returned false. Without this function, the
   * event is passed on.
   */
  drain?(): void;
}

/**
 * Hooks into a response before it is sent. The hooks that were added last run first, like functions that wrap each
 * other. Each function is called at most once. If one throws or rejects, the error goes to the error handlers, and
 * the hooks that have not run yet run for the error response.
 */
export interface ResponseHook {
  /**
   * Called before the header block is created: may change status and headers, including those passed to `writeHead`.
   * @param body the complete body; undefined if it is sent in chunks, or if `writeHead` has been called
   */
  head?(res: ServerResponse, body: Content | undefined): void;
  /**
   * Called with the complete body, after `head`, before any of it is sent; with an empty string if there is none. May
   * change headers until it returns, unless `head` was called without a body: while a response waits for the promise,
   * setters throw, since it is as good as sent. `Content-Length` follows the body that this returns.
   * @returns another body to send instead, undefined to send it as it is, or a promise of either, which the response
   *   waits for
   */
  whole?(res: ServerResponse, body: Content): Content | undefined | Promise<Content | undefined>;
  /**
   * Called after `head` if the body is sent in chunks.
   * @param next sends what this returns
   * @param drain to be called when there is room again, after `write` of the returned output has returned false
   * @returns an output that receives the chunks instead; undefined to leave them as they are
   */
  pieces?(res: ServerResponse, next: Output, drain: () => void): Output | undefined;
}
