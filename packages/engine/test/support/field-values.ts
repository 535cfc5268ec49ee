/** Random values of negotiation headers: mostly sensible, with all kinds of mistakes mixed in. */
import { words } from './random.js';
import type { Random } from './random.js';

const SPACE = ['', '', '', '', ' ', ' ', '  ', '\t', '\u00a0'];

const PARAMETERS = [
  '',
  '',
  '',
  '',
  ';q=0.5',
  '; q=0.8',
  ';q=0',
  ';q=1',
  ' ; q=0.5',
  ';q=0.7;level=2',
  ';level=1;q=0.4',
  ';level=1',
  '; level="1"',
  ...words(';a="x,y;z";q=0.2 ;a=* ;level= ;level ;__proto__=1 ;q=x ;q='),
  '; Q=0.3',
  ';q=-1',
  ';q="0.3"',
  ';q= 0.2',
  '; q =0.2',
  ...words(';q=2 ;q=Infinity ;q=NaN ;" ;; ; ;a="'),
  ';q ',
];

const TYPES = ['text', 'application', '*', 'TEXT', 'image', 'x'];
const SUBTYPES = ['html', 'json', '*', 'HTML', 'plain', 'x+json'];
const NO_TYPES = [
  '',
  ...words('text / text/ /html a/b/c'),
  'text/ html',
  'te xt/html',
  '*',
  '"a/b',
  'a,b/c',
  '"',
];

const TOKENS = [
  ...['gzip', 'identity', '*', 'deflate', 'br', 'GZIP', 'utf-8', 'UTF-8', 'iso-8859-1', 'a'],
  ...['en', 'en-US', 'en-us', 'EN', 'fr', 'fr-CA', 'de-x-y', 'en-US-x'],
];
const NO_TOKENS = ['', '-', 'a b', '*-', '"', '\u00e9', 'a-', '-a'];

export function mediaType(random: Random): string {
  return random.chance(0.08) ? random.pick(NO_TYPES) : `${random.pick(TYPES)}/${random.pick(SUBTYPES)}`;
}

export function token(random: Random): string {
  return random.pick(random.chance(0.08) ? NO_TOKENS : TOKENS);
}

export function parameters(random: Random): string {
  return random.pick(PARAMETERS);
}

export function space(random: Random): string {
  return random.pick(SPACE);
}

/** A list of elements with quality values, as in the Accept headers. */
export function acceptList(random: Random, element: (random: Random) => string): string {
  return random
    .many(0, 5, () => space(random) + element(random) + space(random) + parameters(random) + space(random))
    .join(',');
}

/** Typical arguments of `req.accepts` and `req.is`. */
export function extension(random: Random): string {
  return random.pick([
    ...words('html json text .json foo x.html png'),
    '',
    'constructor',
    'HTML',
    'xml',
    'ico',
  ]);
}
