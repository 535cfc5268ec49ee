/** `app.inject`: sends a request to an application without a socket, for tests. */
import { types } from 'node:util';
import { STATUS_CODES } from 'node:http';
import type { InjectedCookie, InjectOptions, InjectResponse } from '../../types/fetch';
import type { RequestLike } from './fetch-socket';
import { checkNames, checkOption } from '../../report/option-checks';
import { checkGlobals, handleFetch } from './handle-fetch';
import type { Listener } from './handle-fetch';

/** The base URL of relative paths. */
const BASE = 'http://localhost';

/**
 * Sends a request to an application and resolves with the complete response.
 * @param args the URL, the options, or both
 * @throws TypeError if the options are invalid
 */
export async function inject(
  app: Listener,
  args: [(InjectOptions | string)?, InjectOptions?],
  report: (error: unknown) => void,
): Promise<InjectResponse> {
  checkGlobals(CALLER);
  const given = checked(...args);
  const info = { remoteAddress: given.remoteAddress ?? '127.0.0.1' };
  const response = await handleFetch(app, requestOf(given), info, report, hostOf(given));
  const bytes = new Uint8Array(await response.arrayBuffer());
  return makeResponse(response.status, response.headers, bytes, response.statusText);
}

/** Converts the response for the caller. */
export function makeResponse(
  status: number,
  headers: Headers,
  bytes: Uint8Array,
  statusText: string = STATUS_CODES[status] ?? '',
): InjectResponse {
  const text = (): string => new TextDecoder().decode(bytes);
  const cookies = headers.getSetCookie().map(parseCookie);
  return {
    status,
    statusText,
    headers: headersOf(headers),
    cookies,
    text,
    json: <T>() => JSON.parse(text()) as T,
    bytes: () => bytes,
  };
}

const CALLER = 'app.inject()';
const OPTIONS = [
  'method',
  'url',
  'query',
  'headers',
  'cookies',
  'body',
  'remoteAddress',
  'signal',
] satisfies (keyof InjectOptions)[];

/** RFC 9110, section 5.6.2. */
const TOKEN = /^[!#$%&'*+.^_`|~\w-]+$/;

/**
 * Returns the options of a request.
 * @throws TypeError if there are unknown options, because a misspelt one would send another request
 */
function checked(first: InjectOptions | string = '/', more?: InjectOptions): InjectOptions {
  const isUrl = typeof first === 'string';
  checkOption(isUrl || more === undefined, CALLER, 'the first of two arguments', 'a URL', first);
  checkNames(CALLER, isUrl ? more : first, isUrl ? OPTIONS.filter(name => name !== 'url') : OPTIONS);
  const options = isUrl ? { ...more, url: first } : first;
  const { remoteAddress } = options;
  const isAddress = remoteAddress === undefined || typeof remoteAddress === 'string';
  checkOption(isAddress, CALLER, 'remoteAddress', 'an address', remoteAddress);
  return options;
}

/** Returns the Host header among the headers, which takes precedence over the URL. */
export function hostOf({ headers = {} }: InjectOptions): string | undefined {
  const name = Object.keys(headers).find(one => one.toLowerCase() === 'host');
  return name === undefined ? undefined : String(headers[name]);
}

export function requestOf(
  { method, url = '/', query, headers, cookies, body, signal }: InjectOptions,
  caller = CALLER,
): RequestLike {
  checkOption(typeof url === 'string', caller, 'url', 'a string', url);
  const isMethod = method === undefined || (typeof method === 'string' && TOKEN.test(method));
  checkOption(isMethod, caller, 'method', 'a token such as GET', method);
  for (const [name, value] of Object.entries({ query, headers, cookies, signal })) {
    checkOption(value === undefined || Object(value) === value, caller, name, 'an object', value);
  }
  const content = body == null ? undefined : bodyStreamOf(body);
  const fields = new Headers();
  const type = content?.headers.get('content-type');
  if (type != null) fields.set('content-type', type);
  if (content !== undefined && sizeOf(body) !== undefined) fields.set('content-length', String(sizeOf(body)));
  for (const [name, value] of Object.entries(headers ?? {})) {
    fields.delete(name);
    for (const one of [value].flat()) fields.append(name, String(one));
  }
  if (cookies !== undefined) {
    const pairs = Object.entries(cookies).map(([name, value]) => `${name}=${encodeURIComponent(value)}`);
    fields.append('cookie', pairs.join('; '));
  }
  return {
    method: (method ?? (content === undefined ? 'GET' : 'POST')).toUpperCase(),
    url: withQuery(
      /^[a-z][a-z\d+.-]*:\/\//i.test(url) ? url : BASE + (url.startsWith('/') ? url : `/${url}`),
      query,
    ),
    headers: fields,
    body: content?.body ?? null,
    signal: signal as AbortSignal | undefined,
  };
}

/** Returns the body as a stream, with its media type. */
function bodyStreamOf(body: unknown): Response {
  if (isAsyncIterable(body)) return new Response(streamOf(body));
  const isPlain =
    typeof body === 'object' &&
    !(body instanceof ReadableStream) &&
    !(body instanceof Blob) &&
    !(body instanceof FormData) &&
    !(body instanceof URLSearchParams) &&
    !types.isAnyArrayBuffer(body) &&
    !ArrayBuffer.isView(body);
  if (!isPlain && typeof body !== 'number' && typeof body !== 'boolean') return new Response(body as never);
  return new Response(JSON.stringify(body), { headers: { 'content-type': 'application/json' } });
}

/** An async iterable, such as Node's `Readable`. A `ReadableStream` is one too, and is passed unchanged. */
function isAsyncIterable(body: unknown): body is AsyncIterable<string | Uint8Array> {
  return (
    typeof body === 'object' &&
    body !== null &&
    Symbol.asyncIterator in body &&
    !(body instanceof ReadableStream)
  );
}

function streamOf(source: AsyncIterable<string | Uint8Array>): ReadableStream<Uint8Array> {
  const iterator = source[Symbol.asyncIterator]();
  return new ReadableStream<Uint8Array>({
    pull: async controller => {
      const next = await iterator.next();
      if (next.done === true) controller.close();
      else controller.enqueue(new Uint8Array(Buffer.from(next.value as string)));
    },
    cancel: async () => {
      await iterator.return?.();
    },
  });
}

/** The size of a body in bytes, if known. */
function sizeOf(body: unknown): number | undefined {
  if (typeof body === 'string') return Buffer.byteLength(body);
  return ArrayBuffer.isView(body) || types.isAnyArrayBuffer(body) ? body.byteLength : undefined;
}

function withQuery(url: string, query: InjectOptions['query']): string {
  if (query === undefined) return url;
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    for (const one of [value].flat()) parameters.append(name, String(one));
  }
  return url + (url.includes('?') ? '&' : '?') + parameters.toString();
}

function headersOf(fields: Headers): InjectResponse['headers'] {
  const headers: InjectResponse['headers'] = {};
  for (const [name, value] of fields) {
    headers[name] = name === 'set-cookie' ? fields.getSetCookie() : value;
  }
  return headers;
}

/** Parses a Set-Cookie header (RFC 6265, section 4.1.1). */
function parseCookie(line: string): InjectedCookie {
  const [pair, ...attributes] = line.split(';');
  const equals = pair!.indexOf('=');
  const cookie: InjectedCookie = {
    name: pair!.slice(0, equals).trim(),
    value: decode(pair!.slice(equals + 1).trim()),
  };
  for (const attribute of attributes) {
    const [name, value = ''] = attribute.trim().split('=');
    switch (name!.toLowerCase()) {
      case 'path':
        cookie.path = value;
        break;
      case 'domain':
        cookie.domain = value;
        break;
      case 'expires':
        cookie.expires = new Date(value);
        break;
      case 'max-age':
        cookie.maxAge = Number(value);
        break;
      case 'httponly':
        cookie.httpOnly = true;
        break;
      case 'secure':
        cookie.secure = true;
        break;
      case 'samesite':
        cookie.sameSite = value;
        break;
      default:
    }
  }
  return cookie;
}

function decode(value: string): string {
  try {
    return decodeURIComponent(value);
  } catch {
    return value;
  }
}
