/** Names of settings with a typing error. */
import type { Settings } from '../types/core';
import { warnOnce } from './warn';

/** What the framework and Express know, in lower case as all of them are. The type has it complete. */
const KNOWN: Record<keyof Settings | 'view', true> = {
  'case sensitive routing': true,
  env: true,
  'error logger': true,
  'error page': true,
  etag: true,
  'jsonp callback name': true,
  'json escape': true,
  'json replacer': true,
  'json spaces': true,
  'query parser': true,
  'strict http': true,
  'strict routing': true,
  'subdomain offset': true,
  'trust proxy': true,
  view: true,
  views: true,
  'view cache': true,
  'view engine': true,
  warnings: true,
  'x-powered-by': true,
};

/** In shorter names a letter more or less makes another word: `tag` is no mistake. */
const SHORTEST = 4;

/** Warns of a name that is one letter away from that of a setting, or differs from it in upper and lower case only. */
export function warnOfSetting(name: unknown): void {
  if (typeof name !== 'string' || name.length < SHORTEST || Object.hasOwn(KNOWN, name)) return;
  const lower = name.toLowerCase();
  for (const known of Object.keys(KNOWN)) {
    if (known.length < SHORTEST || !isOneEditAway(lower, known)) continue;
    const message = `The setting '${name}' has no effect: there is none of this name. Did you mean '${known}'?`;
    warnOnce('RISTRETTO_UNKNOWN_SETTING', message);
    return;
  }
}

/** Whether the texts are the same, or one letter is added, missing, another one, or swapped with the next. */
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
