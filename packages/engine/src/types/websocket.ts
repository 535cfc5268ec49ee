/** Routes for WebSockets: their options, their handlers, and the sockets that handlers get. */
import type * as core from 'express-serve-static-core';
import type { Adds, After, KnownRequest } from './inferred-request';
import type { EventEmitter } from 'node:events';
import type { OtherHandlers, StandardSchema, ValidateHandler, ValidatedRequest } from './validation';

/* eslint-disable @typescript-eslint/no-explicit-any -- see core.ts */

/** Options of `app.ws()`. Limits count all sockets of the server, but apply to this route. */
export interface SocketOptions<Schema extends StandardSchema | undefined = StandardSchema | undefined> {
  /**
   * Origins of other hosts whose pages may open a socket, such as `'https://app.example.com'`; `'*'` for all. Clients
   * that send no `Origin` are not browsers, and may always open a socket.
   * @default [] (only pages of the same host)
   */
  origins?: '*' | readonly string[] | undefined;
  /** The maximum size of a message in bytes, or as text such as `'1mb'`; a larger one closes the socket with 1009. @default '100kb' */
  maxPayload?: number | string | undefined;
  /** The maximum number of open sockets; beyond it, requests get a 503. @default 10_000 */
  maxConnections?: number | undefined;
  /**
   * The maximum number of open sockets of one address (`req.ip`; for IPv6, its /64); beyond it, requests get a 429.
   * @default 100
   */
  maxConnectionsPerAddress?: number | undefined;
  /** The number of bytes that may wait for a slow reader, or text such as `'1mb'`. @default '1mb' */
  maxBacklog?: number | string | undefined;
  /**
   * What happens to a message beyond `maxBacklog`: `'close'` ends the connection, `'drop'` discards the message.
   * @default 'close'
   */
  slowReader?: 'close' | 'drop' | undefined;
  /**
   * The time between two pings, in milliseconds or as text such as `'30s'`; a peer that sends nothing between two of
   * them is disconnected. `false` for none.
   * @default '30s'
   */
  heartbeat?: number | string | false | undefined;
  /**
   * Whether to compress messages (RFC 7692), or the options of `ws` for it: it uses memory for each socket.
   * @default false
   */
  compression?: boolean | object | undefined;
  /** The subprotocols, by preference; the first that the client offers is used. @default [] */
  protocols?: readonly string[] | undefined;
  /** A schema for messages, which are then JSON; handlers get its output. @default none: handlers get bytes */
  message?: Schema;
}

/** A message of a client that is not JSON, or does not match the schema. */
export interface SocketMessageError extends Error {
  /** The code that the socket is closed with if there is no listener for `invalid`. */
  code: 1003 | 1007;
  /** The issues of the schema; empty if the message is not JSON. */
  issues: { path: string; message: string }[];
}

/** An open WebSocket of the package `ws`, with the framework's own members. */
export interface Socket<Message = Buffer> extends EventEmitter {
  /** The state: 1 while open, 2 while closing, 3 when closed. */
  readonly readyState: 0 | 1 | 2 | 3;
  /** The subprotocol, or an empty string. */
  readonly protocol: string;
  /** The number of bytes waiting to be sent. */
  readonly bufferedAmount: number;
  /** Whether the socket was paused. */
  readonly isPaused: boolean;
  /** The type of binary messages. @default 'nodebuffer' */
  binaryType: 'nodebuffer' | 'arraybuffer' | 'fragments';
  /**
   * Send a message: text, or bytes as a binary message. If more than `maxBacklog` bytes are waiting, see `slowReader`.
   * @param callback called when it is written, or with the error
   */
  send(data: string | ArrayBuffer | ArrayBufferView, callback?: (error?: Error) => void): void;
  send(
    data: string | ArrayBuffer | ArrayBufferView,
    options: { binary?: boolean; compress?: boolean; fin?: boolean; mask?: boolean },
    callback?: (error?: Error) => void,
  ): void;
  /** Begin the closing handshake. @param code such as 1000, or 3000 to 4999 @param reason at most 123 bytes */
  close(code?: number, reason?: string | Buffer): void;
  /** Destroy the connection. */
  terminate(): void;
  /** Send a ping. */
  ping(data?: any, mask?: boolean, callback?: (error: Error) => void): void;
  /** Send a pong. */
  pong(data?: any, mask?: boolean, callback?: (error: Error) => void): void;
  /** Stop reading: the client has to wait. */
  pause(): void;
  /** Read on. */
  resume(): void;
  /**
   * Keep the socket open while the server is being stopped, until the work is done or the deadline has passed.
   * @returns the same promise
   * @example socket.on('message', data => socket.busy(save(data)));
   */
  busy<Work>(work: PromiseLike<Work>): PromiseLike<Work>;
  on(event: 'message', listener: (message: Message, isBinary: boolean) => void): this;
  on(event: 'close', listener: (code: number, reason: Buffer) => void): this;
  on(event: 'error', listener: (error: Error) => void): this;
  on(event: 'invalid', listener: (error: SocketMessageError) => void): this;
  on(event: 'ping' | 'pong', listener: (data: Buffer) => void): this;
  on(event: string | symbol, listener: (...args: any[]) => void): this;
  once(event: 'message', listener: (message: Message, isBinary: boolean) => void): this;
  once(event: 'close', listener: (code: number, reason: Buffer) => void): this;
  once(event: 'error', listener: (error: Error) => void): this;
  once(event: 'invalid', listener: (error: SocketMessageError) => void): this;
  once(event: 'ping' | 'pong', listener: (data: Buffer) => void): this;
  once(event: string | symbol, listener: (...args: any[]) => void): this;
}

/** The type of messages: the output of the schema, otherwise bytes. */
export type MessageOf<Schema> = Schema extends { readonly '~standard': { readonly types?: infer T } }
  ? NonNullable<T> extends { readonly output: infer Output }
    ? Output
    : unknown
  : Buffer;

/**
 * The handler of a WebSocket. If it throws, its promise rejects, or it calls `next` with an error, the error is logged and the
 * socket closed with 1011. Without an error, `next` does nothing: it is for handlers written for express-ws.
 */
export type SocketHandler<P = core.ParamsDictionary, Message = Buffer, Req = core.Request<P>> = (
  socket: Socket<Message>,
  req: Req,
  next: core.NextFunction,
) => any;

/** An option object with a schema, or without. */
type Options<Schema extends StandardSchema | undefined> = SocketOptions<Schema>;

/** `app.ws()` and `router.ws()`. Up to three handlers before the last one have their own types. */
// prettier-ignore
export interface SocketMatcher<T> {
  <Route extends string, S>(path: Route, valid: ValidateHandler<S>, handler: SocketHandler<core.RouteParameters<Route>, Buffer, ValidatedRequest<S, core.RouteParameters<Route>, any>>): T;
  <Route extends string, S>(path: Route, first: OtherHandlers, valid: ValidateHandler<S>, handler: SocketHandler<core.RouteParameters<Route>, Buffer, ValidatedRequest<S, core.RouteParameters<Route>, any>>): T;
  <Route extends string, S>(path: Route, first: OtherHandlers, second: OtherHandlers, valid: ValidateHandler<S>, handler: SocketHandler<core.RouteParameters<Route>, Buffer, ValidatedRequest<S, core.RouteParameters<Route>, any>>): T;
  <Route extends string, S, M extends StandardSchema | undefined = undefined>(path: Route, options: Options<M>, valid: ValidateHandler<S>, handler: SocketHandler<core.RouteParameters<Route>, MessageOf<M>, ValidatedRequest<S, core.RouteParameters<Route>, any>>): T;
  <Route extends string, S, M extends StandardSchema | undefined = undefined>(path: Route, options: Options<M>, first: OtherHandlers, valid: ValidateHandler<S>, handler: SocketHandler<core.RouteParameters<Route>, MessageOf<M>, ValidatedRequest<S, core.RouteParameters<Route>, any>>): T;
  <Route extends string, A extends object>(path: Route, adds: Adds<A>, handler: SocketHandler<core.RouteParameters<Route>, Buffer, core.Request<core.RouteParameters<Route>> & A>): T;
  <Route extends string, A extends object>(path: Route, first: OtherHandlers, adds: Adds<A>, handler: SocketHandler<core.RouteParameters<Route>, Buffer, core.Request<core.RouteParameters<Route>> & A>): T;
  <Route extends string, A extends object, M extends StandardSchema | undefined = undefined>(path: Route, options: Options<M>, adds: Adds<A>, handler: SocketHandler<core.RouteParameters<Route>, MessageOf<M>, core.Request<core.RouteParameters<Route>> & A>): T;
  <Route extends string>(path: Route, handler: SocketHandler<core.RouteParameters<Route>>): T;
  <Route extends string>(path: Route, first: core.RequestHandler<core.RouteParameters<Route>>, handler: SocketHandler<core.RouteParameters<Route>>): T;
  <Route extends string>(path: Route, first: core.RequestHandler<core.RouteParameters<Route>>, second: core.RequestHandler<core.RouteParameters<Route>>, handler: SocketHandler<core.RouteParameters<Route>>): T;
  <Route extends string>(path: Route, first: core.RequestHandler<core.RouteParameters<Route>>, second: core.RequestHandler<core.RouteParameters<Route>>, third: core.RequestHandler<core.RouteParameters<Route>>, handler: SocketHandler<core.RouteParameters<Route>>): T;
  <Route extends string, M extends StandardSchema | undefined = undefined>(path: Route, options: Options<M>, handler: SocketHandler<core.RouteParameters<Route>, MessageOf<M>>): T;
  <Route extends string, M extends StandardSchema | undefined = undefined>(path: Route, options: Options<M>, first: core.RequestHandler<core.RouteParameters<Route>>, handler: SocketHandler<core.RouteParameters<Route>, MessageOf<M>>): T;
  <Route extends string, M extends StandardSchema | undefined = undefined>(path: Route, options: Options<M>, first: core.RequestHandler<core.RouteParameters<Route>>, second: core.RequestHandler<core.RouteParameters<Route>>, handler: SocketHandler<core.RouteParameters<Route>, MessageOf<M>>): T;
  <Route extends string, M extends StandardSchema | undefined = undefined>(path: Route, options: Options<M>, first: core.RequestHandler<core.RouteParameters<Route>>, second: core.RequestHandler<core.RouteParameters<Route>>, third: core.RequestHandler<core.RouteParameters<Route>>, handler: SocketHandler<core.RouteParameters<Route>, MessageOf<M>>): T;
  (path: core.PathParams, ...handlers: (SocketOptions | OtherHandlers)[]): T;
}

type KnowingSocketHandler<Route extends string, Message, Known> = SocketHandler<
  core.RouteParameters<Route>,
  Message,
  KnownRequest<core.RouteParameters<Route>, Known, any>
>;

/** `ws` of a router that knows something, before its other signatures. */
// prettier-ignore
export interface KnowingSocketMatcher<T, Known> {
  <Route extends string>(path: Route, handler: KnowingSocketHandler<Route, Buffer, Known>): T;
  <Route extends string, A extends OtherHandlers>(path: Route, first: A, handler: KnowingSocketHandler<Route, Buffer, After<Known, A>>): T;
  <Route extends string, M extends StandardSchema | undefined = undefined>(path: Route, options: Options<M>, handler: KnowingSocketHandler<Route, MessageOf<M>, Known>): T;
  <Route extends string, A extends OtherHandlers, M extends StandardSchema | undefined = undefined>(path: Route, options: Options<M>, first: A, handler: KnowingSocketHandler<Route, MessageOf<M>, After<Known, A>>): T;
}
