/** The end of a response before its time: how it is noticed, and how it is brought about. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import type { TLSSocket } from 'node:tls';

/** Whether nothing can be sent any more: the response has ended, or its connection has. */
export function isOver(res: ServerResponse): boolean {
  return res.writableEnded || res.destroyed || res.req.socket?.destroyed;
}

/**
 * Calls the listener when the response is closed, complete or not. It may be called more than once.
 *
 * @returns a function that takes the listener away
 */
export function onClosed(req: IncomingMessage, res: ServerResponse, listener: () => void): () => void {
  res.on('close', listener);
  // Of pipelined requests only the first has the socket. If that closes, Node does not tell the responses
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
  if (socket === null) process.nextTick(failed);
  // Also because streams that tools use in place of a connection have no listener of Node's.
  else socket.on('error', failed);
  destroyInTurn(res, error);
}

/** Destroys a response, and its connection at once or when its turn comes. */
function destroyInTurn(res: ServerResponse, error?: Error): void {
  // Node 24 and later would leave the connection open.
  if (res.socket === null) res.once('socket', (late: Socket) => late.destroy(error));
  res.destroy(error);
}

/**
 * Breaks off a response of which a part has been sent, so that the client does not take it for a complete one.
 */
export function cutOff(res: ServerResponse): void {
  const { socket } = res;
  const endsWithConnection = !res.chunkedEncoding && !res.hasHeader('content-length');
  // To a client of HTTP/1.0 the end of the connection is the end of the body, unless the connection is reset.
  if (endsWithConnection && isPlainTcp(socket)) socket.resetAndDestroy();
  destroyInTurn(res);
}

function isPlainTcp(socket: Socket | null): socket is Socket {
  return (
    socket instanceof Socket && socket.remoteFamily !== undefined && !(socket as Partial<TLSSocket>).encrypted
  );
}
