/** Path patterns: what matches, how far, and with which captures, always as their regular expression defines. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { parsePath } from '@ristretto/private-engine/lib/router/path-pattern';
import { CharacterSet, END } from '@ristretto/private-engine/lib/router/pattern/character-set';
import { assertSameMatch, everyOption, matchOf } from '../support/patterns.js';
import type { Path } from '../support/patterns.js';
import { words } from '../support/random.js';

/** Patterns, with paths that match or almost match. */
const rows: [row: string, patterns: Path[], paths: string[]][] = [
  [
    'static text',
    ['/', '', '/a', '/a/', '/Ab.c', 'a', '//', '/a//', '/a-b_c~d%20!', '/@'],
    ['', ...words('/ // /// /a /A /a/ /a// /a/b /a//b /ab a a/ /Ab.c /aB.C/x /abxc'), '/`', '/@'],
  ],
  [
    'parameters',
    ['/:a', '/:a/', '/a/:b', '/:a/b', '/:a/:b', '/a/:b/c/:d', '/a//:b', 'a/:b'],
    [
      ...words('/ /x /x/ // //x /x// /x/y /x/b /a/x /a/x/ /a//x /a/x/c/y /a/x/c/y/z'),
      '/a/é\n',
      'a/b',
      '/x//y',
    ],
  ],
  [
    'optional parameters',
    ['/:a?', '/:a?/', '/a/:b?', '/a/:b?/:c?', '/a/:b?/c', '/a/:b?/:c', '/a:b?'],
    ['', ...words('/ // /x /x/ /a /a/ /a// /a/x /a/x/ /a//x /a/x/y /a/x/y/z /a/c /a/c/c /a/c/')],
  ],
  [
    'a star at the end',
    ['*', '/*', '/a/*', '/a*', '/:a/*', '/*/'],
    [
      '',
      ...words('/ // /a /a/ /A/x /a/x/y/ /ab'),
      '/a/x\ny',
      '/a\n',
      '/a/\n/x',
      '/x/y',
      '/x/y\r/',
      '/x/y\u2028z',
      '/a/\u2029',
    ],
  ],
  [
    'case of letters beyond ASCII',
    ['/k', '/s', '/i', '/é', '/ı', '/ſ', '/K', '/ß', '/σ', '/:a(k)', '/[k-é]x', '/\\w', '/[^k]'],
    words('/k /K /\u212a /s /S /ſ /i /I /ı /İ /é /É /ß /ẞ /σ /ς /Σ /kx /Éx /\u0130'),
  ],
  [
    'several in a segment',
    ['/:a-:b', '/:a-:b-:c', '/:a.:b?', '/:a--:b', '/:a:b', '/x-:b', '/:a(\\d+):b', '/:a-:b?', '/:a?-:b'],
    words('/x-y /x-y-z /x--y /- /x- /-y /x.y /x.y.z /x /x-y/ /x-x-y /12ab /1 /a-/b /x-x-x-x'),
  ],
  [
    'repeated parameters',
    ['/:a*', '/:a+', '/:a*/:b', '/:a(x)*', '/:a(x)+', '/:a*?', '/a/:b*/c'],
    ['/', '/x', '/x/', '/x/y', '/x/y/z', '/x/x/x', '/x//y', '/a/b/c', '/a/c', '/a/b/b/c/', '/x/\n'],
  ],
  [
    'expressions',
    words(`
      /ab?cd /ab+cd /ab*cd /a(bc)?d /(a|ab)(c|bcd)(d?) /:a(\\d{2,3}) /:a(\\w+?)b /a{0}b /(a?)*b /((a)|b)*c
    `),
    words('/acd /abcd /abbcd /ABXcd /ad /abcd /abcdd /12 /1234 /123 /abb /b /aab /abc /aac /c'),
  ],
  [
    'expressions that begin anywhere',
    ['/a|b', 'x|/:a', '|/a', '/$', '/a|:b-c'],
    ['/a', '/xxb', 'b', '', '/', 'x', '/x', '/bb', '/z-c', '\n'],
  ],
  [
    'assertions',
    words('/a\\b /a\\B:b /:a(?=x)x /(a|(?=b)b)+ /a^b /a$b \\b/a /_\\b- x(?!y):a (?=(/a))/:b'),
    ['/a', '/a-', '/ab', '/axx', '/x', '/b', '/abab', '/_-', 'x/a', 'xz', 'xy', '/ax', ''],
  ],
  [
    'odd escapes and braces',
    words(`
      /\\x61 /\\u0061 /\\x6 /\\cAb /\\c1 /\\0 /\\101 /\\8 /\\k /\\p{2} /a{,2} /}] /[\\]a] /[^] /[] /\\/
    `),
    ['/a', '/A', '/x6', '/\x01b', '/\\c1', '/\0', '/8', '/k', '/pp', '/a{,2}', '/}]', '/]', '//', '/'],
  ],
  [
    'groups that are looked back at, and look-behind',
    ['/:a(x|y)\\1', '/:a-\\1', '(?<n>a|b)\\k<n>', 'x(?<=x):a', '/:a(x)\\2'],
    ['/xx', '/xy', '/a-a', '/a-b', 'aa', 'ab', 'xy', '/x\x02', '/x'],
  ],
  [
    'array',
    [
      ['/a/:b', '/:c/d'],
      ['/:a', '/:b/:c'],
      ['/a', ['/b/:x', '/*']],
      [],
      ['/:a-:b', '/x'],
      ['/a|b', '/c'],
      [/^\/(\d)/, '/:a'],
    ],
    ['', '/', '/a/d', '/a/b', '/x/d', '/x', '/b/1', '/b', '/zzb', '/1x', '/x-y'],
  ],
  [
    'regular expression',
    [/^\/a(b)?/, /b(c)/, /(?<year>\d+)-(?:\d+)/i, /(a+)+$/, /^\/(?<=\/)x/, /[(](a)/],
    ['/a', '/ab', '/xbc', '/2024-01', '/aaa', '/x', '/(a', ''],
  ],
];

describe('path patterns: matching', () => {
  for (const [row, patterns, paths] of rows) {
    test(`${row}: the result equals that of the expression`, () => {
      for (const pattern of patterns) {
        for (const options of everyOption) {
          const parsed = parsePath(pattern, options);
          for (const path of paths) assertSameMatch(parsed, path);
        }
      }
    });
  }

  test('captures: are raw text for each key, or undefined for groups that did not participate', () => {
    assert.deepEqual(matchOf(parsePath('/a/:b/:c?', {}), '/A/%20/'), [0, 7, '%20', undefined]);
    assert.deepEqual(matchOf(parsePath(['/a/:b', '/c/:d'], {}), '/c/x'), [0, 4, undefined, 'x']);
    assert.deepEqual(matchOf(parsePath('/[(]/:b', {}), '/(/x'), [0, 4, 'x', undefined]);
  });

  test('index: is the start of the match if the expression is not anchored', () => {
    assert.deepEqual(matchOf(parsePath('/a|b', {}), '/xxb'), [3, 1]);
    assert.deepEqual(matchOf(parsePath(/b/, {}), '/xxb'), [3, 1]);
  });

  test('a regular expression: keeps its own state, as in Express', () => {
    const expression = /a/g;
    const pattern = parsePath(expression, {});
    assert.deepEqual([matchOf(pattern, 'aa'), expression.lastIndex], [[0, 1], 1]);
    assert.deepEqual([matchOf(pattern, 'aa'), expression.lastIndex], [[1, 1], 2]);
    assert.equal(matchOf(pattern, 'aa'), undefined);
  });

  test('a match within a getter of a regular expression: does no harm', () => {
    const inner = parsePath('/:a-:b-:c', {});
    class Nested extends RegExp {
      override exec(text: string): RegExpExecArray | null {
        matchOf(inner, '/x-y-z/and/more');
        return super.exec(text);
      }
    }
    assert.deepEqual(matchOf(parsePath(new Nested('(b)'), {}), '/ab'), [2, 1, 'b']);
  });

  test('characters: are in a set exactly if the expression matches them', () => {
    for (const atom of ['[^/]', '.', '\\w', '\\s', '[k-é]', 'ſ', '(?!/|-).']) {
      for (const ignoreCase of [true, false]) {
        const set = CharacterSet.of(atom, ignoreCase);
        const expression = new RegExp(`^(?:${atom})$`, ignoreCase ? 'i' : '');
        for (let code = 0; code < 0x10000; code += code < 0x400 ? 1 : 97) {
          assert.equal(set.has(code), expression.test(String.fromCharCode(code)), `${atom} ${code}`);
        }
        assert.equal(set.has(END), false);
      }
    }
  });
});
