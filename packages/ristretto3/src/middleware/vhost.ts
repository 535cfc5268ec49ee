/** `web.vhost()`: passes the requests for a host name to another application or server. */
import type * as http from 'node:http';
import { hostnameOf, isRegExp } from '@ristretto/private-engine/lib/protocol';
import type { Handler, Next, Request } from './connect';

/** The match of a host name. */
interface Match {
  /** The `Host` header as sent. */
  host: string;
  /** The same without its port. */
  hostname: string;
  /** The number of captured groups, which are the members 0, 1, … */
  length: number;
  [group: number]: string;
}

type Target =
  http.Server | ((req: Request & { vhost?: Match }, res: http.ServerResponse, next: Next) => unknown);
/** Returns the captured groups; `undefined` if the host name does not match. */
type Matcher = (hostname: string) => readonly string[] | undefined;

const NO_GROUPS: readonly string[] = [];

/**
 * Create middleware that passes the requests for a host name to a server or a handler, with `req.vhost`.
 * @param hostname the name, in which `*` matches any text; or a regular expression for the whole name
 * @param target an `http.Server`, an application, or another handler
 * @throws TypeError for other arguments
 * @example
 * const shops = web().get('/', (req, res) => res.send(req.vhost.hostname));
 * app.use(web.vhost('*.example.com', shops));
 * // GET / (Host: books.example.com) -> 200 books.example.com
 * // GET / (Host: example.org) -> 404
 */
function vhost(hostname: string | RegExp, target: Target): Handler {
  const match = matcher(hostname);
  const handle = handlerOf(target);
  return function vhost(req: Request & { vhost?: Match }, res, next) {
    const { host } = req.headers;
    const name = host && hostnameOf(host);
    const groups = name ? match(name) : undefined;
    if (groups === undefined) {
      next();
      return;
    }
    req.vhost = Object.assign({ host: host!, hostname: name!, length: groups.length }, groups);
    handle(req, res, next);
  };
}

function handlerOf(target: unknown): Handler {
  if (typeof target === 'function') return target as Handler;
  const { emit } = (target ?? {}) as Partial<http.Server>;
  if (typeof emit !== 'function')
    throw new TypeError('vhost(): expected a server or a function that handles requests');
  return (req, res) => {
    (target as http.Server).emit('request', req, res);
  };
}

function matcher(hostname: unknown): Matcher {
  if (isRegExp(hostname)) return expressionMatcher(hostname);
  if (typeof hostname !== 'string' || hostname === '') {
    throw new TypeError(`vhost(): expected a host name or a regular expression, got ${String(hostname)}`);
  }
  const pieces = hostname.toLowerCase().split('*');
  return name => (matchesPieces(name.toLowerCase(), pieces) ? NO_GROUPS : undefined);
}

/** Matches the expression against the whole name, in any case. */
function expressionMatcher({ source }: RegExp): Matcher {
  const whole = new RegExp(`^(?:${source})$`, 'i');
  return name => whole.exec(name)?.slice(1);
}

/** Whether the name contains the pieces in order, the first at its start and the last at its end. */
function matchesPieces(name: string, pieces: readonly string[]): boolean {
  const first = pieces[0]!;
  if (pieces.length === 1) return name === first;
  const last = pieces[pieces.length - 1]!;
  if (!name.startsWith(first) || !name.endsWith(last)) return false;
  let at = first.length;
  for (const piece of pieces.slice(1, -1)) {
    const found = name.indexOf(piece, at);
    if (found < 0) return false;
    at = found + piece.length;
  }
  return at <= name.length - last.length;
}

export = vhost;
