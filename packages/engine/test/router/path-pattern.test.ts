/** Path patterns: the expression and keys for tools, errors, and the data for the route index. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { parsePath } from '@ristretto/private-engine/lib/router/path-pattern';
import { Random, words } from '../support/random.js';
import { assertSameExpression, everyOption } from '../support/patterns.js';
import { anyOption, randomText } from '../support/patterns.js';

const seed = Number(process.env.SEED ?? 20250101);

const rows: [row: string, paths: unknown[]][] = [
  [
    'static text',
    ['', '/', '//', '/a', '/a/', '/a//', 'a', 'a/', '/a.b', '/a-b_c~d%20', '/A', '/é', '/a b', '/:', '/a:'],
  ],
  [':name', words('/:a /:a/ /:a/:b /a/:b/c //:a :a /:1 /:a1_$ /:é /::a /:a::b /:__proto__')],
  [':name?', ['/:a?', '/:a?/', '/a/:b?/c/:d?', '/:a?b', '/:a?-:b', '/:a-:b?', '/:a?*']],
  [':name*', ['/:a*', '/:a*/:b', '/:a*/b', '/:a*?', '/:a*-:b', '.:a*', '/.:a*', '/:a(x)*', '/:a(x)?*']],
  [':name+', ['/:a+', '/:a+b', '/:a(x)+', '/:a+/:b']],
  [':name(regexp)', words('/:a(\\d+) /:a(x|y) /:a(x)y /:a() /:a()() /:a(x)(y) /:a([^/]+) /:a(?:x) /:a(?=x)')],
  [
    ':name(regexp) with stars',
    ['/:a(*)', '/:a(.*)', '/:a(**)', '/:a(x*b*)', '/:a(x\\*b*)', '/:a(\\d*c*)', '/:a([*]*)', '/:a(x*\\d)'],
  ],
  [
    ':name(regexp) with parentheses',
    ['/:a(x(y)z)', '/:a(x(y)z)/w(q)', '/:a((?:a+)+b)', '/:a(\\)x)', '/:a(\\(x)', '/:a([(])', '/:a(\n)'],
  ],
  [
    'several in a segment',
    words('/:a-:b /:a-:b-:c /:a:b /:a:b:c /:a--:b /:a.-:b /:a-.:b /a-:b /ab:c /:a-:b/:c-:d'),
  ],
  [
    '.:format',
    ['/:a.:b', '/:a.:b?', '/:a.:b.:c', '.:a', '/.:a', '/x..:b', '/x./:b', '/:a.b', '/:a.', '/x-/.:b'],
  ],
  [
    'text before a parameter',
    words('/x\\.y:b /x\\-y:b /x.y:b /x.y.z:b /x(y)z:b /(a/(b:c)) /\\*x:b /x$&y:b /x\\\\y:b'),
  ],
  ['*', words('* /* ** /** /a* /a*b* /a/* /*/ /*/a /*/:a /*:a /*-:a /*.:a /:a/* /:a.* /(*)')],
  [
    '? and + and {n}',
    ['/a?', '/ab+c', '/?', '//?', '/a/?', '/a{2}', '/a{1,}b', '/{a}', '/a{', '/a/+', '/hel{2}o'],
  ],
  [
    'groups',
    words(`
      /(a) /(a|b) /a(b) /a(b*) /(:a) /(:a|:b) /() /a() (()()) ((*)) /\\/(a) \\\\(a) /a(/b)?
    `),
  ],
  [
    'named groups',
    ['(?<n>x)/:a', 'x(?<n>y)', '/:a(?<n>x)', '/:a((?<n>x)y)', '(?:(?<n>x))', '(?=x)/:a', 'x(?<=y)z'],
  ],
  ['classes', ['/[a]', '/[*]', '/[.]', '/[(]', '/[(]/:b', '[/(]a', '/[:a]', '/x[y]:b', '/[/]', '/]']],
  [
    'escapes',
    ['/\\*', '/a\\:b', '/\\d', '/\\\\', '/\\', '\\\n:a', '/a\\/', '/:a(x)\\1', '(a)\\k<n>', '/\\.:a'],
  ],
  ['anchors and alternation', ['/$', '/^a', '/a$', '/:a$', 'x/$/', '/a|b', '/a|/', '|', '/a||b']],
  ['line ends', ['/a\nb', '/:a\n:b', '/:a(\r)x', '/\u2028']],
  [
    'array',
    [
      ['/a', '/b/:c'],
      [],
      [[]],
      ['/a', ['/b', ['/:c/:d']]],
      ['/', '/a/'],
      ['/:a-:b', '/*'],
      ['/a', [], '/b'],
      [''],
    ],
  ],
  [
    'regular expression',
    [
      /a/,
      /^\/a(b)(?:c)(d)$/gi,
      /(?<x>a)(b)(?<y>c)/,
      /[(](a)/,
      /\((a)/,
      /\\(a)/,
      /(?<=a)(b)/,
      /(?<=a>)(b)/,
      /(?=(a))/,
    ],
  ],
  [
    'array with regular expressions',
    [[/a/], [/a/g, '/b'], ['/:a', /x(y)z(?<n>w)/i, '/:b*'], [[/a(b)/u], /c/s]],
  ],
  [
    'patterns that make no expression',
    ['/(a', '/a)', '/:a(', '/[', '/(?:a)', '/(?=a)', '/:a+y:b', '+', '/**+', '/a{2}{3}'],
  ],
  [
    'arrays that make no expression',
    [
      ['/(a', '/b)'],
      ['/:a(?<n>x)', '/:b(?<n>y)'],
      ['/a', '/['],
      [/(?<n>a)/, /(?<n>b)/],
    ],
  ],
  [
    'no path',
    [undefined, null, 5, true, {}, () => undefined, [undefined], [null, '/a'], [5], new String('/a')],
  ],
];

describe('path patterns: expression and keys', () => {
  for (const [row, paths] of rows) {
    test(`${row}: the expression and keys, or the error, equal those of Express`, () => {
      for (const path of paths) for (const options of everyOption) assertSameExpression(path, options);
    });
  }

  test('options: end defaults to true, strict and sensitive to false', () => {
    for (const options of [{}, { end: undefined }, { sensitive: undefined, strict: undefined }]) {
      for (const path of ['/a/', '/:a-:b', ['/a']]) assertSameExpression(path, options);
    }
  });

  const alphabets = {
    characters: Array.from('//::ab-.*+?()()\\{}[]|12'),
    'all kinds of characters': Array.from("/:ab.*()\\<>=!^$&`',n\n\r\u2028é"),
    pieces: words('/ / /:a :b (x) (\\d+) (a| (?<n> (?= (?: * ? + . - \\. a [b] )'),
  };
  for (const [name, pieces] of Object.entries(alphabets)) {
    test(`random patterns of ${name} (seed ${seed}): the result or the error equals that of Express`, () => {
      const random = new Random(seed);
      let good = 0;
      for (let i = 0; i < 10_000; i++) {
        if (assertSameExpression(randomText(random, pieces, 12), anyOption(random))) good++;
      }
      assert.ok(good > 1000, `only ${good} patterns made an expression`);
    });
  }

  test(`random arrays (seed ${seed}): the result or the error equals that of Express`, () => {
    const random = new Random(seed);
    const pieces = ['/a', '/', '/:a', '/:b?', '*', '-', '(x)', '(?<n>y)', '\\1', '|', '.:c'];
    for (let i = 0; i < 3000; i++) {
      const member = (): unknown => (random.chance(0.1) ? /(x)(?<m>y)?/g : randomText(random, pieces, 3));
      const path = random.many(0, 3, () => (random.chance(0.2) ? random.many(0, 2, member) : member()));
      assertSameExpression(path, anyOption(random));
    }
  });

  test('toRegExp: creates the expression once and keeps it', () => {
    for (const path of ['/a/:b', '/:a-:b', ['/a', '/b'], ['/a', '/:a-:b'], []]) {
      const pattern = parsePath(path, {});
      assert.equal(pattern.toRegExp(), pattern.toRegExp());
    }
  });

  test('toRegExp: returns the same object that was passed', () => {
    const expression = /^\/a/g;
    assert.equal(parsePath(expression, { end: false }).toRegExp(), expression);
  });
});

function allows(source: string): boolean {
  try {
    return Boolean(new RegExp(source));
  } catch {
    return false;
  }
}

describe('path patterns: errors', () => {
  test('no path: throws a TypeError', () => {
    for (const path of [undefined, null, 5, {}, [undefined]]) {
      const message = 'path must be a string, array of strings, or regular expression';
      assert.throws(() => parsePath(path as string, {}), { name: 'TypeError', message });
    }
  });

  test('a pattern that makes no expression: throws a SyntaxError that names it', () => {
    assert.throws(() => parsePath('/users/(:id', {}), {
      name: 'SyntaxError',
      message: /^Invalid regular expression: .*: Unterminated group \(from the path '\/users\/\(:id'\)$/,
    });
  });

  test('an array that makes no expression: throws a SyntaxError that names all of it', () => {
    const twice = () => parsePath(['/:a(?<n>x)', '/:b(?<n>y)'], {});
    // Newer versions of Node allow the same name in each alternative
    if (allows('(?<n>x)|(?<n>y)')) {
      assert.doesNotThrow(twice);
    } else {
      assert.throws(twice, {
        name: 'SyntaxError',
        message: /Duplicate capture group name \(from the path \[ '\/:a\(\?<n>x\)', '\/:b\(\?<n>y\)' \]\)$/,
      });
    }
    assert.throws(() => parsePath(['/ok', '/('], {}), { message: /\(from the path '\/\('\)$/ });
  });
});

describe('path patterns: shape', () => {
  const shaped = (path: Parameters<typeof parsePath>[0], strict = false) => parsePath(path, { strict }).shape;

  test('whole segments: are listed by name, with null for parameters', () => {
    assert.deepEqual(shaped('/users/:id/files'), {
      segments: ['users', null, 'files'],
      trailingSlash: false,
    });
    assert.deepEqual(shaped('/A.b/:c/'), { segments: ['A.b', null], trailingSlash: true });
    assert.deepEqual(shaped('/:a/:a'), { segments: [null, null], trailingSlash: false });
    assert.deepEqual(shaped('/a/', true), { segments: ['a'], trailingSlash: true });
  });

  test('the root: has no segments', () => {
    assert.deepEqual(shaped('/'), { segments: [], trailingSlash: true });
    assert.deepEqual(shaped(''), { segments: [], trailingSlash: false });
  });

  test('all else: has no shape', () => {
    const others = words('a // /a// /a//b /:a? /* /a* /:a-:b /:a(x) /a? /é /:a/:b?/');
    for (const path of [...others, /a/, ['/a']]) assert.equal(shaped(path), undefined, String(path));
  });
});
