/**
 * The last handler of a route for WebSockets. Opens the socket with a response whose status is 101. This response
 * passes through everything that middleware has added: sessions are saved, cookies set, logs written.
 */
import { setImmediate } from 'node:timers';
import { ON_RESET } from '../../serving/hook-gate';
import type { Resettable } from '../../serving/hook-gate';
import { followSocket } from '../../serving/signal';
import { openSockets } from '../../report/channels';
import { releaseWalks } from '../../router/matched-path';
import type { MatchedRequest } from '../../router/matched-path';
import { ignore } from '../../router/rejection';
import { forgetUpgrade, upgradeOf, withdraw } from '../../router/upgrade';
import type { Upgrade } from '../../router/upgrade';
import type { NextFunction } from '../../types/core';
import type { Request, Response } from '../../types/internals';
import { versionOf } from '../../version';
import { HostAcceptor, StreamAcceptor } from './acceptor';
import type { Accepted } from './acceptor';
import { excessError, refusalOf } from './handshake';
import type { ResolvedOptions } from './socket-options';
import { registryOf } from './registry';
import { reportFailure } from './socket';
import type { ServerSocket } from './socket';
import { missingWs } from './ws';
import type { Ws } from './ws';

export type Handler = (socket: ServerSocket, req: Request, next?: NextFunction) => unknown;

/** Values of `readyState`. */
const CONNECTING = 0;
const OPEN = 1;

const SWITCHING_PROTOCOLS = 101;

/**
 * Creates the last handler of a route.
 * @param ws the module `ws`; undefined on a host that may do without it
 * @param handler called with each open socket
 */
export function opener(
  ws: Ws | undefined,
  settings: ResolvedOptions,
  handler: Handler,
): (req: Request, res: Response, next: NextFunction) => void {
  const onStreams = ws === undefined ? undefined : new StreamAcceptor(ws, settings);
  const onHosts = new HostAcceptor(settings);
  const accept = (req: Request, upgrade: Upgrade): Accepted => {
    if ('receiver' in upgrade) return onHosts.accept(req, upgrade);
    return onStreams === undefined ? { refusal: missingWs() } : onStreams.accept(req, upgrade);
  };
  return function openSocket(req, res, next) {
    const upgrade = upgradeOf(req)!;
    // Throws ERR_HTTP_HEADERS_SENT, as in any handler that runs after the response, while `ws` does not have the connection
    if (res.headersSent) res.setHeader('Upgrade', 'websocket');
    const isOfHost = 'receiver' in upgrade;
    const refusal = refusalOf(req, settings, isOfHost);
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
    const accepted = accept(req, upgrade);
    if (accepted === undefined || 'refusal' in accepted) {
      registry.release(place.client);
      // Undefined: the client has disconnected, which is no error of the application.
      if (accepted !== undefined) next(accepted.refusal);
      return;
    }
    const { socket, headers } = accepted;
    socket.owner = req.app;
    socket.requestId = (req as { id?: unknown }).id;
    socket.registry = registry;
    socket.client = place.client;
    // The client must not send anything before it has the response, so nothing is lost before the handler listens.
    socket.pause();
    const start = (): void => {
      registry.add(socket);
      followSocket(req, socket);
      if (openSockets.hasSubscribers) openSockets.publish({ req, socket });
      socket.run(call, handler, req);
      socket.resume();
      setImmediate(lighten, req);
    };
    res.once('finish', () => {
      // A response that was sent in place of the handshake opens nothing
      if (!isOfHost && !upgrade.isAccepted) return;
      if (socket.readyState === OPEN) start();
      else if (socket.readyState === CONNECTING) socket.once('open', start);
    });
    upgrade.isAccepted = true;
    (res as Resettable)[ON_RESET] = () => {
      withdraw(upgrade);
      for (const [name] of headers) if (!/^connection$/i.test(name)) res.removeHeader(name);
      if (upgrade.status === SWITCHING_PROTOCOLS) res.setHeader('Connection', 'close');
    };
    res.statusCode = upgrade.status;
    for (const [name, value] of headers) res.setHeader(name, value);
    res.end();
  };
}

/**
 * Releases the request's references to its response and to the walk: handlers keep the request for as long as the
 * socket, and these take more memory than the socket. A response with `locals` stays, because handlers may read them.
 */
function lighten(req: Request): void {
  forgetUpgrade(req);
  releaseWalks(req as MatchedRequest);
  versionOf(req).router.release(req);
  req.next = undefined;
  const { res } = req;
  if (res !== undefined && Object.keys(res.locals).length === 0) req.res = undefined;
}

function call(this: ServerSocket, handler: Handler, req: Request): void {
  try {
    const given = handler.length > 2 ? handler(this, req, nextOf(this)) : handler(this, req);
    const result = given as PromiseLike<unknown> | undefined;
    if (typeof result?.then !== 'function') return;
    result.then(ignore, (error: unknown) => {
      reportFailure(this, error);
    });
  } catch (error) {
    reportFailure(this, error);
  }
}

/** Returns the third argument of handlers written for express-ws. Nothing follows them, so only an error has an effect. */
function nextOf(socket: ServerSocket): NextFunction {
  return (error?: unknown) => {
    if (error) reportFailure(socket, error);
  };
}
