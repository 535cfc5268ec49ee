/**
 * The parts of a request that a schema can validate: how each is read, and how the schema's output replaces it.
 *
 * Each schema sees what the client sent, and outputs are merged: `router.use(web.validate({ query: A }))` and a route's
 * `web.validate({ query: B })` do not have to know of each other, although A drops the members of B.
 */
import type * as http from 'node:http';
import type * as Cookie from 'cookie';
import { deferred } from '../../deferred';
import { httpError } from '../../protocol/errors';
import { setOwn } from '../../protocol/own-property';
import { hasContent, wasRead } from '../../protocol/request-body';
import { routeName } from '../../router/matched-path';
import type { Request } from '../../types/internals';
import type { RequestPart } from '../../types/validation';

const cookieParser = deferred(() => require('cookie') as typeof Cookie);

/** In the order in which they are validated. */
export const PARTS = ['params', 'headers', 'cookies', 'query', 'body'] as const satisfies RequestPart[];

/** A part of a request, and what schemas have changed it to. */
interface Replaced {
  /** What the client sent. */
  readonly input: unknown;
  /** The output of the schemas. */
  readonly output: unknown;
}

const replaced = new WeakMap<Request, Partial<Record<RequestPart, Replaced>>>();

type Parts = Partial<Record<RequestPart, unknown>>;

/** Returns the schemas' output for a part, unless other code has replaced it since. */
function replacedPart(req: Request, name: RequestPart): Replaced | undefined {
  const known = replaced.get(req)?.[name];
  return known !== undefined && known.output === (req as Parts)[name] ? known : undefined;
}

/**
 * Returns a part as the client sent it.
 * @throws HttpError 415 if no parser has read the body; Error if there is no parser
 */
export function readPart(req: Request, name: RequestPart): unknown {
  const known = replacedPart(req, name);
  if (known !== undefined) return known.input;
  if (name === 'body') return readBody(req);
  if (name === 'headers') return new Proxy(req.headers, ANY_CASE);
  return name === 'cookies' ? readCookies(req) : (req as Parts)[name];
}

/** Header names are in lower case in Node, and in any case in schemas. */
const ANY_CASE: ProxyHandler<http.IncomingHttpHeaders> = {
  get: (headers, name) => Reflect.get(headers, lower(name)) as unknown,
  has: (headers, name) => Reflect.has(headers, lower(name)),
};

function lower(name: string | symbol): string | symbol {
  return typeof name === 'string' && !(name in Object.prototype) ? name.toLowerCase() : name;
}

/** Replaces a part by the output of a schema, with that of earlier ones for the same part. */
export function writePart(req: Request, name: RequestPart, input: unknown, output: unknown): void {
  // Most schemas drop unknown headers, which other middleware may read.
  const before = name === 'headers' ? req.headers : replacedPart(req, name)?.output;
  // A spread defines an own `__proto__`, where an assignment would change the prototype.
  const merged = isPlain(before) && isPlain(output) ? { ...before, ...output } : output;
  // In Express 5, `req.query` is inherited and cannot be assigned
  if (name === 'headers' || Object.hasOwn(req, name)) (req as Parts)[name] = merged;
  else setOwn(req, name, merged);
  let parts = replaced.get(req);
  if (parts === undefined) replaced.set(req, (parts = {}));
  parts[name] = { input, output: merged };
}

/** Whether a value is an object with members, which can be merged. */
function isPlain(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function readCookies(req: Request): unknown {
  const { cookies } = req as { cookies?: unknown };
  if (cookies !== undefined) return cookies;
  return { ...cookieParser().parse(req.headers.cookie ?? '') };
}

/** Returns the body, undefined if there is none, also where parsers set `req.body` to `{}` then. */
function readBody(req: Request): unknown {
  const body: unknown = req.body;
  if (body !== undefined && !isEmptyObject(body)) return body;
  if (!hasContent(req.headers)) return undefined;
  // A parser that has run either marks the request or has read its stream.
  if (body !== undefined && (req._body === true || wasRead(req))) return body;
  if (body === undefined && !('body' in req)) {
    throw new Error(
      `${routeName(req)}: web.validate() needs req.body, which no body parser has set. ` +
        'Register a body parser before it, for example app.use(web.json()), or multer for forms with files.',
    );
  }
  if (body !== undefined && Object.getPrototypeOf(body) !== Object.prototype) return body;
  const type = req.headers['content-type'];
  const message =
    type === undefined ? 'The body has no Content-Type' : `No parser reads a body of type ${type}`;
  throw httpError(415, message, { type: 'media.unsupported', stack: undefined });
}

function isEmptyObject(value: unknown): value is object {
  return isPlain(value) && Object.keys(value).length === 0;
}
