/** Random path patterns of the 0.1.x grammar, and paths that they are likely to match. */
import type { PathValue } from './description.js';
import { words } from '../../packages/engine/test/support/random.js';
import type { Random } from '../../packages/engine/test/support/random.js';

const LITERALS = ['/a', '/b', '/foo', '/Foo', '/users', '/a.b', '/caf%C3%A9', '/-x', '/a-b', '/~u', '/x_y'];
const PARAMETERS =
  words(String.raw`/:id /:id /:x /:y /:id? /:x* /:x+ /:id(\d+) /:x([a-z]+) /:id(\d+)? /:x(.*) /:p(a|b)
  /:a-:b /:a.:ext /:a.:ext? /:a..:b /x:id /x-:id(\d+)-y /:a_:b /:x([^/]+) /:x(\w{2,3}) /:id(\d+):x
  /:constructor`);
const WILD = ['/*', '*', '/a*', '/a*b', '/f*o', '/*/b', '/(.*)', '/:x*/b', '/a/*.b', '/*.*'];
const REPEATED = words('/ab?c /ab+c /a(bc)?d /(a|b) /fo{2} /hel{2}o /(foo)? /ab(cd)?e /a(/b)? /a?');
const ODD = [
  '',
  ...words(String.raw`/ // a /a/ /: /a: /(\w+) /[ab] /$ /a\.b /ü`),
  ...['/a b', '/:x/', '/(?:a|b)', '/a|b'],
];
const BROKEN = ['/(', '/a)', '/[', '/:x(', '/+', '/?', '/*+', '/a**', '/:x(\\', '/{'];
const EXPRESSIONS: [string, string][] = [
  ['^\\/a', ''],
  ['^\\/a\\/?$', 'i'],
  ['^\\/(\\w+)(?:\\/(\\d+))?', ''],
  ['\\/b$', ''],
  ['.*foo', ''],
  ['^\\/(?<name>[^/]+)', ''],
  ['^\\/users\\/(?<id>\\d+)\\/?(?<rest>.*)$', 'i'],
  ['', ''],
  ['^\\/a(?=\\/|$)', ''],
  ['^(\\/x)?(\\/y)?\\/', ''],
  ['[\\s\\S]*', ''],
];

const WORDS = words('a b foo FOO users 1 42 abc abbc ac hello foo.b a-b x7 x-5-y ~u');
const ENCODED = words("caf%C3%A9 %61 a%2Fb a%20b % %zz %E0%A4%A a%00b a;b a,b a@b a'b a+b .. . %2e%2e é");

/** Returns a pattern as text; `prefix` makes it short, as for mounting. */
export function patternText(random: Random, prefix = false): string {
  const atom = () =>
    random.weighted([
      [10, () => random.pick(LITERALS)],
      [6, () => random.pick(PARAMETERS)],
      [2, () => random.pick(WILD)],
      [2, () => random.pick(REPEATED)],
      [0.7, () => random.pick(ODD)],
      [0.03, () => random.pick(BROKEN)],
    ]);
  return random.many(1, prefix ? 2 : 3, atom).join('');
}

/** Returns a pattern, a regular expression, or an array of them. */
export function pathValue(random: Random, prefix = false): PathValue {
  return random.weighted<PathValue>([
    [16, () => patternText(random, prefix)],
    [2, () => '/'],
    [
      1,
      () => {
        const [source, flags] = random.pick(EXPRESSIONS);
        return { $: 'regexp', source, flags };
      },
    ],
    [1, () => random.many(0, 3, () => pathValue(random, prefix))],
  ]);
}

/** Returns a path that the pattern may match. */
export function instance(random: Random, path: PathValue | undefined): string {
  if (path === undefined) return '';
  if (Array.isArray(path)) return path.length > 0 ? instance(random, random.pick(path)) : '';
  if (typeof path !== 'string') return `/${random.pick(WORDS)}`;
  return path
    .replace(/\/:\w+(\([^)]*\))?([?*]?)/g, whole => (/[?*]$/.test(whole) && random.chance(0.4) ? '' : whole))
    .replace(/:\w+\((\\d[^)]*)\)[?*+]?/g, () => String(random.between(0, 99)))
    .replace(/:\w+(\([^)]*\))?[?*+]?/g, () => word(random))
    .replace(/\*|\(\.\*\)/g, () => random.pick(['', 'x', 'a/b', 'foo', 'b']))
    .replace(/\(([^)|]*)[^)]*\)\??/g, (_, first: string) => (random.chance(0.6) ? first : ''))
    .replace(/(.)\?/g, (_, last: string) => (random.chance(0.5) ? last : ''))
    .replace(/(.)\+/g, (_, last: string) => last.repeat(random.between(1, 2)))
    .replace(/(.)\{(\d)\}/g, (_, last: string, count: string) => last.repeat(Number(count)))
    .replace(/[\\$^]/g, '')
    .replace(/ /g, '%20')
    .replace(/ü/g, '%C3%BC');
}

function word(random: Random): string {
  return random.chance(0.12) ? random.pick(ENCODED) : random.pick(WORDS);
}

/** Returns a random path, which need not match anything. */
export function anyPath(random: Random): string {
  return random.many(0, 4, () => `/${word(random)}`).join('') || '/';
}

/** Returns a path with a typical mistake of clients: slashes, case, escapes. */
export function disturbed(random: Random, path: string): string {
  return random.weighted([
    [12, () => path],
    [2, () => `${path}/`],
    [1, () => path.replace(/\/$/, '')],
    [1, () => path.toUpperCase()],
    [1, () => path.replace('/', '//')],
    [1, () => `${path}/${word(random)}`],
    [0.5, () => path.replace(/[a-z]/, letter => `%${letter.charCodeAt(0).toString(16)}`)],
    [0.5, () => `/${path}`],
    [0.5, () => path.slice(0, -1)],
    [0.3, () => `${path}%`],
    [0.3, () => path.replace(/\/[^/]*$/, '')],
    [0.2, () => `${path};v=1`],
  ]);
}
