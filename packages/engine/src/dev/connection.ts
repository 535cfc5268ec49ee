/** Checks of the connection to the client: a proxy that is not trusted, a session that needs TLS. */
import type { Watched } from './watched';

/** The headers in which proxies pass on the values for `req.ip`, `req.protocol` and `req.hostname`. */
const FORWARDED = ['x-forwarded-for', 'x-forwarded-proto', 'x-forwarded-host'];

/** The settings objects on which the application has set `trust proxy`. */
const decided = new WeakSet<object>();

/** Records that the application has set `trust proxy`, to any value. */
export function noteTrust(settings: object): void {
  decided.add(settings);
}

/** Checks a request whose response is being sent. */
export function checkConnection(watched: Watched): void {
  checkProxy(watched);
  checkSession(watched);
}

function checkProxy(watched: Watched): void {
  const { settings } = watched;
  // The headers as received: http-proxy adds its own to `req.headers`
  const { rawHeaders } = watched.req;
  if (settings === undefined || isDecided(settings)) return;
  if (!rawHeaders?.some((text, i) => i % 2 === 0 && FORWARDED.includes(text.toLowerCase()))) return;
  const message =
    "A request has X-Forwarded headers, which are ignored because 'trust proxy' is not set: req.ip, req.protocol " +
    'and req.hostname are those of the proxy. Behind a proxy, set it to the number of proxies or to their addresses, for example ' +
    "app.set('trust proxy', 1); without one, app.set('trust proxy', false) silences this warning.";
  watched.warn('RISTRETTO_UNTRUSTED_PROXY', message, undefined);
}

/** Whether `trust proxy` was set on these settings or on those they inherit from. */
function isDecided(settings: object): boolean {
  for (
    let store: object | null = settings;
    store !== null;
    store = Object.getPrototypeOf(store) as object | null
  ) {
    if (decided.has(store)) return true;
  }
  return false;
}

/**
 * Warns of a lost session: express-session sends no `secure` cookie over plain HTTP, so each request gets a new
 * session.
 */
function checkSession(watched: Watched): void {
  const { req } = watched;
  const { headers, session } = req;
  if (typeof session !== 'object' || session === null) return;
  const { cookie, ...data } = session as { cookie?: { secure?: unknown } };
  if (cookie?.secure !== true || Object.keys(data).length === 0 || req.secure !== false) return;
  // express-session's option `proxy` trusts this header without the setting
  if (String(headers['x-forwarded-proto']).startsWith('https')) return;
  const message =
    `The session of ${watched.name()} is lost, because its cookie is 'secure' and the request came over plain HTTP. ` +
    "In development, set cookie.secure to 'auto' or false; behind a proxy that terminates TLS, set 'trust proxy'.";
  watched.warn('RISTRETTO_SECURE_SESSION', message, undefined);
}
