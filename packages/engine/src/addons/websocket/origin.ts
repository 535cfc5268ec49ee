/**
 * Checks the `Origin` of requests for a WebSocket. Browsers let every page open one to every host, with the cookies of
 * its user, and apply no CORS: without this check, any page could act as the user (cross-site WebSocket hijacking).
 */
import type { Request } from '../../types/internals';

/**
 * Returns an origin in the form in which browsers send it; undefined if the text is not an origin. @example
 * originOf('https://a.example')
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
export function isOriginAllowed(req: Request, listed: ReadonlySet<string> | undefined): boolean {
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
