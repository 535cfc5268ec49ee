/**
 * The connections of a server, and what each is doing, asked for only when the server is stopped: Node keeps
 * account of both anyway, so nothing need be noted for each request or connection. It does not document where. What
 * is not found there counts as nothing known, and the caller is left with Node's documented functions.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Server, Socket } from 'node:net';

/** A connection with what Node notes on it. */
interface BusySocket extends Socket {
  _httpMessage?: ServerResponse | null;
  parser?: { incoming?: IncomingMessage | null } | null;
}

/** An entry of a list of connections: Node.js and Deno list parsers, Bun lists the sockets themselves. */
type Listed = Socket | { socket: Socket | null | undefined };

/** The list that Node.js keeps. Deno's has no `all`, only the set that it would return. */
interface ConnectionList {
  all?: () => Iterable<Listed>;
  _all?: Iterable<Listed>;
}

interface ActiveHandles {
  _getActiveHandles?: () => { server?: unknown; destroy?: unknown }[];
}

function listedBy(server: Server): Iterable<Listed> | undefined {
  const lists = server as unknown as Record<symbol, unknown>;
  for (const symbol of Object.getOwnPropertySymbols(server)) {
    if (symbol.description === 'http.server.connections') {
      const list = lists[symbol] as ConnectionList | undefined;
      return list?.all?.() ?? list?._all;
    }
    // Bun's: without the connections that have sent nothing.
    if (symbol.description === 'http.server.trackedConnections') return lists[symbol] as Set<Socket>;
  }
  return undefined;
}

/** Whether the server keeps a list of its connections that can be read. */
export function listsConnections(server: Server): boolean {
  return listedBy(server) !== undefined;
}

/** The connections of a server that speak HTTP/1.1, encrypted ones included, upgraded ones not. */
export function httpConnections(server: Server): Socket[] {
  return Array.from(listedBy(server) ?? []).flatMap(listed =>
    'socket' in listed ? (listed.socket ?? []) : listed,
  );
}

/** Whether the connection has never sent a byte. Bun counts no bytes, and lists no such connection. */
export function isSilent(socket: Socket): boolean {
  return socket.bytesRead === 0 && process.versions.bun === undefined;
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

/** The response whose turn it is on the connection; undefined where there is none. */
export function answerUnderWay(socket: Socket): ServerResponse | undefined {
  return (socket as BusySocket)._httpMessage ?? undefined;
}

/** Whether no request has been read on the connection behind the one that this answers. */
export function isLastAnswer(socket: Socket, res: ServerResponse): boolean {
  const last = (socket as BusySocket).parser?.incoming;
  return last == null || last === res.req;
}
