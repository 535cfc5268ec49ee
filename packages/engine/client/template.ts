/* What the application describes. */

/** The schemas of the application, by name. */
export interface Schemas {}
/** A function for each method of each path. */
export type Client = Record<
  string,
  Record<string, (input?: Common) => Promise<Ok<Success, unknown> | Failed<Failure, unknown>>>
>;
/** The media types of those bodies that might be sent as another one. */
const BODY_TYPES: Readonly<Record<string, readonly string[]>> = {};

/* End of what the application describes. */

/** The options of `client`. */
export interface ClientOptions {
  /** The origin of the API, and a path if there is one before its routes. @default the origin of the page */
  baseUrl?: string | URL | undefined;
  /** Headers for every request, or a function that returns them, for example with a token that expires. @default none */
  headers?: RequestHeaders | (() => RequestHeaders | Promise<RequestHeaders>) | undefined;
  /** Whether to send cookies: for another origin `'include'`. @default 'same-origin' */
  credentials?: 'omit' | 'same-origin' | 'include' | undefined;
  /** What sends requests: `app.fetch` in tests. @default fetch */
  fetch?: ((request: Request) => Response | Promise<Response>) | undefined;
}

/** Headers by name. A header that is undefined is not sent. */
export interface RequestHeaders {
  [name: string]: string | undefined;
}

/** The options that every call has. */
export interface Common {
  /** Headers for this request. */
  headers?: RequestHeaders | undefined;
  /** Aborts the request, and the response's body. */
  signal?: AbortSignal | undefined;
}

/** A response with a status from 200 to 299. */
export interface Ok<Status extends number, Body> {
  ok: true;
  status: Status;
  body: Body;
  headers: Headers;
}

/** A response with any other status. */
export interface Failed<Status extends number, Body> {
  ok: false;
  status: Status;
  body: Body;
  headers: Headers;
}

/** The statuses of successful responses. */
export type Success = 200 | 201 | 202 | 203 | 204 | 205 | 206 | 207 | 208 | 226;
/** The statuses of other responses. */
export type Failure = ClientFailure | ServerFailure | (300 | 304);
type ClientFailure =
  | (
      | 400
      | 401
      | 402
      | 403
      | 404
      | 405
      | 406
      | 407
      | 408
      | 409
      | 410
      | 411
      | 412
      | 413
      | 414
      | 415
      | 416
      | 417
    )
  | (418 | 421 | 422 | 423 | 424 | 425 | 426 | 428 | 429 | 431 | 451);
type ServerFailure = 500 | 501 | 502 | 503 | 504 | 505 | 506 | 507 | 508 | 510 | 511;

/** An error as problem details (RFC 9457). */
export interface Problem {
  type?: string;
  title?: string;
  status?: number;
  detail?: string;
  code?: string;
  [member: string]: unknown;
}

/** A server-sent event. */
export interface ServerEvent<Data> {
  /** `message` if the server does not name it. */
  event: string;
  data: string;
  /** The id of the last event that had one. */
  id: string;
  /** Parses the data. */
  json(): Data;
}

const METHODS = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace'];
const OPTIONS = ['baseUrl', 'headers', 'credentials', 'fetch'];
const INPUT = ['params', 'query', 'headers', 'body', 'signal'];
/** Statuses of responses without a body. */
const BODILESS = [204, 205, 304];
const JSON_TYPE = /^application\/(?:.*\+)?json\b/i;
/** JSON first, because error handlers send pages to clients that accept everything. */
const ACCEPT = 'application/json, */*;q=0.5';

/**
 * Creates a client of the API.
 * @throws TypeError for an invalid option
 * @example const api = client({ baseUrl: 'https://api.example.com' });
 */
export function client(options: ClientOptions = {}): Client {
  checkNames('client()', options, OPTIONS);
  const { baseUrl, fetch } = options;
  if (fetch !== undefined && typeof fetch !== 'function') {
    throw new TypeError(`client(): expected the option fetch to be a function, got ${shown(fetch)}`);
  }
  const base = readBase(baseUrl, fetch !== undefined);
  const paths = new Map<string, Operations>();
  const get = (_: object, path: string | symbol): Operations | undefined => {
    if (typeof path === 'symbol' || !path.includes('/')) return undefined;
    let operations = paths.get(path);
    if (operations === undefined) {
      operations = operationsOf({ ...options, base }, path);
      paths.set(path, operations);
    }
    return operations;
  };
  return new Proxy({}, { get }) as unknown as Client;
}

type Operations = Record<string, (input?: Input) => Promise<Ok<number, unknown> | Failed<number, unknown>>>;

function operationsOf(settings: Settings, path: string): Operations {
  if (!path.startsWith('/')) throw new TypeError(`Expected a path such as '/users/:id', got ${shown(path)}`);
  return Object.fromEntries(
    METHODS.map(method => [method, (input?: Input) => send(settings, method, path, input)]),
  );
}

/** Thrown by `unwrap`, and for a response that can't be read. */
export class ResponseError extends Error {
  override readonly name: string = 'ResponseError';
  readonly status: number;
  readonly body: unknown;
  readonly headers: Headers;

  constructor(message: string, response: { status: number; body: unknown; headers: Headers }) {
    super(message);
    this.status = response.status;
    this.body = response.body;
    this.headers = response.headers;
  }

  /** The body if it is a problem document. */
  get problem(): Problem | undefined {
    return typeOf(this.headers) === 'application/problem+json' ? (this.body as Problem) : undefined;
  }
}

/**
 * Returns the body of a successful response.
 * @throws ResponseError for any other response
 * @example const user = unwrap(await api['/users/:id'].get({ params: { id: 7 } }));
 */
export function unwrap<Result extends Ok<number, unknown> | Failed<number, unknown>>(
  result: Result,
): Extract<Result, { ok: true }>['body'] {
  if (result.ok) return result.body;
  const { title, detail } = Object(result.body) as Problem;
  const text = [title, detail].filter(part => typeof part === 'string').join(': ');
  throw new ResponseError(`The response has the status ${result.status}${text && `: ${text}`}`, result);
}

interface Input extends Common {
  params?: Record<string, unknown>;
  query?: Record<string, unknown>;
  body?: unknown;
}

type Settings = ClientOptions & { base: string };

async function send(
  settings: Settings,
  method: string,
  path: string,
  input: Input = {},
): Promise<Ok<number, unknown> | Failed<number, unknown>> {
  const place = `${method.toUpperCase()} ${path}`;
  checkNames(place, input, INPUT);
  const url = urlOf(settings.base + pathOf(place, path, input.params)) + queryOf(place, input.query);
  const { headers: given, credentials, fetch = sendByFetch } = settings;
  const headers = new Headers({ Accept: ACCEPT });
  addHeaders(headers, typeof given === 'function' ? await given() : given);
  addHeaders(headers, input.headers);
  const request: RequestInit & { duplex?: 'half' } = { method: method.toUpperCase(), headers };
  if (input.body !== undefined)
    request.body = encode(input.body, headers, BODY_TYPES[place]) as NonNullable<RequestInit['body']>;
  if (isStream(input.body)) request.duplex = 'half';
  if (input.signal !== undefined) request.signal = input.signal;
  if (credentials !== undefined) request.credentials = credentials;
  const response = await fetch(new Request(url, request));
  const { ok, status } = response;
  const body = await bodyOf(response, place);
  return { ok, status, body, headers: response.headers };
}

/** Looks `fetch` up for every request, because tests replace it. */
function sendByFetch(request: Request): Promise<Response> {
  return globalThis.fetch(request);
}

function readBase(baseUrl: unknown, isCustom: boolean): string {
  const { location } = globalThis as { location?: { href: string } };
  const text = String(baseUrl ?? '');
  if (
    /[?#]/.test(text) ||
    (baseUrl !== undefined && typeof baseUrl !== 'string' && !(baseUrl instanceof URL))
  ) {
    throw new TypeError(
      `client(): expected a baseUrl such as 'https://api.example.com', got ${shown(baseUrl)}`,
    );
  }
  const base = text.replace(/\/$/, '');
  if (/^https?:\/\/[^/]/i.test(base) || location !== undefined) return base;
  if (isCustom && !/^[^/]/.test(base)) return `http://localhost${base}`;
  throw new TypeError(
    `client(): expected a baseUrl such as 'https://api.example.com', got ${shown(baseUrl)}. Only pages in browsers have an origin.`,
  );
}

/** With two slashes first, which a rest parameter may bring, the URL parser would take a part of the path for another host. */
function urlOf(target: string): string {
  return target.startsWith('//') ? `/.${target}` : target;
}

/** Replaces the parameters of a path: `/users/:id` and `/files/*rest`. A backslash escapes a character. */
function pathOf(place: string, path: string, params: Record<string, unknown> = {}): string {
  const names = new Set(Object.keys(params));
  const filled = path.replace(/\\(.)|([:*])(\w+)/g, (_, literal?: string, kind?: string, name = '') => {
    if (literal !== undefined) return literal;
    names.delete(name);
    return kind === '*' ? restOf(place, name, params[name]) : segmentOf(place, name, params[name]);
  });
  if (names.size > 0) throw new TypeError(`${place} has no parameter ${shown([...names][0])}`);
  // The URL parser would remove such segments, and the request would be for another path.
  if (filled.split('/').some(segment => segment === '.' || segment === '..')) {
    throw new TypeError(`${place}: a parameter must not be '.' or '..', got ${shown(params)}`);
  }
  return filled;
}

function segmentOf(place: string, name: string, value: unknown): string {
  if (!['string', 'number', 'boolean', 'bigint'].includes(typeof value) || value === '') {
    throw new TypeError(`${place}: expected a value for the parameter ${name}, got ${shown(value)}`);
  }
  return encodeURIComponent(String(value));
}

/** Keeps the slashes. */
function restOf(place: string, name: string, value: unknown): string {
  if (typeof value !== 'string') {
    throw new TypeError(`${place}: expected a path for the parameter ${name}, got ${shown(value)}`);
  }
  return value.split('/').map(encodeURIComponent).join('/');
}

function queryOf(place: string, query: Record<string, unknown> = {}): string {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    const values = Array.isArray(value) && !value.some(isRecord) ? (value as unknown[]) : [value];
    for (const one of values) addQuery(place, search, name, one);
  }
  const text = search.toString();
  return text && `?${text}`;
}

/** Members of objects and arrays are in brackets, as `qs` reads them. */
function addQuery(place: string, search: URLSearchParams, name: string, value: unknown): void {
  if (value === undefined) return;
  if (value === null) {
    throw new TypeError(
      `${place}: expected a value for ${name} in the query, got null. Leave it out instead`,
    );
  }
  if (Array.isArray(value)) {
    // With one name for all, the members of several objects would become lists
    const hasRecords = value.some(isRecord);
    for (const [i, item] of value.entries()) addQuery(place, search, `${name}[${hasRecords ? i : ''}]`, item);
  } else if (isRecord(value)) {
    for (const [key, item] of Object.entries(value)) addQuery(place, search, `${name}[${key}]`, item);
  } else {
    search.append(name, value instanceof Date ? value.toISOString() : String(value as string));
  }
}

function isRecord(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !(value instanceof Date);
}

function addHeaders(headers: Headers, more: RequestHeaders = {}): void {
  for (const [name, value] of Object.entries(more)) {
    if (value === undefined) headers.delete(name);
    else headers.set(name, value);
  }
}

/**
 * Returns what `fetch` sends as the body: most values as JSON.
 * @param types the media types that the route reads, or patterns of them
 */
function encode(body: unknown, headers: Headers, types: readonly string[] = []): unknown {
  const isBytes = body instanceof ArrayBuffer || ArrayBuffer.isView(body) || body instanceof Blob;
  const isForm = body instanceof FormData || body instanceof URLSearchParams;
  const isRaw = isBytes || isStream(body) || typeof body === 'string';
  if (!headers.has('Content-Type') && !isForm) {
    const named = types.filter(type => !type.includes('*'));
    const type = named.find(type => JSON_TYPE.test(type) !== isRaw) ?? named[0];
    if (type !== undefined && !isTyped(body, types)) headers.set('Content-Type', type);
  }
  const isJson = JSON_TYPE.test(headers.get('Content-Type') ?? '');
  if (isForm || (isRaw && (typeof body !== 'string' || !isJson))) return body;
  if (!headers.has('Content-Type')) headers.set('Content-Type', 'application/json');
  return JSON.stringify(body);
}

/** Whether `fetch` sets a type of the body that the route reads. */
function isTyped(body: unknown, types: readonly string[]): boolean {
  const text = body instanceof Blob ? body.type : typeof body === 'string' ? 'text/plain' : '';
  const type = text.split(';')[0]!.trim();
  return type !== '' && types.some(pattern => matches(type, pattern));
}

/** Whether a media type is that of a pattern: `image/*` */
function matches(type: string, pattern: string): boolean {
  const [start, ...rest] = pattern.split('*');
  return rest.length === 0
    ? type === pattern
    : type.startsWith(start!) && type.endsWith(rest[rest.length - 1]!);
}

function isStream(value: unknown): value is ReadableStream {
  return typeof ReadableStream === 'function' && value instanceof ReadableStream;
}

function typeOf(headers: Headers): string {
  return (headers.get('Content-Type') ?? '').split(';')[0]!.trim().toLowerCase();
}

/** Returns the body as its type says: JSON, text, the events or lines of a stream, or a stream of bytes. */
async function bodyOf(response: Response, place: string): Promise<unknown> {
  const { headers, status } = response;
  if (place.startsWith('HEAD ') || BODILESS.includes(status)) return undefined;
  // Of `app.fetch`, an empty body is null
  const body = response.body ?? new Response('').body!;
  const type = typeOf(headers);
  if (/^application\/(?:.*\+)?json$/.test(type)) {
    const text = await response.text();
    return text === '' ? undefined : parse(text, place, { status, headers });
  }
  if (type === 'text/event-stream') return closable(body, eventsIn);
  if (/^application\/(?:x-)?(?:ndjson|jsonl)$/.test(type)) {
    return closable(body, lines => valuesIn(lines, place, { status, headers }));
  }
  if (type.startsWith('text/')) return response.text();
  return type === '' ? (await response.text()) || undefined : body;
}

function parse(text: string, place: string, head: { status: number; headers: Headers }): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    const message = `${place}: the body of the ${head.status} is not JSON: ${(error as Error).message}`;
    throw new ResponseError(message, { ...head, body: text });
  }
}

/**
 * Returns the values in the lines of a body. Its `return` cancels the body at once: a generator would do so only after a pending
 * `next`, for which a silent server never sends anything, and not at all before the first one.
 */
function closable<Value>(
  body: ReadableStream<Uint8Array>,
  read: (lines: AsyncIterable<string>) => AsyncGenerator<Value, void>,
): AsyncGenerator<Value, void> {
  const reader = body.getReader();
  let isClosed = false;
  const generator = read(linesIn(reader, () => isClosed));
  const end = generator.return.bind(generator);
  generator.return = async value => {
    isClosed = true;
    await reader.cancel();
    return end(value);
  };
  return generator;
}

async function* valuesIn(
  lines: AsyncIterable<string>,
  place: string,
  head: { status: number; headers: Headers },
): AsyncGenerator<unknown, void> {
  for await (const line of lines) if (line.trim() !== '') yield parse(line, place, head);
}

/** https://html.spec.whatwg.org/multipage/server-sent-events.html#event-stream-interpretation */
async function* eventsIn(received: AsyncIterable<string>): AsyncGenerator<ServerEvent<unknown>, void> {
  let id = '';
  let event = '';
  let lines: string[] = [];
  for await (const line of received) {
    if (line === '') {
      const data = lines.join('\n');
      if (lines.length > 0)
        yield { event: event || 'message', data, id, json: () => JSON.parse(data) as unknown };
      event = '';
      lines = [];
      continue;
    }
    const [, name, value = ''] = /^([^:]*)(?:: ?(.*))?$/s.exec(line)!;
    if (name === 'data') lines.push(value);
    else if (name === 'event') event = value;
    else if (name === 'id' && !value.includes('\0')) id = value;
  }
}

/** Yields lines without their ends. Cancels the body when the loop is left. */
async function* linesIn(
  reader: ReadableStreamDefaultReader<Uint8Array>,
  isClosed: () => boolean,
): AsyncGenerator<string, void> {
  const decoder = new TextDecoder();
  let rest = '';
  let endsInReturn = false;
  try {
    for (;;) {
      const { value, done } = await reader.read();
      if (isClosed()) return;
      const text = done ? decoder.decode() : decoder.decode(value, { stream: true });
      rest += text;
      // Searched for each chunk, a long line would take quadratic time
      if (!done && !endsInReturn && !/[\r\n]/.test(text)) continue;
      // A carriage return at the end may be the first half of a line end.
      const lines = rest.split(done ? /\r\n|\n|\r/ : /\r\n|\n|\r(?!$)/);
      rest = lines.pop()!;
      endsInReturn = rest.endsWith('\r');
      // `yield*` of an array needs TypeScript 5.6
      for (const line of lines) yield line;
      if (done) break;
    }
    if (rest !== '') yield rest;
  } finally {
    await reader.cancel();
  }
}

function checkNames(place: string, value: unknown, names: readonly string[]): void {
  if (typeof value !== 'object' || value === null) {
    throw new TypeError(`${place}: expected an object with ${names.join(', ')}, got ${shown(value)}`);
  }
  const unknown = Object.keys(value).find(name => !names.includes(name));
  if (unknown !== undefined) {
    throw new TypeError(`${place}: unknown option ${shown(unknown)}. Options are ${names.join(', ')}.`);
  }
}

function shown(value: unknown): string {
  return typeof value === 'function' ? 'a function' : (JSON.stringify(value) ?? String(value));
}
