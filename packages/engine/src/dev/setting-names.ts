/** Checks names of settings and options for typos, and some values of settings. */
import { isError } from '../realms';
import type { Settings } from '../types/core';
import { listen } from './background';
import { noteTrust } from './connection';
import { shown } from '../shown';
import { warnOfDirectory } from './directory';
import { firstRegistration } from './path-syntax';
import { placeOf } from './place';
import { at } from './watched';
import { explainError, warnOnce } from './warn';

/**
 * The settings of the framework and of Express, all in lower case. The type ensures that none is missing. The names that
 * Express lacks have a space, because applications store values of their own under plain words.
 */
export const KNOWN: Record<keyof Settings | 'view', true> = {
  'case sensitive routing': true,
  'development warnings': true,
  env: true,
  'error format': true,
  'error logger': true,
  'error page': true,
  'error page hosts': true,
  etag: true,
  'jsonp callback name': true,
  'json escape': true,
  'json replacer': true,
  'json spaces': true,
  'keep-alive timeout': true,
  'light messages': true,
  'method not allowed': true,
  'query parser': true,
  'query writable': true,
  'strict http': true,
  'strict routing': true,
  'stuck warning': true,
  'subdomain offset': true,
  'trust proxy': true,
  view: true,
  views: true,
  'view cache': true,
  'view engine': true,
  'x-powered-by': true,
};

/** In shorter names, one letter makes a different word: `tag` is not a typo of `etag`. */
const SHORTEST = 4;

/** Warns of mistakes in a setting. @param store the settings on which it is about to be set */
export function checkSetting(store: object, name: unknown, value: unknown): void {
  // The first value set for each name is the default
  const isDefault = typeof name === 'string' && !Object.hasOwn(store, name);
  // The first setting of each application
  if (name === 'env') listen();
  if (name === 'trust proxy' && !isDefault) noteTrust(store);
  if (name === 'views' && !isDefault) warnOfViews(value);
  const isKnown = warnOfName(name);
  if (isKnown) warnOfLateSetting(store, name as string);
}

/** Warns of a read of a setting that is not set. @param name as passed to `app.get` */
export function checkRead(name: unknown): void {
  if (typeof name !== 'string') return;
  if (!name.startsWith('/')) {
    if (!Object.hasOwn(KNOWN, name)) warnOfName(name.replaceAll('-', ' '), name);
    return;
  }
  const message =
    `app.get('${name}') without a handler reads a setting of that name, and there is none. For a route, pass a handler: ` +
    `app.get('${name}', (req, res) => { … }).`;
  warnOnce('RISTRETTO_UNKNOWN_SETTING', message);
}

/** Adds the setting to the error about its value. */
export function explainValue(error: unknown, name: string, value: unknown): void {
  if (!isError(error) || error.message.includes(name)) return;
  explainError(error, [`The setting '${name}' got ${shown(value)}.${HINTS[name] ?? ''}`]);
}

/** The valid values of settings, where the message of Express does not name them. */
const HINTS: Record<string, string> = {
  'trust proxy': " It takes true, the number of proxies, addresses such as '10.0.0.0/8', or a function.",
};

/** Settings that a router reads when it is created. */
const OF_ROUTER = ['case sensitive routing', 'strict routing'];

function warnOfLateSetting(store: object, name: string): void {
  const first = OF_ROUTER.includes(name) ? firstRegistration(store) : undefined;
  if (first === undefined) return;
  const message =
    `The setting '${name}' has no effect any more: the router reads it when the first route or middleware is registered` +
    `${at(placeOf(first))}. Set it before that.`;
  warnOnce('RISTRETTO_LATE_SETTING', message);
}

function warnOfViews(value: unknown): void {
  for (const root of Array.isArray(value) ? value : [value]) {
    if (typeof root === 'string') warnOfDirectory(root, "app.set('views')", 'RISTRETTO_VIEWS_ROOT');
  }
}

/**
 * Warns of a name that differs from that of a setting by one letter, or only in upper and lower case.
 * @param given the name in the program
 * @returns whether it is the name of a setting
 */
function warnOfName(name: unknown, given = name): boolean {
  if (typeof name !== 'string' || name.length < SHORTEST) return false;
  if (name === given && Object.hasOwn(KNOWN, name)) return true;
  const lower = name.toLowerCase();
  for (const known of Object.keys(KNOWN)) {
    if (known.length < SHORTEST || !isOneEditAway(lower, known)) continue;
    const message = `The setting '${String(given)}' has no effect: there is no such setting. Did you mean '${known}'?`;
    warnOnce('RISTRETTO_UNKNOWN_SETTING', message);
    return false;
  }
  return false;
}

/** Whether the strings are equal, or differ by one letter added, missing, replaced, or swapped with the next. */
export function isOneEditAway(a: string, b: string): boolean {
  const [short, long] = a.length <= b.length ? [a, b] : [b, a];
  if (long.length - short.length > 1) return false;
  let at = 0;
  while (at < short.length && short[at] === long[at]) at++;
  const rest = short.slice(at + 1);
  if (short.length < long.length) return short.slice(at) === long.slice(at + 1);
  const isSwapped = short[at] === long[at + 1] && short[at + 1] === long[at];
  return rest === long.slice(at + 1) || (isSwapped && rest.slice(1) === long.slice(at + 2));
}

/**
 * Warns of each option that differs from a known one by a letter, or only in upper and lower case. Other unknown names
 * may be those of a program or a tool.
 * @param call the function that got the options, for the message
 */
export function warnOfUnknownOption(call: string, options: unknown, known: readonly string[]): void {
  if (typeof options !== 'object' || options === null) return;
  for (const name of Object.keys(options)) {
    if (known.includes(name)) continue;
    const nearest = known.find(one => isOneEditAway(name.toLowerCase(), one.toLowerCase()));
    if (nearest === undefined) continue;
    warnOnce(
      'RISTRETTO_UNKNOWN_OPTION',
      `${call} has no option '${name}', and ignores it. Did you mean '${nearest}'?`,
    );
  }
}
