/** Warns of values passed to responses that are probably mistakes, and explains errors about those that hooks return. */
import { readDuration } from '../amount';
import { lostIn } from './json-value';
import { warnOfUnknownOption } from './setting-names';
import { callerPlace, isInstalled, placeOf } from './place';
import type { CapturedStack } from './place';
import { shown } from '../shown';
import { explainError, warnOnce } from './warn';
import { at } from './watched';

/** A secret with fewer characters can be guessed. */
const SHORTEST_SECRET = 16;

/** Warns of an undefined value, which is sent as text. @param call the call that received it, for the message */
export function warnOfUndefined(call: string): void {
  warn(
    'RISTRETTO_UNDEFINED_VALUE',
    `${call} got undefined, and sends the string 'undefined'. Check where the value comes from, or leave out the call.`,
  );
}

/** Warns of a value that the program passes, not one that an installed package does. */
function warn(code: `RISTRETTO_${string}`, message: string): void {
  const place = callerPlace();
  if (place === undefined || !isInstalled(place)) warnOnce(code, message, place ?? null);
}

/** Warns of a short secret for signed cookies. @param secret the secret passed to the cookie parser */
export function checkSecret(secret: unknown): void {
  if (typeof secret !== 'string' || secret.length >= SHORTEST_SECRET) return;
  const message =
    `The secret of signed cookies has ${secret.length} characters. Use at least ${SHORTEST_SECRET}, chosen at random: ` +
    'anyone who guesses it can sign any cookie.';
  warnOnce('RISTRETTO_SHORT_SECRET', message);
}

/**
 * Warns of a call in a form that Express 5 accepts, but with another meaning than Express 4.
 * @param does what it does instead
 */
export function warnOfOldForm(call: string, does: string, instead: string): void {
  warn('RISTRETTO_EXPRESS_4_FORM', `${call} is of Express 4. In Express 5, it ${does}: write ${instead}.`);
}

/** Warns of a value that JSON leaves out. @param text the JSON of the value */
export function checkJson(value: unknown, text: string | undefined): void {
  if (value === undefined) {
    warn(
      'RISTRETTO_UNDEFINED_VALUE',
      'res.json() got undefined, and sends an empty body, which is not JSON. Send null, or a 404 if nothing was found.',
    );
    return;
  }
  const lost = text?.includes('{}') ? lostIn(value) : undefined;
  if (lost !== undefined) warn('RISTRETTO_LOST_VALUE', `res.json() or res.send() got ${lost}`);
}

/** Warns of a status that Node.js rejects when the response is sent. */
export function checkStatus(code: unknown): void {
  const number = Number(code);
  if (number >= 100 && number <= 999) return;
  const message = `res.status() got ${shown(code)}, with which no response can be sent. Pass an integer such as 404.`;
  warnOnce('RISTRETTO_STATUS', message);
}

/** Warns of a redirect that leads back to the same request. */
export function checkRedirect(req: RedirectedRequest, target: string, hasCookie: boolean): void {
  const { method, originalUrl = '' } = req;
  // With a cookie, the next request may get another response
  if ((method !== 'GET' && method !== 'HEAD') || hasCookie || target !== originalUrl) return;
  const message = `res.redirect('${target}') redirects ${method} ${originalUrl} to itself, so browsers stop with an error. Redirect to another path, or render the page.`;
  warnOnce('RISTRETTO_REDIRECT_LOOP', message);
}

interface RedirectedRequest {
  method?: string;
  originalUrl?: string;
}

/** A request whose response sets a cookie. */
interface CookieRequest {
  hostname?: string | undefined;
  secure?: unknown;
}

/** The names of this machine, on which most browsers keep secure cookies without TLS. */
const LOCAL = /^(?:(?:.+\.)?localhost|127\.[\d.]+|\[?::1\]?)$/i;

const COOKIE_OPTIONS = [
  ...['domain', 'encode', 'expires', 'httpOnly', 'maxAge', 'partitioned', 'path', 'priority', 'sameSite'],
  ...['secure', 'signed'],
];

/** Warns of a cookie that browsers discard, and of misspelt options. */
export function checkCookie(name: string, options: CheckedCookie, req: CookieRequest): void {
  warnOfUnknownOption('res.cookie()', options, COOKIE_OPTIONS);
  const { hostname } = req;
  const { domain, maxAge, sameSite, secure } = options;
  if (typeof maxAge === 'string' && Number.isNaN(Number(maxAge))) {
    const suggestion = readDuration(maxAge) ?? '60 * 60 * 1000 for one hour';
    const message = `The cookie '${name}' has maxAge: ${shown(maxAge)}, which is not a number of milliseconds, so that res.cookie() fails. Write ${suggestion}.`;
    warnOnce('RISTRETTO_COOKIE', message);
  }
  if (String(sameSite).toLowerCase() === 'none' && !secure) {
    const message = `The cookie '${name}' has sameSite: 'none' but is not secure: browsers ignore it. Add secure: true.`;
    warnOnce('RISTRETTO_COOKIE', message);
  }
  if (hostname === undefined) return;
  if (secure && !req.secure && !LOCAL.test(hostname)) {
    const message =
      `The cookie '${name}' is 'secure' but the request came over plain HTTP: browsers ignore it. ` +
      "Use HTTPS, or set 'trust proxy' if a proxy in front of the application uses it.";
    warnOnce('RISTRETTO_SECURE_COOKIE', message);
  }
  const wanted = typeof domain === 'string' ? domain.replace(/^\./, '').toLowerCase() : '';
  if (wanted === '' || hostname.toLowerCase() === wanted || hostname.toLowerCase().endsWith(`.${wanted}`))
    return;
  const message = `The cookie '${name}' is for the domain '${wanted}' but the request is for ${hostname}: browsers ignore it. Leave out domain, or set it per environment.`;
  warnOnce('RISTRETTO_COOKIE', message);
}

interface CheckedCookie {
  domain?: unknown;
  maxAge?: unknown;
  sameSite?: unknown;
  secure?: unknown;
}

/** Warns of a link that `res.earlyHints` leaves out. */
export function warnOfHint(link: string, obstacle: string): void {
  warnOnce(
    'RISTRETTO_EARLY_HINT',
    `res.earlyHints() leaves out the link ${JSON.stringify(link)}: ${obstacle}.`,
  );
}

/**
 * Adds the place where a hook was registered to the error about its return value: to the message, and on top of the
 * stack, whose frames lead to where the response was sent.
 */
export function explainHook(error: Error, registered: CapturedStack): void {
  const place = placeOf(registered);
  if (place === undefined) return;
  explainError(error, [`The hook was registered${at(place)}.`]);
  const { message, stack } = error;
  const call = `hook registered (${place.file}:${place.line}:${place.column})`;
  if (typeof stack === 'string') error.stack = stack.replace(message, () => `${message}\n    at ${call}`);
}
