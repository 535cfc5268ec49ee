/**
 * The parts of a request that a schema can validate: how each is read, and how it is replaced by the schema's output.
 */
import type * as http from 'node:http';
import type * as Cookie from 'cookie';
import { deferred } from '../deferred';
import { setOwn } from '../protocol/own-property';
import { routeName } from '../router/matched-path';
import type { Request } from '../types/internals';
import type { RequestPart } from '../types/validation';

const cookieParser = deferred(() => require('cookie') as typeof Cookie);

interface Part {
  name: RequestPart;
  /** @throws Error if the middleware that parses the part is missing */
  read(req: Request): unknown;
  write(req: Request, output: unknown): void;
}

/** In the order in which they are validated. */
export const PARTS: readonly Part[] = [
  plain('params', req => req.params),
  { name: 'headers', read: req => req.headers, write: writeHeaders },
  plain('cookies', readCookies),
  plain('query', req => req.query),
  plain('body', readBody),
];

/** Returns a part that is replaced by the output. */
function plain(name: RequestPart, read: Part['read']): Part {
  return {
    name,
    read,
    write: (req, output) => {
      // In Express 5, `req.query` is inherited and cannot be assigned
      if (Object.hasOwn(req, name)) (req as unknown as Record<string, unknown>)[name] = output;
      else setOwn(req, name, output);
    },
  };
}

/**
 * Replaces headers, keeping those that the output lacks: most schemas drop unknown headers, which other middleware may
 * read.
 */
function writeHeaders(req: Request, output: unknown): void {
  const headers = { ...req.headers };
  for (const [name, value] of Object.entries(Object(output) as object)) {
    // An assignment to `__proto__` would change the prototype.
    Object.defineProperty(headers, name, { value, configurable: true, enumerable: true, writable: true });
  }
  req.headers = headers;
}

function readCookies(req: Request): unknown {
  const { cookies } = req as { cookies?: unknown };
  if (cookies !== undefined) return cookies;
  return { ...cookieParser().parse(req.headers.cookie ?? '') };
}

function readBody(req: Request): unknown {
  const body: unknown = req.body;
  if (body === undefined && hasContent(req)) {
    throw new Error(
      `${routeName(req)}: web.validate() needs req.body, which no body parser has set. ` +
        'Register a body parser before it, for example app.use(web.json()).',
    );
  }
  return body;
}

/** Whether the request has a body (RFC 9112, section 6.3). */
function hasContent({ headers }: http.IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length']) > 0;
}
