/** Values given to responses that can't have been meant. */
import { callerPlace, isInstalled } from './place';
import { warnOnce } from './warn';

/** Below this many characters a secret can be guessed. */
const SHORTEST_SECRET = 16;

/** Warns of an undefined value, which is sent as text. @param call what got it, for the message */
export function warnOfUndefined(call: string): void {
  const place = callerPlace();
  if (place !== undefined && isInstalled(place)) return;
  warnOnce(
    'RISTRETTO_UNDEFINED_VALUE',
    `${call} got undefined, and sends the string 'undefined'.`,
    place ?? null,
  );
}

/** Warns of a secret that signs cookies. @param secret of the cookie parser */
export function checkSecret(secret: unknown): void {
  if (typeof secret !== 'string' || secret.length >= SHORTEST_SECRET) return;
  const message =
    `The secret of signed cookies has ${secret.length} characters. Use at least ${SHORTEST_SECRET}, chosen at random: ` +
    'anyone who guesses it can sign any cookie.';
  warnOnce('RISTRETTO_SHORT_SECRET', message);
}

/** Warns of a secure cookie that browsers don't keep. Most do on the developer's own machine. */
export function checkSecureCookie(
  name: string,
  req: { hostname?: string | undefined; secure?: unknown },
): void {
  const { hostname } = req;
  if (
    hostname === undefined ||
    req.secure ||
    /^(?:(?:.+\.)?localhost|127\.[\d.]+|\[?::1\]?)$/i.test(hostname)
  )
    return;
  const message =
    `The cookie '${name}' is 'secure' but the request came over plain HTTP: browsers ignore it. ` +
    "Use HTTPS, or set 'trust proxy' if a proxy in front of the application uses it.";
  warnOnce('RISTRETTO_SECURE_COOKIE', message);
}
