/**
 * The last handler of a route for WebSockets. Opens the socket with a response whose status is 101. This response
 * passes through everything that middleware has added: sessions are saved, cookies set, logs written.
 */
import { followSocket } from '../http/signal';
import { closedSockets, openSockets } from '../report/channels';
import { upgradeOf } from '../router/upgrade';
import type { NextFunction } from '../types/core';
import type { Request, Response } from '../types/internals';
import { Acceptor } from './acceptor';
import { excessError, refusalOf } from './handshake';
import type { Settled } from './options';
import { registryOf } from './registry';
import type { Registry } from './registry';
import { reportFailure } from './socket';
import type { ServerSocket } from './socket';
import type { Ws } from './ws';

type Handler = (socket: ServerSocket, req: Request) => unknown;

/** The `readyState` of an open socket. */
const OPEN = 1;

/**
 * Creates the last handler of a route.
 * @param ws the module `ws`
 * @param handler called with each open socket
 */
export function opener(
  ws: Ws,
  settings: Settled,
  handler: Handler,
): (req: Request, res: Response, next: NextFunction) => void {
  const acceptor = new Acceptor(ws, settings);
  return function openSocket(req, res, next) {
    const upgrade = upgradeOf(req)!;
    const refusal = refusalOf(req, settings);
    if (refusal !== undefined) {
      next(refusal);
      return;
    }
    const registry = registryOf(upgrade.server);
    const place = registry.reserve(req.ip, settings);
    if ('excess' in place) {
      next(excessError(place.excess));
      return;
    }
    const accepted = acceptor.accept(req, upgrade);
    if ('refusal' in accepted) {
      registry.release(place.client);
      next(accepted.refusal);
      return;
    }
    const { socket, headers } = accepted;
    socket.owner = req.app;
    releaseOnClose(socket, registry, place.client, settings.heartbeat);
    // The client must not send anything before it has the response, so nothing is lost before the handler listens.
    socket.pause();
    res.once('finish', () => {
      if (socket.readyState !== OPEN) return;
      registry.add(socket, settings.heartbeat);
      followSocket(req, socket);
      if (openSockets.hasSubscribers) openSockets.publish({ req, socket });
      socket.run(call, handler, socket, req);
      socket.resume();
    });
    upgrade.isAccepted = true;
    res.statusCode = upgrade.status;
    for (const [name, value] of headers) res.setHeader(name, value);
    res.end();
  };
}

/**
 * Defined in a separate function, so that the listener, which lives as long as the socket, does not keep the request
 * alive.
 */
function releaseOnClose(
  socket: ServerSocket,
  registry: Registry,
  client: string | undefined,
  heartbeat: number,
): void {
  socket.once('close', (code: number, reason: Buffer) => {
    registry.release(client);
    registry.remove(socket, heartbeat);
    if (closedSockets.hasSubscribers) closedSockets.publish({ socket, code, reason: reason.toString() });
  });
}

function call(handler: Handler, socket: ServerSocket, req: Request): void {
  try {
    const result = handler(socket, req) as PromiseLike<unknown> | undefined;
    if (typeof result?.then !== 'function') return;
    result.then(undefined, (error: unknown) => {
      reportFailure(socket, error);
    });
  } catch (error) {
    reportFailure(socket, error);
  }
}
