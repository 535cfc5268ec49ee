/**
 * Lists the connections of a server, and what each is doing, only when the server is stopped: Node tracks both anyway,
 * so nothing needs to be recorded for each request or connection. The properties are undocumented. If they are missing,
 * the results are empty, and the caller has to use Node's documented methods.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Server, Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { undocumented } from '../node-internals';

/** A connection with the properties that Node sets on it. */
interface BusySocket extends Socket {
  _httpMessage?: ServerResponse | null;
  parser?: { incoming?: IncomingMessage | null } | null;
}

/** An entry in the list of connections: a parser in Node.js and Deno, the socket itself in Bun. */
type Listed = Socket | { socket: Socket | null | undefined };

/** Node's list of connections. Deno's has no functions, only the set that `all` would return. */
interface ConnectionList {
  all?: () => Iterable<Listed>;
  _all?: Iterable<Listed>;
  /** Those on which no part of a request has arrived since the last request. */
  idle?: () => Iterable<Listed>;
}

interface ActiveHandles {
  _getActiveHandles?: () => { server?: unknown; destroy?: unknown }[];
}

function listOf(server: Server): ConnectionList | undefined {
  return undocumented<ConnectionList>(server, 'http.server.connections');
}

function listedBy(server: Server): Iterable<Listed> | undefined {
  const list = listOf(server);
  if (list !== undefined) return list.all?.() ?? list._all;
  // Bun's list omits connections that have sent nothing.
  return undocumented<Set<Socket>>(server, 'http.server.trackedConnections');
}

/** Whether the list of the server's connections can be read. */
export function listsConnections(server: Server): boolean {
  return listedBy(server) !== undefined;
}

/** Returns the HTTP/1.1 connections of a server, including encrypted ones, excluding upgraded ones. */
export function httpConnections(server: Server): Socket[] {
  return socketsOf(listedBy(server));
}

function socketsOf(list: Iterable<Listed> | undefined): Socket[] {
  return Array.from(list ?? []).flatMap(listed => ('socket' in listed ? (listed.socket ?? []) : listed));
}

/** Whether a connection of the server waits for the next request. */
export function isIdle(server: Server, socket: Socket): boolean {
  if (responseInProgress(socket) !== undefined) return false;
  const list = listOf(server);
  return list?.idle === undefined || socketsOf(list.idle()).includes(socket);
}

/** Whether the client has never sent a byte. Bun does not count bytes, nor list such connections. */
export function isSilent(socket: Socket): boolean {
  return socket.bytesRead === 0 && process.versions.bun === undefined;
}

/**
 * Returns all connections that keep a server from closing, including those in the middle of a TLS handshake and
 * upgraded ones.
 */
export function transportConnections(server: Server): Socket[] {
  const handles = (process as ActiveHandles)._getActiveHandles?.() ?? [];
  return handles.filter(
    handle => handle.server === server && typeof handle.destroy === 'function',
  ) as unknown as Socket[];
}

/** Returns the response currently being sent on the connection; undefined if there is none. */
export function responseInProgress(socket: Duplex): ServerResponse | undefined {
  return (socket as Partial<BusySocket>)._httpMessage ?? undefined;
}

/** Whether the response belongs to the last request read on the connection. */
export function isLastResponse(socket: Socket, res: ServerResponse): boolean {
  const last = (socket as BusySocket).parser?.incoming;
  return last == null || last === res.req;
}
