/**
 * The connections of a server, and what each is doing, asked for only when the server is stopped: the runtime keeps
 * account of both anyway, so nothing need be noted for each request or connection. It does not document where. What
 * is not found there counts as nothing known, and the caller is left with the runtime's documented functions.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Server, Socket } from 'node:net';

/** A connection with what the runtime notes on it. */
interface BusySocket extends Socket {
  _httpMessage?: ServerResponse | null;
  parser?: { incoming?: IncomingMessage | null } | null;
}

/** The runtime's list of a server's HTTP/1.1 connections. */
interface ConnectionList {
  all(): { socket?: Socket | null }[];
}

interface ActiveHandles {
  _getActiveHandles?: () => { server?: unknown; destroy?: unknown }[];
}

/** The connections of a server that speak HTTP/1.1, encrypted ones included, upgraded ones not. */
export function httpConnections(server: Server): Socket[] {
  const symbol = Object.getOwnPropertySymbols(server).find(
    ({ description }) => description === 'http.server.connections',
  );
  const list = symbol && (server as unknown as Record<symbol, Partial<ConnectionList> | undefined>)[symbol];
  if (typeof list?.all !== 'function') return [];
  return list.all().flatMap(({ socket }) => socket ?? []);
}

/**
 * Everything that keeps a server from being closed, whatever it speaks: also connections in the middle of a TLS
 * handshake, and upgraded ones.
 */
export function transportConnections(server: Server): Socket[] {
  const handles = (process as ActiveHandles)._getActiveHandles?.() ?? [];
  return handles.filter(
    handle => handle.server === server && typeof handle.destroy === 'function',
  ) as unknown as Socket[];
}

/** The answer whose turn it is on the connection; undefined where there is none. */
export function answerUnderWay(socket: Socket): ServerResponse | undefined {
  return (socket as BusySocket)._httpMessage ?? undefined;
}

/** Whether no request has been read on the connection behind the one that this answers. */
export function isLastAnswer(socket: Socket, res: ServerResponse): boolean {
  const last = (socket as BusySocket).parser?.incoming;
  return last == null || last === res.req;
}
