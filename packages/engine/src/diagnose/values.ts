/** Warns of values passed to responses that are probably mistakes. */
import { callerPlace, isInstalled } from './place';
import { warnOnce } from './warn';

/** A secret with fewer characters can be guessed. */
const SHORTEST_SECRET = 16;

/** Warns of an undefined value, which is sent as text. @param call the call that received it, for the message */
export function warnOfUndefined(call: string): void {
  const place = callerPlace();
  if (place !== undefined && isInstalled(place)) return;
  warnOnce(
    'RISTRETTO_UNDEFINED_VALUE',
    `${call} got undefined, and sends the string 'undefined'.`,
    place ?? null,
  );
}

/** Warns of a short secret for signed cookies. @param secret the secret passed to the cookie parser */
export function checkSecret(secret: unknown): void {
  if (typeof secret !== 'string' || secret.length >= SHORTEST_SECRET) return;
  const message =
    `The secret of signed cookies has ${secret.length} characters. Use at least ${SHORTEST_SECRET}, chosen at random: ` +
    'anyone who guesses it can sign any cookie.';
  warnOnce('RISTRETTO_SHORT_SECRET', message);
}

/** Warns of a secure cookie that browsers discard. On localhost, most browsers keep it. */
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

/** Warns of a link that `res.earlyHints` leaves out. */
export function warnOfHint(link: string, obstacle: string): void {
  warnOnce(
    'RISTRETTO_EARLY_HINT',
    `res.earlyHints() leaves out the link ${JSON.stringify(link)}: ${obstacle}.`,
  );
}
