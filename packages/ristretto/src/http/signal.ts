/**
 * The `AbortSignal` of a request: made when it is first asked for, and aborted when the connection closes before the
 * response is finished. Of what a kind of server does when a client disconnects, only this is relied on: it closes the
 * response that is being sent, and the socket of all others.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';

/** Requests know their response from the application's first layers on. */
export type SignalledRequest = IncomingMessage & { res: ServerResponse };

const controllers = new WeakMap<IncomingMessage, AbortController>();

/** Responses whose turn on their connection has not come: by connection, what to call when it closes. */
const waiting = new WeakMap<Socket, Set<() => void>>();

/** The signal of a request; the same each time. */
export function signalOf(req: SignalledRequest): AbortSignal {
  return controllerOf(req).signal;
}

/**
 * Aborts the signal of a request, unless it is aborted. It need not have been asked for: then it is aborted when it is.
 * @param reason what `signal.reason` says
 */
export function abortSignal(req: SignalledRequest, reason: unknown): void {
  controllerOf(req).abort(reason);
}

function controllerOf(req: SignalledRequest): AbortController {
  const known = controllers.get(req);
  if (known !== undefined) return known;
  const controller = new AbortController();
  controllers.set(req, controller);
  const { res, socket } = req;
  if (!res.closed) watch(req, controller);
  else if (isCutOff(res, socket) || res.socket !== null) controller.abort(disconnected());
  return controller;
}

function watch({ res, socket }: SignalledRequest, controller: AbortController): void {
  const abort = (): void => {
    controller.abort(disconnected());
  };
  const hasItsTurn = res.socket !== null || res.writableFinished;
  const unwatch = hasItsTurn ? undefined : watchConnection(socket, abort);
  res.once('close', () => {
    unwatch?.();
    if (isCutOff(res, socket)) abort();
  });
}

/**
 * Whether the response, which is closed, is not whole. Node 20 and 22 emit `finish` for a response whose last bytes could
 * not be written; the error that the client's disconnection was is then still found on the socket.
 */
function isCutOff(res: ServerResponse, socket: Socket): boolean {
  return !res.writableFinished || (socket instanceof Socket && socket.errored !== null);
}

/** One listener for all responses of a connection: a client may send any number of requests at once. */
function watchConnection(socket: Socket, abort: () => void): () => void {
  let callbacks = waiting.get(socket);
  if (callbacks === undefined) {
    waiting.set(socket, (callbacks = new Set()));
    socket.once('close', closed);
  }
  callbacks.add(abort);
  if (socket.destroyed) closed.call(socket);
  return () => callbacks.delete(abort);
}

function closed(this: Socket): void {
  for (const abort of waiting.get(this)!) abort();
}

/** Its name is what `fetch`, streams and timers give an operation that was aborted. */
function disconnected(): DOMException {
  return new DOMException('The connection was closed before the response was finished', 'AbortError');
}
