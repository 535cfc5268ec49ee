/**
 * Hooks that run just before a response goes out: where middleware sets its last headers, stores a session, compresses
 * the body.
 */
import type { ServerResponse } from 'node:http';

/** The functions through which a response sends its body in pieces. */
export interface Output {
  /** Sends a piece. Returns false if the client reads more slowly than this is called; `drain` follows on the response. */
  write(chunk: string | Uint8Array, encoding?: BufferEncoding): boolean;
  /** Ends the body, with a last piece if one is given. */
  end(chunk?: string | Uint8Array, encoding?: BufferEncoding): void;
}

/** What middleware does before a response goes out. Hooks that were added last run first, as functions that wrap would. */
export interface ResponseHook {
  /** Called once, before the header block is created: may change status and headers. */
  head?(res: ServerResponse): void;
  /**
   * Called with the whole body, after `head`, before anything is sent.
   * @returns another body to send instead, undefined to send it as it is, or a promise of either, for which the response waits
   */
  whole?(
    res: ServerResponse,
    body: string | Uint8Array,
  ): string | Uint8Array | undefined | Promise<string | Uint8Array | undefined>;
  /**
   * Called after `head` if the body is sent in pieces.
   * @param next sends what this returns
   * @returns functions that receive the pieces instead; undefined to leave them as they are
   */
  pieces?(res: ServerResponse, next: Output): Output | undefined;
}
