// runs: slow, http1
/**
 * The path syntax compared with path-to-regexp 8, through the layers of router 2: examples, generated paths, worst
 * cases.
 */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { inspect } from 'node:util';
import fc from 'fast-check';
import Layer from 'ristretto5/lib/routing/layer';
import { words } from '../../engine/test/support/random.js';
import { attempt } from './support/oracle.js';

interface Options {
  sensitive?: boolean;
  strict?: boolean;
  end?: boolean;
}
type AnyLayer = new (path: unknown, options: Options, fn: () => void) => { match(path: string): unknown };

const OracleLayer = require('router/lib/layer') as AnyLayer;
const OurLayer = Layer as unknown as AnyLayer;

/** Returns the result of a path for some request paths, or the error that it throws. */
function outcome(Kind: AnyLayer, path: unknown, options: Options, inputs: readonly string[]): string {
  const found = attempt(() => {
    // An expression may keep its lastIndex
    const layer = new Kind(path instanceof RegExp ? new RegExp(path) : path, options, () => undefined);
    return inputs.map(input => [input, attempt(() => layer.match(input))]);
  });
  return inspect(found, { depth: 8, breakLength: Infinity });
}

function alike(path: unknown, inputs: readonly string[], options: Options = {}): void {
  assert.equal(
    outcome(OurLayer, path, options, inputs),
    outcome(OracleLayer, path, options, inputs),
    inspect([path, options]),
  );
}

const OPTIONS: Options[] = [
  {},
  { strict: true },
  { sensitive: true },
  { end: false },
  { end: false, strict: true },
  { end: false, sensitive: true },
];

function alikeInAll(path: unknown, ...inputs: string[]): void {
  for (const options of OPTIONS) alike(path, inputs, options);
}

const PARTS = [
  ':a', ':b', ':c', ':"q q"', ':é', '*d', '*e', '*f', '/', '/', '/', '/:a', '/:b', '/x', '-', '.', '--', '.x', '-:b', '.*d',
  '/*e', 'x', 'X', 'é', '{', '}', '{/:a}', '{/x}', '{-:b}', '{/*d}', '\\:', '\\', '(', '?', '[', '+', '!', '^', '|', '$', '1', '%61', ' ',
]; // prettier-ignore
const INPUT_PARTS = words('/ / / x X a 1 - -- . .x %20 %2F %zz é : ^ $ | %61 -1 /2');

const joined = (parts: string[], most: number) =>
  fc.array(fc.constantFrom(...parts), { maxLength: most }).map(list => list.join(''));
const pathOf = joined(PARTS, 7).map(path => `/${path}`);
const inputOf = joined(INPUT_PARTS, 9).map(path => `/${path}`);

describe('router.paths', () => {
  test('parameters: match a segment, or the part of it up to a literal text', () => {
    alikeInAll(
      '/users/:id',
      '/users/7',
      '/users/7/',
      '/users/',
      '/users',
      '/USERS/7',
      '/users/7/x',
      '/users/7//',
    );
    alikeInAll('/:a.:b', '/x.y.z', '/x.y', '/x.', '/.y', '/x..y', '/x.y.');
    alikeInAll('/:a-:b-:c', '/1-2-3-4', '/1-2', '/---');
    alikeInAll('/:from--:to', '/a--b', '/a--', '/a-b', '/----');
    alikeInAll('/:a/:b/:a', '/1/2/3');
    alikeInAll('/:__proto__/*constructor/:hasOwnProperty', '/1/2/3/4');
    alikeInAll('/:"1"/:b/:"0"', '/x/y/z');
    alikeInAll('/:"a\\"b"', '/x');
    alikeInAll('/:a\u200db/:$c/:_d/:ü', '/1/2/3/4');
  });

  test('wildcards: match several segments, and at least one character', () => {
    alikeInAll('/f/*p', '/f/a/b%2Fc/', '/f/', '/f', '/f/a', '/f//');
    alikeInAll('/*a/z/*b', '/1/z/2/z/3', '/1/z/', '/z/z/z');
    alikeInAll('/*p', '/', '/x', '//');
    alikeInAll('/{*p}', '/', '/x', '//x');
    alikeInAll('/f{/*p}', '/f', '/f/', '/f/a/b');
    alikeInAll('*p', '/x', '', 'x');
    alikeInAll('/:a.*b.:c', '/1.2.3', '/1.2', '/1/2.3.4');
    alikeInAll('/*a-*b', '/1-2-3', '/x/1-2');
  });

  test('groups: are optional, and may be nested and contain anything', () => {
    alikeInAll('/a{/:b{/:c}}', '/a', '/a/1', '/a/1/2', '/a/1/2/3', '/a/');
    alikeInAll('{/a}{/:b}', '/', '/a', '/a/1', '/1', '');
    alikeInAll('/{a}{b}c', '/abc', '/bc', '/ac', '/c', '/ab');
    alikeInAll('/:a{.:ext}', '/x', '/x.y', '/x.y.z');
    alikeInAll('/a{/}', '/a', '/a/', '/a//');
  });

  test('text: handles escapes, case, trailing slashes and non-ASCII characters', () => {
    alikeInAll('/a//', '/a', '/a/', '/a//', '/a///');
    alikeInAll('//', '/', '//', '');
    alikeInAll('', '/', '', '/x');
    alikeInAll('/', '/', '', '//', '/x');
    alikeInAll('/\\:a\\*\\{\\}\\\\', '/:a*{}\\', '/:A*{}\\');
    alikeInAll('/É', '/É', '/é', '/%C3%89');
    alikeInAll('/ſ/k', '/s/k', '/ſ/K', '/S/\u212a');
    alikeInAll('/%61', '/a', '/%61', '/%61/');
    alikeInAll('/a.b,c;d=e~f$g^h|i&j@k%l', '/a.b,c;d=e~f$g^h|i&j@k%l', '/a-b,c;d=e~f$g^h|i&j@k%l');
    alikeInAll('/a b', '/a b', '/a%20b');
  });

  test('values: are decoded, and a malformed one is an error with status 400', () => {
    alikeInAll('/:a', '/%20', '/%zz', '/%E0%A4%A');
    alikeInAll('/*a', '/x/%zz', '/%2F/%20');
    assert.throws(() => new OurLayer('/:a', {}, () => undefined).match('/%zz'), {
      name: 'URIError',
      status: 400,
      statusCode: 400,
      message: "Failed to decode param '%zz'",
    });
    const properties = (Kind: AnyLayer) => {
      try {
        return new Kind('/:a', {}, () => undefined).match('/%zz');
      } catch (error) {
        return Object.entries(error as Error);
      }
    };
    assert.deepEqual(properties(OurLayer), properties(OracleLayer)); // in the same order: logs print them
  });

  test('errors: have the class and the message of path-to-regexp', () => {
    const broken = [
      '/*', '/:', '/:1', '/:"a', '/:"a\\', '/:""', '/{', '/{a', '/a}', '/\\', '/a{:b:c}', '/:a{:b}', '/{:a}{:b}', '/:a*b', '/*a:b',
      '/:a{/:b}*c', '/😀(', '/😀:', '/😀:"x', '/:a?', '/:a+', '/:a*', '/a!', '[a]', '/(', '/)', '/a(/', '/a?/', '{a(}',
    ]; // prettier-ignore
    for (const path of broken) alike(path, []);
    alike('{a}'.repeat(8), ['aaaaaaaa', '', 'aa']);
    alike('{a}'.repeat(9), []);
    assert.throws(() => new OurLayer('/:a!', {}, () => undefined), {
      name: 'TypeError',
      originalPath: '/:a!',
      message: 'Unexpected ! at index 3: /:a!; visit https://git.new/pathToRegexpError for info',
    });
  });

  test('other values: arrays are flattened, regular expressions executed, everything else converted to text', () => {
    alikeInAll([['/a', [/b/]], '/:c'], '/a', '/xb', '/c', '/');
    alikeInAll([], '/', '');
    for (const value of [undefined, null, 5, {}]) {
      alike(value, ['/', 'null', '5', 'undefined']);
      alike(value, ['/', 'null/x', '5', 'undefined'], { end: false });
    }
    alikeInAll(/^\/r(?<y>\d+)(z)?(\w)$/, '/r12k', '/r12zk', '/r');
    alikeInAll(/^\/\((?<n>x)/, '/(x');
    alikeInAll(/(?:a)([(])(b)/, '/a(b');
    alikeInAll(/^\/m/, '/m', '/m.x', '/m/x', '/mx');
    alikeInAll(/^\/m/g, '/m', '/m', '/m');
    alikeInAll(/^\/(.*)$/, '/%zz', '/a%20b');
    alikeInAll(/^\/(?<__proto__>.)$/, '/x');
  });

  test('generated: paths match and are rejected as by path-to-regexp', () => {
    fc.assert(
      fc.property(
        pathOf,
        fc.array(inputOf, { maxLength: 6 }),
        fc.constantFrom(...OPTIONS),
        (path, inputs, options) => {
          alike(path, inputs, options);
        },
      ),
      { numRuns: Number(process.env.PATH_CASES ?? 20_000) },
    );
  });

  test('generated: paths match URLs built to fit them', () => {
    const likely = pathOf.chain(path => {
      const value = fc.constantFrom('x', '1', 'a-b', 'a.b', '/', '%20', 'x/y', '');
      return fc.array(value, { minLength: 12, maxLength: 12 }).map((values): [string, string] => {
        let at = 0;
        const input = path
          .replace(/[:*](?:"[^"]*"|[\wé]+)/g, () => values[at++ % 12]!)
          .replace(/[{}\\]/g, '');
        return [path, input];
      });
    });
    fc.assert(
      fc.property(likely, fc.constantFrom(...OPTIONS), ([path, input], options) => {
        alike(path, [input, `${input}/`, input.toUpperCase()], options);
      }),
      { numRuns: Number(process.env.PATH_CASES ?? 20_000) },
    );
  });
});
