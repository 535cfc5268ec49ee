/** Checks requests for a WebSocket, before one is opened. Errors go to the error handlers. */
import { httpError } from '../../protocol/errors';
import type { HttpError } from '../../protocol/errors';
import { shown } from '../../shown';
import type { Request } from '../../types/internals';
import type { ResolvedOptions } from './socket-options';
import { isOriginAllowed } from './origin';
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
  { origins }: ResolvedOptions,
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
