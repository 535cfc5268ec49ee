/**
 * Passes WebSocket requests to the application like all others, as `request` events. A response either opens the
 * socket, or is written to the connection, which then closes. Other listeners for `upgrade` (`ws`, Socket.IO) still
 * get requests without a route here. They are wrapped, because some of them close every connection that is not
 * theirs.
 */
import { ServerResponse } from 'node:http';
import type { Server, IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { createResponse, messageClasses } from '../adopt';
import type { VirtualRequest } from '../head';
import { close } from '../virtual-socket';
import { pathnameOf } from '../../protocol/url';
import { leadsToSocket } from '../../router/routes-at';
import { noteUpgrade, opensSocket } from '../../router/upgrade';
import type { Upgrade } from '../../router/upgrade';
import { symbolNamed } from '../node-internals';
import { requestOf } from '../request-of';
import { responseInProgress } from './connections';
import { leaveToNode } from './light-exchange';
import { restoreNodePrototype, SHARES_UPGRADES } from './message-classes';
import { applicationOf } from './attach';
import { nodeMicrotask, nodeProcess } from '../../node-process';

type Listener = (this: Server, req: IncomingMessage, socket: Duplex, head: Buffer) => void;
/** Wrappers have the property `listener`, as those of `once` have, so that `removeListener` finds the original. */
type Wrapper = Listener & { listener: Listener };

/** Exists since Node 22.21 and 24.9. */
interface DecidingServer extends Server {
  shouldUpgradeCallback?: (req: IncomingMessage) => boolean;
}

/** Requests that no other listener gets. */
const taken = new WeakSet<IncomingMessage>();
const wrappers = new WeakSet<object>();

/** Whether a request asks for a WebSocket (RFC 6455, section 4.2.1). */
export function asksForSocket({ method, headers }: IncomingMessage): boolean {
  return method === 'GET' && headers.upgrade?.toLowerCase() === 'websocket';
}

/** Makes a server pass requests for a WebSocket to its application. */
export function takeUpgrades(server: DecidingServer): void {
  wrapOthers(server);
  server.on('newListener', (event: string | symbol, listener: unknown) => {
    // The listener is added after this event.
    if (event === 'upgrade' && listener !== takeUpgrade) nodeMicrotask(() => wrapOthers(server));
  });
  const { shouldUpgradeCallback: given } = server;
  if (given === undefined) return;
  // Other upgrades, such as the `h2c` that Java's client asks for, remain requests like any others.
  server.shouldUpgradeCallback = function (this: Server, req) {
    return asksForSocket(req) || (hasOthers(this) && given.call(this, req));
  };
}

const hasOthers = (server: Server): boolean => server.listenerCount('upgrade') > 1;

/** Puts the listener in front of all others, and wraps those. */
function wrapOthers(server: Server): void {
  const listeners = server.rawListeners('upgrade') as Listener[];
  const others = listeners.filter(listener => listener !== takeUpgrade && listener !== restoreNodePrototype);
  if (listeners[0] === takeUpgrade && others.every(listener => wrappers.has(listener))) return;
  server.removeAllListeners('upgrade');
  for (const listener of [takeUpgrade, ...others.map(wrapped)]) server.on('upgrade', listener);
}

function wrapped(listener: Listener): Listener {
  if (wrappers.has(listener)) return listener;
  const wrapper = Object.assign(
    function (this: Server, ...args: Parameters<Listener>) {
      const [req] = args;
      if (taken.has(req)) return;
      restoreNodePrototype(req);
      listener.apply(this, args);
    },
    { listener: (listener as Partial<Wrapper>).listener ?? listener },
  );
  wrappers.add(wrapper);
  return wrapper;
}

/** The listener for `upgrade`. */
const takeUpgrade = Object.assign(
  function takeUpgrade(this: Server, req: IncomingMessage, socket: Duplex, head: Buffer) {
    if (hasOthers(this)) {
      if (!isForApplication(this, req)) return;
      taken.add(req);
    }
    const serve = asksForSocket(req) ? serveUpgrade : serveAgain;
    afterEarlier(this, req, () => {
      serve(this, req, socket, head);
    });
  } as Listener,
  { [SHARES_UPGRADES]: true },
);

function isForApplication(server: Server, req: IncomingMessage): boolean {
  const app = applicationOf(server);
  const path = pathnameOf(req.url!);
  return app !== undefined && path !== undefined && asksForSocket(req) && leadsToSocket(app, path);
}

/**
 * Calls a function once the earlier responses of a request's connection have been sent, unless one of them closes it:
 * Node emits `upgrade` as soon as it has read a pipelined request.
 */
function afterEarlier(server: Server, { socket }: IncomingMessage, serve: () => void): void {
  const earlier = responseInProgress(socket);
  if (earlier === undefined) {
    serve();
    return;
  }
  const release = attend(server, socket);
  const sent = (): void => {
    // Node's listener came first, and has begun the next response, or has closed the connection.
    const next = responseInProgress(socket);
    if (next !== undefined) {
      next.once('finish', sent);
      return;
    }
    if (!socket.writable) return;
    release();
    // The last response has started the timeout of an idle connection.
    socket.setTimeout(server.timeout);
    // Node has stopped reading during a large response. `push` makes the stream read on.
    Object.assign(socket, { _paused: false }).push('');
    serve();
  };
  earlier.once('finish', sent);
}

/**
 * Does for the responses on a connection what Node's own listeners do, which it removes before `upgrade`.
 * @returns a function that stops it
 */
function attend(server: Server & { httpAllowHalfOpen?: boolean }, socket: Duplex): () => void {
  const drained = (): void => {
    const res = responseInProgress(socket);
    if (res?.writableNeedDrain !== true || res.writableLength > 0) return;
    const needsDrain = symbolNamed(res, 'kNeedDrain');
    if (needsDrain !== undefined) Object.assign(res, { [needsDrain]: false });
    res.emit('drain');
  };
  const aborted = (): void => {
    const error = Object.assign(new Error('aborted'), { code: 'ECONNRESET' });
    const res = responseInProgress(socket);
    if (res !== undefined) requestOf(res)?.destroy?.(error);
  };
  // Without this, a disconnect would go unnoticed while a handler waits.
  const ended = (): void => {
    if (server.httpAllowHalfOpen !== true) socket.end();
  };
  const listeners = { error: destroy, drain: drained, close: aborted, end: ended };
  for (const [event, listener] of Object.entries(listeners)) socket.on(event, listener);
  return () => {
    for (const [event, listener] of Object.entries(listeners)) socket.off(event, listener);
  };
}

/**
 * Lets the server read a request again without its `Upgrade`. Needed by Node 20, which can't decide for each request
 * whether it is an upgrade.
 */
function serveAgain(server: Server, req: IncomingMessage, socket: Duplex, head: Buffer): void {
  const { rawHeaders } = req;
  const lines = [`${req.method} ${req.url} HTTP/${req.httpVersion}`];
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = rawHeaders[i]!.toLowerCase();
    if (name === 'upgrade' || name === 'http2-settings') continue;
    const value = rawHeaders[i + 1]!;
    lines.push(`${rawHeaders[i]}: ${name === 'connection' ? withoutUpgrade(value) : value}`);
  }
  socket.unshift(Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1'), head]));
  leaveToNode(socket);
  server.emit('encrypted' in socket ? 'secureConnection' : 'connection', socket);
}

function withoutUpgrade(options: string): string {
  return options
    .split(',')
    .map(option => option.trim())
    .filter(option => !/^(?:upgrade|http2-settings)$/i.test(option))
    .join(', ');
}

function serveUpgrade(server: Server, req: IncomingMessage, socket: Duplex, head: Buffer): void {
  const app = applicationOf(server);
  const res = createResponse(app === undefined ? { ServerResponse } : messageClasses(app), req);
  res.shouldKeepAlive = false;
  res.assignSocket(socket as never);
  const upgrade: Upgrade = { stream: socket, head, server, status: 101, isAccepted: false };
  noteUpgrade(req, upgrade);
  const release = attend(server, socket);
  res.on('finish', () => {
    res.detachSocket(socket as never);
    if (opensSocket(upgrade, res.statusCode)) {
      release();
    } else {
      (req as VirtualRequest)._dump();
      // Not `destroySoon`: for a request with content, Node 26 passes a stream that lacks it.
      socket.end(() => socket.destroy());
    }
    nodeProcess.nextTick(close, res);
  });
  server.emit('request', req, res);
}

function destroy(this: Duplex): void {
  this.destroy();
}
