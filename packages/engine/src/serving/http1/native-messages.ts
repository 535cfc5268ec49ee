/** Types of Node's messages, parsers, sockets and servers, with the undocumented members that this directory uses. */
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

export interface NativeRequest extends IncomingMessage {
  joinDuplicateHeaders: unknown;
  upgrade: boolean;
  _addHeaderLines(lines: string[], count: number): void;
  [symbol: symbol]: unknown;
}

/** A response; `native.ts` checks that new ones have these properties. */
export interface NativeResponse extends ServerResponse<NativeRequest> {
  destroyed: boolean;
  maxRequestsOnConnectionReached: boolean;
  outputData: unknown[];
  _closed: boolean;
  _contentLength: number | null;
  _defaultKeepAlive: boolean;
  _events: Record<string, unknown> | undefined;
  _eventsCount: number;
  _expect_continue: boolean;
  _hasBody: boolean;
  _header: string | null;
  _headerSent: boolean;
  _keepAliveTimeout: number;
  _last: boolean;
  _maxRequestsPerSocket: number | undefined;
  _removedConnection: boolean;
  _removedContLen: boolean;
  _removedTE: boolean;
  _sent100: boolean;
  _trailer: string;
  _finish(): void;
  _flush(): void;
  _implicitHeader(): void;
  /** Compared with Node's own, as the next two are. */
  _storeHeader: unknown;
  _send: unknown;
  _writeRaw: unknown;
  [symbol: symbol]: unknown;
}

/** A parser, with its callbacks. */
export interface Parser {
  incoming: unknown;
  socket: NativeSocket | null;
  maxHeaderPairs: number;
  joinDuplicateHeaders?: boolean | null;
  onIncoming: (req: IncomingMessage, keepAlive: boolean) => number;
  [callback: number]: unknown;
}

export interface NativeSocket extends Socket {
  encrypted?: boolean;
  parser: Parser | null;
  server?: NativeServer | null;
  timeout: number | undefined;
  _hadError?: boolean;
  /** The response being sent. */
  _httpMessage?: ServerResponse | null;
}

export interface NativeServer extends Server {
  _events: Record<string, unknown>;
  joinDuplicateHeaders?: boolean;
  rejectNonStandardBodyWrites?: boolean;
  requireHostHeader?: boolean;
  keepAliveTimeoutBuffer?: number;
  [symbol: symbol]: unknown;
}
