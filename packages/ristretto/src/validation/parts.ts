/** The parts of a request that a schema can check: how each is read, and how the schema's output takes its place. */
import type * as http from 'node:http';
import type * as Cookie from 'cookie';
import { setOwn } from '../protocol/own-property';
import { routeName } from '../router/matched-path';
import type { Request } from '../types/internals';
import type { RequestPart } from '../types/validation';

interface Part {
  name: RequestPart;
  /** @throws Error where the application lacks what would have read it */
  read(req: Request): unknown;
  write(req: Request, output: unknown): void;
}

/** In the order in which they are checked. */
export const PARTS: readonly Part[] = [
  plain('params', req => req.params),
  { name: 'headers', read: req => req.headers, write: writeHeaders },
  plain('cookies', readCookies),
  plain('query', req => req.query),
  plain('body', readBody),
];

/** A part that the output takes the place of. */
function plain(name: RequestPart, read: Part['read']): Part {
  return {
    name,
    read,
    write: (req, output) => {
      // `req.query` of Express 5 is inherited, and can't be assigned
      if (Object.hasOwn(req, name)) (req as unknown as Record<string, unknown>)[name] = output;
      else setOwn(req, name, output);
    },
  };
}

/** Headers that the output lacks stay: most schemas drop what they don't know, and other middleware reads it. */
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
  const { parse } = require('cookie') as typeof Cookie;
  return { ...parse(req.headers.cookie ?? '') };
}

function readBody(req: Request): unknown {
  const body: unknown = req.body;
  if (body === undefined && hasContent(req)) {
    throw new Error(
      `${routeName(req)}: web.valid() needs req.body, which no body parser has set. ` +
        'Register a body parser before it, for example app.use(web.json()).',
    );
  }
  return body;
}

/** RFC 9112, section 6.3. */
function hasContent({ headers }: http.IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length']) > 0;
}
