/**
 * Decides which requests begin light. Node's parser calls one function with each complete head; on the connections of an
 * application, that function is ours.
 *
 * A head that is not ordinary goes to Node's own function: upgrades, CONNECT, Expect, HTTP/1.0, a connection that is to be
 * closed, a head in several pieces, one without Host, and one behind a response in progress.
 */
import { ServerResponse } from 'node:http';
import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { canWriteDirectly, native } from '../native';
import { symbolNamed } from '../node-internals';
import { canBypassStreams } from '../request-state';
import { httpConnections } from './connections';
import { Connection, connectionOf, knowsAdditions, learnAdditions, leaveToNodeOnce } from './light-exchange';
import type { Origin } from './light-exchange';
import type { NativeServer, NativeSocket, Parser } from './native-messages';

/** The parser's callback for complete heads. Header lines and target are undefined if they came in several pieces. */
type HeadListener = (
  this: Parser,
  major: number,
  minor: number,
  lines: string[] | undefined,
  method: number,
  url: string | undefined,
  status: unknown,
  reason: unknown,
  upgrade: boolean,
  keepAlive: boolean,
) => number;

/** The number of this callback. */
const HEADERS_COMPLETE = 2;
/** The name of Node's own function. */
const NAME = 'parserOnHeadersComplete';

const ORIGIN: unique symbol = Symbol('origin of light messages');

interface ServerWithOrigin extends NativeServer {
  [ORIGIN]?: Origin;
}

/** Whether this is a version of Node that the tests run on, with unpatched functions. */
const canBeLight = canWriteDirectly && canBypassStreams;

/** Node's function; undefined until a connection has been seen. */
let nativeListener: HeadListener | undefined;

/** The names of the parser's numbers of methods, learned from the requests that Node creates. */
const methods: (string | undefined)[] = [];
let unknownMethod = -1;

/** Learns from messages that Node is creating for an ordinary request, so that later ones can be light. */
export function learn(origin: Origin, req: IncomingMessage, res: ServerResponse): void {
  if (unknownMethod < 0) return;
  methods[unknownMethod] = req.method;
  unknownMethod = -1;
  if (knowsAdditions() === undefined) learnAdditions(origin, req, res);
}

const onHeadersComplete: HeadListener = function (
  major,
  minor,
  lines,
  method,
  url,
  status,
  reason,
  upgrade,
  keepAlive,
) {
  const { socket } = this;
  const origin = (socket?.server as ServerWithOrigin | undefined)?.[ORIGIN];
  if (origin !== undefined) {
    const known = connectionOf(socket!);
    // Another server may have got the connection since, such as behind a CONNECT
    const connection = known && known.onIncoming !== this.onIncoming ? undefined : known;
    connection?.makeRoom();
    if (
      connection !== null &&
      lines !== undefined &&
      url !== undefined &&
      keepAlive &&
      !upgrade &&
      major === 1 &&
      minor === 1 &&
      !socket!._httpMessage &&
      isOrdinary(lines, this, origin)
    ) {
      const name = methods[method];
      if (name !== undefined && knowsAdditions() === true) {
        (connection ?? new Connection(socket!, this, origin)).begin(lines, name, url);
        return 0;
      }
      unknownMethod = method;
    }
    leaveToNodeOnce(socket!);
  }
  return nativeListener!.call(this, major, minor, lines, method, url, status, reason, upgrade, keepAlive);
};

/** Whether no tool has patched how the server gets requests, it has no limits that Node must count, and the headers ask for no response of Node's own. */
function isOrdinary(lines: string[], { maxHeaderPairs }: Parser, origin: Origin): boolean {
  const { server } = origin;
  return (
    server.emit === native.emit &&
    server.timeout === 0 &&
    server.maxRequestsPerSocket === 0 &&
    (maxHeaderPairs <= 0 || lines.length <= maxHeaderPairs) &&
    assignsNatively() &&
    origin.isCurrent() &&
    hasHost(lines, server)
  );
}

/** Whether no tool has patched what Node calls for each response, and a light exchange does not. */
function assignsNatively(): boolean {
  const { assignSocket, detachSocket, on } = ServerResponse.prototype;
  return assignSocket === native.assignSocket && detachSocket === native.detachSocket && on === native.on;
}

/** Whether there is a Host, if the server requires one, and no Expect. */
function hasHost(lines: string[], server: NativeServer): boolean {
  let found = server.requireHostHeader === false;
  for (let at = 0; at < lines.length; at += 2) {
    const name = lines[at]!;
    if (name.length === 4) found ||= name === 'Host' || name.toLowerCase() === 'host';
    else if (name.length === 6 && name.toLowerCase() === 'expect') return false;
  }
  return found;
}

/** Lets the requests of a server begin light, on its open connections and on all later ones. */
export function beginLight(origin: Origin): void {
  const { server } = origin as { server: ServerWithOrigin };
  const optimizes = symbolNamed(server, 'OptimizeEmptyRequestsOption');
  if (!canBeLight || (optimizes !== undefined && server[optimizes] === true)) return;
  server[ORIGIN] = origin;
  for (const socket of httpConnections(server)) takeHeads(socket);
  server.on(server.listenerCount('secureConnection') > 0 ? 'secureConnection' : 'connection', takeHeads);
}

/**
 * Gives the parser of a connection our function, before it has read a head: newer versions of Node look it up once for each
 * connection. Node reuses parsers; on the connections of other servers, our function calls Node's.
 */
function takeHeads(socket: Socket): void {
  // Any stream can be a connection, as in `server.emit('connection', stream)`, and may lack what sockets have
  const { destroySoon, setTimeout } = socket as Partial<Socket>;
  if (typeof destroySoon !== 'function' || typeof setTimeout !== 'function') return;
  const { parser } = socket as NativeSocket;
  const current = parser?.[HEADERS_COMPLETE];
  if (!parser || typeof current !== 'function' || current.name !== NAME) return;
  nativeListener ??= current as HeadListener;
  if (current === nativeListener) parser[HEADERS_COMPLETE] = onHeadersComplete;
}
