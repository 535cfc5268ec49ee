/**
 * The ends of what file serving works with: when an answer's connection has gone, how it is closed, and how a descriptor
 * is.
 */
import { closeSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** Whether nothing can be sent any more: the answer has ended, or its connection has. */
export function isOver(res: ServerResponse): boolean {
  return res.writableEnded || res.destroyed || res.req.socket?.destroyed;
}

/**
 * Calls the listener when the answer is closed, complete or not. It may be called more than once.
 *
 * @returns a function that takes the listener away
 */
export function onClosed(req: IncomingMessage, res: ServerResponse, listener: () => void): () => void {
  res.on('close', listener);
  // Of pipelined requests only the first has the socket. If that closes, the runtime does not tell the answers
  // behind it, but their requests.
  const isQueued = res.socket === null && Boolean(req.socket);
  const closed = (): void => {
    if (req.socket.destroyed) listener();
    else req.socket.on('close', listener);
  };
  if (isQueued) {
    if (req.destroyed) closed();
    else req.on('close', closed);
  }
  return () => {
    res.off('close', listener);
    if (!isQueued) return;
    req.off('close', closed);
    req.socket.off('close', listener);
  };
}

/**
 * Closes the connection of a response that can't be sent, at once or when its turn comes.
 *
 * @param failed called when the connection emits the error, or in the next turn where the response has none yet
 */
export function breakOff(res: ServerResponse, error: Error, failed: () => void): void {
  const { socket } = res;
  if (socket === null) {
    // Node 24 and later would leave the connection open.
    res.once('socket', (late: Socket) => late.destroy(error));
    process.nextTick(failed);
  } else {
    // Also because streams that tools use in place of a connection have no listener of Node's.
    socket.on('error', failed);
  }
  res.destroy(error);
}

/** Closes a descriptor that was only read from. There is nothing to be lost, so an error is of no interest. */
export function closeNow(fd: number): void {
  try {
    closeSync(fd);
  } catch {
    // The system has let go of it all the same.
  }
}
