/** What `app.fetch` and `app.inject` take and give. */

/** An object of the Fetch API, where the compiler knows its class: without `@types/node` 18 or `lib.dom` it may not. */
type Instance<Name extends string> =
  typeof globalThis extends Record<Name, { prototype: infer T }> ? T : object;

/** A `Request` of the Fetch API. */
export type FetchRequest = Instance<'Request'>;

/** A `Response` of the Fetch API. */
export type FetchResponse = Instance<'Response'>;

/** What is known of the connection that brought a `Request`. */
export interface FetchInfo {
  /** The address of the client, for `req.ip` and `req.socket.remoteAddress`. @default none */
  remoteAddress?: string | undefined;
  /** The port of the client. */
  remotePort?: number | undefined;
  /** Whether the connection is encrypted; by default whether the URL says `https:`. */
  encrypted?: boolean | undefined;
}

/** Calls the application with a `Request`; bound to the application. */
export type Fetch = (
  request: FetchRequest,
  info?: FetchInfo | object,
  ...rest: unknown[]
) => Promise<FetchResponse>;

/** A request for `app.inject`. */
export interface InjectOptions {
  /** The method. @default GET, or POST with a body */
  method?: string | undefined;
  /** The path with its query string, or a whole URL. @default '/' */
  url?: string | undefined;
  /** Parameters that are added to the query string. @default none */
  query?: Record<string, string | number | boolean | readonly (string | number | boolean)[]> | undefined;
  /** Headers by name; an array is sent as several. @default none */
  headers?: Record<string, string | number | readonly string[]> | undefined;
  /** Cookies by name, for the header `Cookie`. @default none */
  cookies?: Record<string, string> | undefined;
  /**
   * A string, bytes, a `URLSearchParams`, `FormData`, `Blob` or `ReadableStream`; any other object is sent as JSON.
   * `Content-Type` is set to what it is, unless `headers` says something else.
   * @default none
   */
  body?: unknown;
  /** The address of the client. @default '127.0.0.1' */
  remoteAddress?: string | undefined;
  /** Breaks the request off, as a client does that disconnects. @default none */
  signal?: { readonly aborted: boolean } | undefined;
}

/** A cookie that a response sets. */
export interface InjectedCookie {
  /** The name. */
  name: string;
  /** Decoded. */
  value: string;
  /** The attribute `Path`. */
  path?: string;
  /** The attribute `Domain`. */
  domain?: string;
  /** The attribute `Expires`. */
  expires?: Date;
  /** In seconds. */
  maxAge?: number;
  /** Set where the cookie has the attribute `HttpOnly`. */
  httpOnly?: true;
  /** Set where the cookie has the attribute `Secure`. */
  secure?: true;
  /** The attribute `SameSite`, as it was sent. */
  sameSite?: string;
}

/** What an application responded to `app.inject`. */
export interface InjectResponse {
  /** The status code. */
  status: number;
  /** The reason phrase, such as `Not Found`. */
  statusText: string;
  /** By name in lower case; `set-cookie` is an array. */
  headers: Record<string, string | string[] | undefined>;
  /** The content, decoded from UTF-8. */
  text: string;
  /** The content. */
  bytes: Uint8Array;
  /** The cookies that the response sets. */
  cookies: InjectedCookie[];
  /** Parse the content. @throws SyntaxError where it is not JSON */
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- as `JSON.parse` gives
  json(): any;
}
