/**
 * Rejects requests that pages of other origins make (CSRF), based on the headers that browsers send:
 * `Sec-Fetch-Site` (https://www.w3.org/TR/fetch-metadata/#sec-fetch-site-header), and `Origin` in older browsers.
 */
import { types } from 'node:util';
import { format } from 'node:util';
import type { IncomingMessage, ServerResponse } from 'node:http';

type Bypass = string | RegExp | ((req: IncomingMessage) => boolean);

interface SameOriginOptions {
  /** Origins whose pages may send requests: `https://admin.example.com`. @default [] */
  trustedOrigins?: readonly string[];
  /**
   * Requests that pass: a path (`/hooks/github`), all paths below one (`/hooks/*`), a pattern for the path, or a function.
   * Paths and patterns must match the path as it was sent, without the query. @default []
   */
  bypass?: readonly Bypass[];
}

/** The error passed to `next` for a rejected request. */
class CrossOriginError extends Error {
  readonly status = 403;
  readonly statusCode = 403;
  readonly expose = true;
  readonly type = 'origin.rejected';
}
Object.defineProperty(CrossOriginError.prototype, 'name', { value: 'CrossOriginError' });

/** Methods that must not change anything: https://www.rfc-editor.org/rfc/rfc9110#section-9.2.1 */
const isSafe = (method: string | undefined) => method === 'GET' || method === 'HEAD' || method === 'OPTIONS';

/** Returns an origin as browsers send it; throws if it is not one. */
function originOf(given: unknown): string {
  const url = typeof given === 'string' && URL.canParse(given) ? new URL(given) : undefined;
  const isOrigin = url !== undefined && url.origin !== 'null' && url.href === `${url.origin}/`;
  if (!isOrigin || (given as string).endsWith('/'))
    throw new TypeError(
      `sameOrigin: expected trusted origins such as https://example.com, without a path, got ${format(given)}`,
    );
  return url.origin;
}

/** Paths that a proxy or a router may read as another path. */
const AMBIGUOUS = /\/\.|%2e|%2f|%5c|\\|\/\//i;

function pathOf(req: IncomingMessage & { originalUrl?: string }): string {
  const target = req.originalUrl ?? req.url ?? '';
  const end = target.indexOf('?');
  return end < 0 ? target : target.slice(0, end);
}

/** Returns a function that returns whether a request passes by one of the entries of `bypass`. */
function matcherOf(given: unknown): (req: IncomingMessage) => boolean {
  if (typeof given === 'function') return given as (req: IncomingMessage) => boolean;
  if (types.isRegExp(given)) {
    if (given.global || given.sticky)
      throw new TypeError(
        `sameOrigin: patterns in bypass must not have the flags g and y, got ${format(given)}`,
      );
    return req => given.test(pathOf(req));
  }
  if (typeof given !== 'string' || !given.startsWith('/'))
    throw new TypeError(
      `sameOrigin: expected paths that begin with /, patterns or functions in bypass, got ${format(given)}`,
    );
  if (!given.endsWith('/*')) return req => pathOf(req) === given;
  const prefix = given.slice(0, -1);
  return req => {
    const path = pathOf(req);
    return path.startsWith(prefix) && !AMBIGUOUS.test(path);
  };
}

function listOf(name: string, given: unknown): readonly unknown[] {
  if (given === undefined) return [];
  if (!Array.isArray(given))
    throw new TypeError(`sameOrigin: expected ${name} to be an array, got ${format(given)}`);
  return given;
}

/** Returns whether the host of an origin is the one that the request was sent to. */
function isHost(origin: string, req: IncomingMessage): boolean {
  const host = req.headers.host ?? (req.headers[':authority'] as string | undefined);
  if (host === undefined || !URL.canParse(origin)) return false;
  const { host: own, protocol } = new URL(origin);
  // The default port of the scheme may be in Host.
  return URL.canParse(`${protocol}//${host}`) && own !== '' && own === new URL(`${protocol}//${host}`).host;
}

/** Returns why a request does not come from this origin; undefined if it does. */
function objectionTo(req: IncomingMessage): string | undefined {
  const site = req.headers['sec-fetch-site'];
  const { origin } = req.headers;
  // `none`: the user typed the address, or opened a bookmark.
  if (site === 'same-origin' || site === 'none') return undefined;
  if (site) return `Sec-Fetch-Site is ${format(site)}`;
  // A client that sends neither header is not a browser, so there are no cookies to abuse.
  if (!origin || isHost(origin, req)) return undefined;
  return `Origin is ${origin}, and Host is ${req.headers.host ?? 'missing'}`;
}

/**
 * Returns middleware that rejects requests from other origins with 403, except those with GET, HEAD and OPTIONS, which
 * must not change anything.
 * @param options exceptions
 * @throws {TypeError} for a trusted origin that is not one, or an entry of `bypass` that could never match
 * @example app.use(sameOrigin({ trustedOrigins: ['https://admin.example.com'], bypass: ['/hooks/*'] }));
 */
function sameOrigin(
  options: SameOriginOptions = {},
): (req: IncomingMessage, res: ServerResponse, next: (err?: unknown) => void) => void {
  if ((options as unknown) === null || typeof options !== 'object')
    throw new TypeError(`sameOrigin: expected an object of options, got ${format(options)}`);
  const unknown = Object.keys(options).find(name => name !== 'trustedOrigins' && name !== 'bypass');
  if (unknown !== undefined)
    throw new TypeError(
      `sameOrigin: there is no option ${unknown}; the options are trustedOrigins and bypass`,
    );
  const trusted = new Set(listOf('trustedOrigins', options.trustedOrigins).map(originOf));
  const matchers = listOf('bypass', options.bypass).map(matcherOf);
  return function sameOriginMiddleware(req, _res, next) {
    if (isSafe(req.method)) {
      next();
      return;
    }
    const objection = objectionTo(req);
    const isException = () => trusted.has(req.headers.origin ?? '') || matchers.some(matches => matches(req));
    next(
      objection === undefined || isException()
        ? undefined
        : new CrossOriginError(`Cross-origin request rejected: ${objection}`),
    );
  };
}

declare namespace sameOrigin {
  export type { CrossOriginError, SameOriginOptions };
}

export = sameOrigin;
