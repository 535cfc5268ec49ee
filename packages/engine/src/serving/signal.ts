/**
 * The `AbortSignal` of a request, created on first use, and aborted when the connection closes before the response is
 * finished. Relies on only one thing that all kinds of servers do when a client disconnects: they close the response
 * being sent, and the sockets of all others.
 */
import type { EventEmitter } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { onConnectionClosed } from './closing';

/** A request with its response, which the application's first layers set. */
export type SignalledRequest = IncomingMessage & { res: ServerResponse };

const controllers = new WeakMap<IncomingMessage, AbortController>();

/** The WebSockets that requests have opened. */
const sockets = new WeakMap<object, EventEmitter>();

/** Lets the signal of a request be aborted when the WebSocket that it has opened closes. */
export function followSocket(req: IncomingMessage, socket: EventEmitter): void {
  sockets.set(req, socket);
  const controller = controllers.get(req);
  if (controller !== undefined) abortOnClose(controller, socket);
}

/** Whether a request has opened a WebSocket. */
export function hasSocket(req: object): boolean {
  return sockets.has(req);
}

function abortOnClose(controller: AbortController, socket: EventEmitter & { readyState?: number }): void {
  const abort = (): void => {
    controller.abort(new DOMException('The WebSocket was closed', 'AbortError'));
  };
  if (socket.readyState === CLOSED) abort();
  else socket.once('close', abort);
}

/** The `readyState` of a closed WebSocket. */
const CLOSED = 3;

/** Returns the signal of a request, the same on each call. */
export function signalOf(req: SignalledRequest): AbortSignal {
  return controllerOf(req).signal;
}

/**
 * Aborts the signal of a request, unless already aborted. If it has not been read yet, it will be aborted when it is.
 * @param reason the value for `signal.reason`
 */
export function abortSignal(req: SignalledRequest, reason: unknown): void {
  controllerOf(req).abort(reason);
}

function controllerOf(req: SignalledRequest): AbortController {
  const known = controllers.get(req);
  if (known !== undefined) return known;
  const controller = new AbortController();
  controllers.set(req, controller);
  const opened = sockets.get(req);
  if (opened !== undefined) {
    abortOnClose(controller, opened);
    return controller;
  }
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
  if (!hasItsTurn && socket.destroyed) {
    abort();
    return;
  }
  const unwatch = hasItsTurn ? undefined : onConnectionClosed(socket, abort);
  res.once('close', () => {
    unwatch?.();
    if (isCutOff(res, socket)) abort();
  });
}

/**
 * Whether a closed response is incomplete. Node 20 and 22 emit `finish` for a response whose last bytes could not be
 * written; the error of the client's disconnection is then still set on the socket.
 */
function isCutOff(res: ServerResponse, socket: Socket): boolean {
  return !res.writableFinished || (socket instanceof Socket && socket.errored !== null);
}

/** Returns an error with the name that `fetch`, streams and timers use for aborted operations. */
function disconnected(): DOMException {
  return new DOMException('The connection was closed before the response was finished', 'AbortError');
}
