/**
 * Checks requests for a WebSocket, before one is opened. Errors go to the error handlers. Browsers let every page open one to
 * every host, with the cookies of its user, and apply no CORS: without the check of `Origin`, any page could act as the user
 * (cross-site WebSocket hijacking).
 */
import { httpError } from '../../protocol/errors';
import type { HttpError } from '../../protocol/errors';
import { shown } from '../../shown';
import type { Request } from '../../types/internals';
import type { Excess } from './registry';

/** RFC 6455, section 4.1: 16 bytes in base64. */
const KEY = /^[+/\dA-Za-z]{22}==$/;
/** RFC 6455, section 4.4 defines version 13. Clients of drafts send 8, whose frames are the same. */
const VERSIONS = ['13', '8'];
/** Seconds. */
const RETRY_AFTER = '1';

/**
 * Returns the error for a request that must not open a socket; undefined if it may.
 * @param isHosted whether a host opens the socket, which then may have removed the headers of the handshake
 */
export function refusalOf(
  req: Request,
  { origins }: { readonly origins: ReadonlySet<string> | undefined },
  isHosted = false,
): HttpError | undefined {
  const { headers, httpVersionMajor } = req;
  const version = headers['sec-websocket-version'] ?? (isHosted ? VERSIONS[0] : undefined);
  if (version === undefined || !VERSIONS.includes(version)) {
    return refusal(426, `Unsupported WebSocket version ${shown(version)}`, {
      headers: { 'Sec-WebSocket-Version': '13', Upgrade: 'websocket' },
    });
  }
  // HTTP/2 has no such header (RFC 8441, section 5).
  const key = headers['sec-websocket-key'];
  const needsKey = httpVersionMajor < 2 && !(isHosted && key === undefined);
  if (needsKey && (key === undefined || !KEY.test(key))) {
    return refusal(400, `Invalid Sec-WebSocket-Key ${shown(key)}`);
  }
  // The following bytes would be parsed as frames.
  const length = headers['content-length'];
  if (httpVersionMajor < 2 && (headers['transfer-encoding'] !== undefined || (length ?? '0') !== '0')) {
    return refusal(400, 'A request for a WebSocket has no content');
  }
  if (isOriginAllowed(req, origins)) return undefined;
  return refusal(403, `Pages of the origin ${shown(headers.origin)} may not open this WebSocket`, {
    type: 'websocket.origin',
  });
}

/** Returns the error for a socket beyond a limit. */
export function excessError(excess: Excess): HttpError {
  const properties = { headers: { 'Retry-After': RETRY_AFTER }, type: `websocket.${excess}` };
  if (excess === 'address') return refusal(429, 'Too many WebSockets are open from this address', properties);
  return refusal(
    503,
    excess === 'all' ? 'Too many WebSockets are open' : 'The server is being stopped',
    properties,
  );
}

/** Has no stack: clients cause these errors, and could flood the log. */
function refusal(status: number, message: string, properties: object = {}): HttpError {
  return httpError(status, message, { ...properties, expose: true, stack: undefined });
}

/**
 * Returns an origin in the form in which browsers send it; undefined if the text is not an origin.
 */
export function originOf(text: string): string | undefined {
  if (text === 'null') return text;
  try {
    const { protocol, host } = new URL(text);
    // For schemes such as `chrome-extension:`, `URL` returns no origin.
    return host === '' ? undefined : `${protocol}//${host}`;
  } catch {
    return undefined;
  }
}

/**
 * Whether a request comes from a page of the same host, of a listed origin, or from a client that is not a browser.
 * @param listed undefined if all origins are allowed
 */
function isOriginAllowed(req: Request, listed: ReadonlySet<string> | undefined): boolean {
  const { origin } = req.headers;
  if (origin === undefined || listed === undefined) return true;
  const read = originOf(origin);
  if (read === undefined) return false;
  return listed.has(read) || isSameHost(read, hostOf(req));
}

/** The scheme isn't compared: in front of a proxy it may differ from what the server sees. */
function isSameHost(origin: string, host: string | undefined): boolean {
  if (host === undefined || origin === 'null') return false;
  const scheme = origin.slice(0, origin.indexOf(':'));
  // Parsed with the scheme of the origin, so that its default port is dropped from both.
  return originOf(`${scheme}://${host}`) === origin;
}

/** Returns the host that the client has sent the request to, as reported by trusted proxies if there are any. */
function hostOf(req: Request): string | undefined {
  const forwarded = req.headers['x-forwarded-host'] as string | undefined;
  const trust = req.app.get('trust proxy fn') as (address: string | undefined, hop: number) => boolean;
  if (forwarded === undefined || !trust(req.socket.remoteAddress, 0)) return req.headers.host;
  const comma = forwarded.indexOf(',');
  return (comma < 0 ? forwarded : forwarded.slice(0, comma)).trim();
}
