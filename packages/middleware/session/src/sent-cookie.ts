/** What a request says about its session: keys and signed IDs, the path, and whether it came over TLS. */
import type { IncomingMessage } from 'node:http';
import { Keyed, unsign } from '@ristretto/signed-cookies';
import { debug } from './debug';
import type { SessionRequest } from './session-request';

const parseUrl = require('parseurl') as {
  original(req: IncomingMessage): { pathname: string | null } | undefined;
};

/** The secret of the cookie parser that was used last, and its key. */
let parserSecret: string | undefined;
let parserKeys: Keyed[] = [];

export function keysOf(secret: string | undefined): Keyed[] | undefined {
  if (!secret) return undefined;
  if (secret !== parserSecret) {
    parserKeys = [new Keyed(secret)];
    parserSecret = secret;
  }
  return parserKeys;
}

/** Returns whether the client is connected over TLS. */
export function isSecure(req: SessionRequest, proxy: boolean | undefined): boolean {
  // eslint-disable-next-line @typescript-eslint/no-deprecated -- mock requests may have only this, as in express-session
  const socket = req.connection as { encrypted?: boolean } | undefined;
  if (socket?.encrypted) return true;
  if (proxy === false) return false;
  if (proxy !== true) return req.secure === true;
  const header = (req.headers['x-forwarded-proto'] ?? '') as string;
  const comma = header.indexOf(',');
  return (comma < 0 ? header : header.slice(0, comma)).toLowerCase().trim() === 'https';
}

/** Returns the ID of a session from the value of a cookie. */
export function idOf(value: string, keys: readonly Keyed[]): string | undefined {
  if (!value.startsWith('s:')) {
    debug?.('cookie unsigned');
    return undefined;
  }
  const id = unsign(value.slice(2), keys);
  if (id !== false) return id;
  debug?.('cookie signature invalid');
  return undefined;
}

/** Returns whether the path of the request, as the client has sent it, begins with the path of the cookie. */
export function isBelow(req: SessionRequest, path: string): boolean {
  if (path === '/' && (req.originalUrl ?? req.url)?.startsWith('/')) return true;
  return (parseUrl.original(req)?.pathname || '/').startsWith(path);
}
