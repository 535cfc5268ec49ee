/** The types of `app.fetch` and `app.inject`. */

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
}

/** Handle a `Request` of the Fetch API. The function is bound to the application. */
export type Fetch = (
  request: FetchRequest,
  info?: FetchInfo | object,
  ...rest: unknown[]
) => Promise<FetchResponse>;

/** A request for `app.inject`. */
export interface InjectOptions {
  /** The request method. @default GET, or POST with a body */
  method?: string | undefined;
  /** The path with its query string, or an absolute URL. @default '/' */
  url?: string | undefined;
  /** Parameters to add to the query string. @default none */
  query?: Record<string, string | number | boolean | readonly (string | number | boolean)[]> | undefined;
  /** Headers by name; an array is sent as several headers. `Host` replaces that of the URL. @default none */
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
  /** The body, decoded as UTF-8. */
  text: string;
  /** The body as bytes. */
  bytes: Uint8Array;
  /** The cookies that the response sets. */
  cookies: InjectedCookie[];
  /** Parse the body as JSON. @throws SyntaxError if it is not JSON */
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- as `JSON.parse` gives
  json(): any;
}
