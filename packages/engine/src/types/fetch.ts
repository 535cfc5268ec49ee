/** The types of `app.fetch` and `app.inject`. */
import type { Fetch } from 'express-serve-static-core';
import type { EventEmitter } from 'node:events';

/** An object of the Fetch API, if the compiler knows its class; it may not without `@types/node` 18 or `lib.dom`. */
type Instance<Name extends string> =
  typeof globalThis extends Record<Name, { prototype: infer T }> ? T : object;

/** A `Request` of the Fetch API. */
export type FetchRequest = Instance<'Request'>;

/** A `Response` of the Fetch API. */
export type FetchResponse = Instance<'Response'>;

/** Details of the connection on which a `Request` arrived. */
export interface FetchInfo {
  /** The address of the client, for `req.ip` and `req.socket.remoteAddress`. @default none */
  remoteAddress?: string | undefined;
  /** The port of the client. */
  remotePort?: number | undefined;
  /** Whether the connection is encrypted; by default, whether the URL starts with `https:`. */
  encrypted?: boolean | undefined;
  /** The server of Bun, which opens the WebSockets of `app.ws`. @default none */
  server?: object | undefined;
}

/** The WebSocket handlers of `Bun.serve`, with limits that leave those of `app.ws` in effect. */
export interface BunSocketHandlers {
  /* eslint-disable @typescript-eslint/no-explicit-any -- the types of Bun are not available here */
  open(socket: any): void;
  message(socket: any, message: any): void;
  close(socket: any, code: number, reason: string): void;
  ping(socket: any, data: any): void;
  pong(socket: any, data: any): void;
  /* eslint-enable @typescript-eslint/no-explicit-any */
  /** The largest `maxPayload` of the routes of `app.ws`. */
  readonly maxPayloadLength: number;
  backpressureLimit: number;
  closeOnBackpressureLimit: boolean;
  idleTimeout: number;
  sendPings: boolean;
}

declare module 'express-serve-static-core' {
  /** Handle a `Request` of the Fetch API. The function is bound to the application. */
  interface Fetch {
    (request: FetchRequest, info?: FetchInfo | object, ...rest: unknown[]): Promise<FetchResponse>;
    /**
     * The WebSocket handlers for `Bun.serve`, which `app.ws` needs on Bun.
     * @example Bun.serve({ fetch: app.fetch, websocket: app.fetch.websocket });
     */
    readonly websocket: BunSocketHandlers;
  }
}

export type { Fetch };

/** A request for `app.inject`. */
export interface InjectOptions {
  /** The request method. @default GET, or POST with a body */
  method?: string | undefined;
  /** The path with its query string, or an absolute URL. @default '/' */
  url?: string | undefined;
  /** Parameters to add to the query string. @default none */
  query?: Record<string, string | number | boolean | readonly (string | number | boolean)[]> | undefined;
  /** Headers by name; an array is sent as several headers. `Host` overrides the host of the URL. @default none */
  headers?: Record<string, string | number | readonly string[]> | undefined;
  /** Cookies by name, for the `Cookie` header. @default none */
  cookies?: Record<string, string> | undefined;
  /**
   * The body: a string, bytes, a `URLSearchParams`, `FormData`, `Blob`, `ReadableStream`, or a `Readable` or other async
   * iterable of strings and bytes; any other object is sent as JSON. `Content-Type` is set accordingly, unless `headers` sets it.
   * @default none
   */
  body?: unknown;
  /** The address of the client. @default '127.0.0.1' */
  remoteAddress?: string | undefined;
  /** A signal that aborts the request, as if the client disconnected. @default none */
  signal?: { readonly aborted: boolean } | undefined;
}

/** A cookie that a response sets. */
export interface InjectedCookie {
  /** The name of the cookie. */
  name: string;
  /** The decoded value. */
  value: string;
  /** The `Path` attribute. */
  path?: string;
  /** The `Domain` attribute. */
  domain?: string;
  /** The `Expires` attribute. */
  expires?: Date;
  /** The `Max-Age` attribute, in seconds. */
  maxAge?: number;
  /** Present if the cookie has the `HttpOnly` attribute. */
  httpOnly?: true;
  /** Present if the cookie has the `Secure` attribute. */
  secure?: true;
  /** The `SameSite` attribute, as it was sent. */
  sameSite?: string;
}

/** The response of an application to `app.inject`. */
export interface InjectResponse {
  /** The status code. */
  status: number;
  /** The reason phrase, such as `Not Found`. */
  statusText: string;
  /** Headers by name in lower case; `set-cookie` is an array. */
  headers: Record<string, string | string[] | undefined>;
  /** The cookies that the response sets. */
  cookies: InjectedCookie[];
  /** Return the body, decoded as UTF-8. It is complete, so this is no promise, unlike the method of a `Response`. */
  text: () => string;
  /** Parse the body as JSON: `json<User>()` for a type that the test knows. @throws SyntaxError if it is not JSON */
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- as `JSON.parse` gives
  json: <T = any>() => T;
  /** Return the body as bytes. */
  bytes: () => Uint8Array;
}

/** The options of `app.inject.ws`. */
export interface InjectSocketOptions extends Pick<
  InjectOptions,
  'query' | 'headers' | 'cookies' | 'remoteAddress' | 'signal'
> {
  /** The subprotocols that the client offers. @default [] */
  protocols?: string | readonly string[] | undefined;
}

/** A client of `app.inject.ws`: a `WebSocket` of the package `ws`, with two more members. */
export interface InjectedSocket extends EventEmitter {
  /** The response that opened the socket: its status is 101. */
  response: InjectResponse;
  /** The state: 1 while open, 2 while closing, 3 when closed. */
  readonly readyState: 0 | 1 | 2 | 3;
  /** The subprotocol that the application has chosen, or an empty string. */
  readonly protocol: string;
  /** The bytes that wait to be sent. */
  readonly bufferedAmount: number;
  /**
   * Wait for the next message: text as a string, a binary message as bytes. Messages that have arrived are kept.
   * @throws Error with `code` and `reason` if the socket was closed
   */
  next(): Promise<string | Buffer>;
  /** Send a message: text, or bytes as a binary message. */
  send(
    data: string | ArrayBuffer | ArrayBufferView,
    options?: { binary?: boolean; fin?: boolean } | ((error?: Error) => void),
    callback?: (error?: Error) => void,
  ): void;
  /** Begin the closing handshake. */
  close(code?: number, reason?: string | Buffer): void;
  /** Break the connection. */
  terminate(): void;
  /** Send a ping. */
  ping(data?: string | Buffer): void;
  /** Send a pong. */
  pong(data?: string | Buffer): void;
  /** Stop reading: the application has to wait. */
  pause(): void;
  /** Read on. */
  resume(): void;
}

/** What `app.inject.ws` rejects with if the application sends a response instead. */
export interface SocketRefusal extends Error {
  /** The status of the response. */
  status: number;
  /** The response. */
  response: InjectResponse;
}

/** Send a request to the application without a socket, for tests. The function is bound to the application. */
export interface Inject {
  (url?: string | InjectOptions, options?: Omit<InjectOptions, 'url'>): Promise<InjectResponse>;
  /**
   * Open a WebSocket to the application without a port, for tests. Requires the package `ws`.
   * @param url a path with its query string, or an absolute URL
   * @throws SocketRefusal if the application sends a response instead; TypeError for invalid options
   * @example
   * const socket = await app.inject.ws('/rooms/1', { cookies: { sid } });
   * socket.send('hello');
   * assert.equal(await socket.next(), '1: hello');
   */
  ws(url: string, options?: InjectSocketOptions): Promise<InjectedSocket>;
}
