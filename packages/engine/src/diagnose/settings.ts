/** Checks names of settings for typos, and some of their values. */
import type { Settings } from '../types/core';
import { noteTrust } from './connection';
import { warnOfDirectory } from './directory';
import { warnOnce } from './warn';

/** The settings of the framework and of Express, all in lower case. The type ensures that none is missing. */
const KNOWN: Record<keyof Settings | 'view', true> = {
  'case sensitive routing': true,
  env: true,
  'error logger': true,
  'error page': true,
  'error page hosts': true,
  errors: true,
  etag: true,
  'jsonp callback name': true,
  'json escape': true,
  'json replacer': true,
  'json spaces': true,
  'method not allowed': true,
  'query parser': true,
  'strict http': true,
  'strict routing': true,
  'stuck warning': true,
  'subdomain offset': true,
  'trust proxy': true,
  view: true,
  views: true,
  'view cache': true,
  'view engine': true,
  warnings: true,
  'x-powered-by': true,
};

/** In shorter names, one letter makes a different word: `tag` is not a typo of `etag`. */
const SHORTEST = 4;

/** Warns of mistakes in a setting. @param store the settings on which it is about to be set */
export function checkSetting(store: object, name: unknown, value: unknown): void {
  // The first value set for each name is the default
  const isDefault = typeof name === 'string' && !Object.hasOwn(store, name);
  if (name === 'trust proxy' && !isDefault) noteTrust(store);
  if (name === 'views' && !isDefault) warnOfViews(value);
  warnOfName(name);
}

function warnOfViews(value: unknown): void {
  for (const root of Array.isArray(value) ? value : [value]) {
    if (typeof root === 'string') warnOfDirectory(root, "app.set('views')", 'RISTRETTO_VIEWS_ROOT');
  }
}

/** Warns of a name that differs from that of a setting by one letter, or only in upper and lower case. */
function warnOfName(name: unknown): void {
  if (typeof name !== 'string' || name.length < SHORTEST || Object.hasOwn(KNOWN, name)) return;
  const lower = name.toLowerCase();
  for (const known of Object.keys(KNOWN)) {
    if (known.length < SHORTEST || !isOneEditAway(lower, known)) continue;
    const message = `The setting '${name}' has no effect: there is no such setting. Did you mean '${known}'?`;
    warnOnce('RISTRETTO_UNKNOWN_SETTING', message);
    return;
  }
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
