/** Detects and causes the premature end of a response. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import type { TLSSocket } from 'node:tls';
import { requestOf } from './request-of';
import { nodeProcess } from '../node-process';

/** Whether nothing more can be sent, because the response has ended or its connection has closed. */
export function isOver(res: ServerResponse): boolean {
  return res.writableEnded || res.destroyed || requestOf(res)?.socket?.destroyed === true;
}

/**
 * Calls the listener when the response closes, complete or not, or in the next tick if it has closed. It may be called more than
 * once.
 *
 * @returns a function that removes the listener
 */
export function onClosed(req: IncomingMessage, res: ServerResponse, listener: () => void): () => void {
  // Of several pipelined requests, only the first response has the socket. If it closes, Node does not notify the later
  // responses, and behind an upgrade not even their requests.
  const isQueued = res.socket === null && Boolean(req.socket);
  const forget = isQueued ? onConnectionClosed(req.socket, listener) : undefined;
  const closed = (): void => {
    forget?.();
    listener();
  };
  res.on('close', closed);
  let isWatched = true;
  // Middleware that waits may be followed by others after a disconnect
  if (res.destroyed || req.socket?.destroyed) {
    nodeProcess.nextTick(() => {
      if (isWatched) closed();
    });
  }
  return () => {
    isWatched = false;
    res.off('close', closed);
    forget?.();
  };
}

/** What to call when a connection closes, for the responses that were queued on it and have not closed. */
const waiting = new WeakMap<object, Set<() => void>>();

/**
 * Calls the listener when a connection closes, or in the next tick if it has closed. There is one listener for all
 * responses of a connection: a client may send any number of requests at once.
 *
 * @returns a function that removes the listener
 */
export function onConnectionClosed(socket: Socket, listener: () => void): () => void {
  // The same function may be passed for several responses
  const call = (): void => {
    listener();
  };
  let calls = waiting.get(socket);
  if (calls === undefined) {
    calls = new Set();
    waiting.set(socket, calls);
    socket.once('close', callWaiting);
  }
  calls.add(call);
  // Later, as events are: the caller has not begun what the listener ends
  if (socket.destroyed) {
    nodeProcess.nextTick(() => {
      if (calls.delete(call)) call();
    });
  }
  return () => void calls.delete(call);
}

function callWaiting(this: object): void {
  for (const call of waiting.get(this)!) call();
}

/**
 * Closes the connection of a response that cannot be sent, immediately or once the response reaches the front of the
 * queue.
 *
 * @param failed called when the connection emits the error, or in the next tick if the response has no connection yet
 */
export function destroyWithError(res: ServerResponse, error: Error, failed: () => void): void {
  const socket = res.socket as Partial<Socket> | null | undefined;
  // The listener is also needed because streams used by tools instead of a connection lack Node's error listener.
  if (typeof socket?.on !== 'function') nodeProcess.nextTick(failed);
  else socket.on('error', failed);
  destroyInTurn(res, error);
}

/** Destroys a response, and its connection immediately or once the response reaches the front of the queue. */
export function destroyInTurn(res: ServerResponse, error?: Error): void {
  const socket = res.socket as Partial<Socket> | null | undefined;
  if (socket != null && typeof socket.destroy !== 'function') {
    // The application has replaced the property. Node's `destroy` would throw, which in a callback ends the process.
    requestOf(res)?.socket?.destroy(error);
    return;
  }
  // Without this, Node 24 and later would leave the connection open.
  if (socket === null) res.once('socket', (late: Socket) => late.destroy(error));
  res.destroy(error);
}

/** Aborts a partly sent response, so that the client does not take it for a complete one. */
export function cutOff(res: ServerResponse): void {
  const { socket } = res;
  const endsWithConnection = !res.chunkedEncoding && !res.hasHeader('content-length');
  // To an HTTP/1.0 client, the end of the connection is the end of the body, unless the connection is reset.
  if (endsWithConnection && isPlainTcp(socket)) socket.resetAndDestroy();
  destroyInTurn(res);
}

function isPlainTcp(socket: Socket | null): socket is Socket {
  return (
    socket instanceof Socket && socket.remoteFamily !== undefined && !(socket as Partial<TLSSocket>).encrypted
  );
}
