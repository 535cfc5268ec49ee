/**
 * Makes servers pass requests for a WebSocket to their applications, from the first `app.ws` on. A program without it
 * pays nothing.
 */
import { subscribe } from 'node:diagnostics_channel';
import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { findBehind } from '../../serving/probe';
import { applicationOf, onServer, attachHttp1 } from '../../serving/http1/attach';
import { takeUpgrades } from '../../serving/http1/upgrades';
import { attachHttp2 as serveStreams } from '../../serving/http2/attach';
import type { AnyHttp2Server } from '../../serving/http2/attach';
import { watchSessions } from '../../serving/http2/sessions';
import { logError } from '../../report/log';

/** A connection; Node sets the server that accepted it. */
interface Connection extends Socket {
  server?: Server | null;
}

/** Servers that have been asked for the application behind their listeners. */
const asked = new WeakSet<Server>();
const prepared = new WeakSet<Server>();
let isAccepting = false;

/** Starts to do so, for all servers of this process. */
export function acceptSockets(): void {
  if (isAccepting) return;
  isAccepting = true;
  onServer(prepare);
  // The application learns of a server that it hasn't created only from a request, which may be for a WebSocket.
  subscribe('net.server.socket', message => {
    const { socket } = message as { socket: Connection };
    if (socket.server != null && !prepared.has(socket.server)) findApplication(socket.server, socket);
  });
}

function findApplication(server: Server, connection: Socket): void {
  const found = (app: object): void => {
    attachHttp1(app as never, server);
    prepare(server);
  };
  const app = server.listeners('request').find(isApplication) ?? applicationOf(server);
  if (app !== undefined) {
    found(app);
  } else if (server.listenerCount('upgrade') > 0 && !asked.has(server)) {
    // Code that adds such a listener, as Socket.IO does, may have put its own in front of the application.
    asked.add(server);
    findBehind(server, connection, found);
  }
}

function isApplication(listener: unknown): boolean {
  return typeof (listener as { ws?: unknown }).ws === 'function';
}

function prepare(server: Server): void {
  if (prepared.has(server)) return;
  prepared.add(server);
  takeUpgrades(server);
  if ('updateSettings' in server) acceptStreams(server as AnyHttp2Server);
}

/**
 * Lets clients open WebSockets on streams of their HTTP/2 sessions (RFC 8441). Does nothing if other code listens for
 * upgrades: a browser would open all WebSockets on such a session, and those of the other code would not reach it.
 */
function acceptStreams(server: AnyHttp2Server): void {
  if (server.listenerCount('upgrade') > 1) return;
  const settings = { enableConnectProtocol: true };
  server.updateSettings(settings);
  for (const session of watchSessions(server)) session.settings(settings);
  const app = applicationOf(server);
  serveStreams(app as never, server, error => {
    logError(app as never, { message: 'unhandled request error', error });
  });
}
