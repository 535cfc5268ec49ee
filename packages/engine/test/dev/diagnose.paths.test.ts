// runs: slow, twice
/** Warnings about paths, compared with what the paths match in Express. */
import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import { describe, test } from 'node:test';
import { withoutBraces, lacksSlash, problemOf } from '@ristretto/private-engine/lib/dev/path-syntax.js';
import { instance, patternText } from '../../../../proofs/differential/generate-path.js';
import { Random } from '../support/random.js';
import { everyOption, randomText } from '../support/patterns.js';
import { warningsOf } from '../support/warnings.js';

interface Layer {
  match(path: string): boolean;
  params: Record<string, string>;
}

const OracleLayer = createRequire(__filename)('express/lib/router/layer') as new (
  path: unknown,
  options: object,
  fn: () => void,
) => Layer;

/** The parameters of a path in Express; undefined if it does not match. */
function paramsInExpress(pattern: unknown, path: string): Record<string, string> | undefined {
  const layer = new OracleLayer(pattern, { end: true }, () => undefined);
  return layer.match(path) ? { ...layer.params } : undefined;
}

/** Returns whether a path matches in Express with any of the options; undefined if the pattern is invalid. */
function matchesInExpress(pattern: string, path: string): boolean | undefined {
  try {
    return everyOption.some(options => new OracleLayer(pattern, options, () => undefined).match(path));
  } catch {
    return undefined;
  }
}

const seed = Number(process.env.SEED ?? 20250101);

describe('warnings', () => {
  test('path without a slash: detects common mistakes, which match nothing in Express', () => {
    for (const path of [
      'users',
      'users/:id',
      ':id',
      ':a/:b',
      '.well-known/x',
      'a*',
      'api-v1',
      'http://x/y',
      'a+',
    ]) {
      assert.equal(lacksSlash(path), true, path);
      for (const asked of [`/${path}`, '/', '/users', '/users/7', '/a', '/http://x/y', '/.well-known/x'])
        assert.equal(matchesInExpress(path, asked), false, `${path} on ${asked}`);
    }
  });

  test('path without a slash: accepts paths that can match', () => {
    const paths = [
      '',
      '/',
      '*',
      '**',
      '(.*)',
      '(/a)',
      '/users',
      'a?/b',
      'a|/b',
      '^/a',
      '[/]a',
      '\\/a',
      ':a?',
      ':a*',
    ];
    for (const path of [...paths, ':a(.*)', 'a{0,1}/b', '.?/a', '(a|/b)', '+/'])
      assert.equal(lacksSlash(path), false, path);
  });

  test(`path without a slash: random patterns (seed ${seed}) that are reported match nothing in Express`, () => {
    const random = new Random(seed);
    const pieces = [
      '/',
      '/:a',
      ':b',
      'a',
      'b',
      '-',
      '.',
      '(a|',
      '(a)',
      '[^/]',
      '\\d',
      '*',
      '+',
      '?',
      '{0}',
      ')',
      '|',
      '(?=a',
      '^',
      '(.*)',
    ];
    let found = 0;
    for (let i = 0; i < 6000; i++) {
      const pattern = randomText(random, pieces, 6);
      if (!lacksSlash(pattern)) continue;
      for (let j = 0; j < 4; j++) {
        const path = `/${randomText(random, ['/', 'a', 'b', '-', '.', '1'], 6)}`;
        const matches = matchesInExpress(pattern, path);
        assert.ok(!matches, `${pattern} on ${path}`);
        if (matches === false) found++;
      }
    }
    assert.ok(found > 1000, `only ${found} were compared`);
  });
});

describe('warnings', () => {
  test('syntax of Express 5: is detected, and has in Express 4 the effect that the message describes', () => {
    for (const path of ['/*splat', '/api/*rest', '/{*splat}', '/files{/*path}', '*all', '/a/*b/c'])
      assert.match(problemOf(path) ?? '', /^'\*\w+' matches any path that ends with '\w+'|^'\{/, path);
    for (const path of [
      '{/:x}',
      '/users{/:id}',
      '/:file{.:ext}',
      '/:a{-:b}',
      '/x{/y}',
      '/{*splat}',
      '/users/{id}',
    ])
      assert.match(problemOf(path) ?? '', /matches (these characters literally|any path)/, path);
    assert.equal(paramsInExpress('/*splat', '/a/b'), undefined);
    assert.deepEqual(paramsInExpress('/*splat', '/a/bsplat'), { 0: 'a/b' });
    assert.equal(paramsInExpress('/users{/:id}', '/users/7'), undefined);
    assert.deepEqual(paramsInExpress('/users{/:id}', '/users{/7}'), { id: '7' });
  });

  test('syntax of Express 5: the suggested pattern matches the same paths in Express 4', () => {
    const rows: [path: string, instead: string, matches: string[], misses: string[]][] = [
      ['/*splat', "'/*'", ['/', '/a', '/a/b'], []],
      ['/{*splat}', "'/*'", ['/', '/a', '/a/b'], []],
      ['/files{/*rest}', "['/files', '/files/*']", ['/files', '/files/a/b'], ['/filesx']],
      ['/users{/:id}', "'/users/:id?'", ['/users', '/users/7'], ['/users/7/8', '/usersx']],
      ['{/:lang}/about', "'/:lang?/about'", ['/about', '/en/about'], ['/en']],
      ['/a{/:b{/:c}}', "['/a', '/a/:b/:c?']", ['/a', '/a/1', '/a/1/2'], ['/b']],
      ['/:file{.:ext}', "'/:file.:ext?'", ['/a', '/a.js'], ['/a/b']],
      ['/:a{-:b}', "['/:a', '/:a-:b']", ['/x', '/x-y'], ['/x/y']],
      ['/x{/y}', "['/x', '/x/y']", ['/x', '/x/y'], ['/xy']],
      ['/users/{id}/posts', "'/users/:id/posts'", ['/users/7/posts'], ['/users/posts']],
    ];
    for (const [path, instead, matches, misses] of rows) {
      assert.equal(withoutBraces(path), instead, path);
      const pattern = JSON.parse(instead.replaceAll("'", '"')) as unknown;
      for (const asked of matches) assert.ok(paramsInExpress(pattern, asked), `${instead} on ${asked}`);
      for (const asked of misses) assert.ok(!paramsInExpress(pattern, asked), `${instead} on ${asked}`);
      assert.ok(
        [pattern].flat().every(text => problemOf(text as string) === undefined),
        instead,
      );
    }
  });

  test('syntax of Express 5: accepts the syntax of Express 4', () => {
    const paths = [
      '/*',
      '/ab*cd',
      '/a/*.html',
      '/*.*',
      '/:a*',
      '/:a(\\d{3})',
      '/a{2}',
      '/a{1,2}b',
      '/:a([*x]+)',
      '/:a?',
    ];
    for (const path of [
      ...paths,
      '/\\*x',
      '/\\{a}',
      '/(a*b)',
      '/((a)*b)',
      '/[{]a}',
      '/{',
      '/a}',
      '/*-x',
      '/x*y/',
    ])
      assert.equal(problemOf(path), undefined, path);
  });

  test(`syntax of Express 5: likely patterns of Express 4 (seed ${seed}) are accepted if they match a path made for them`, () => {
    const random = new Random(seed);
    let matching = 0;
    for (let i = 0; i < 3000; i++) {
      const pattern = patternText(random);
      const path = instance(random, pattern);
      if (!path.startsWith('/') || matchesInExpress(pattern, path) !== true) continue;
      matching++;
      assert.equal(lacksSlash(pattern), false, pattern);
      assert.equal(problemOf(pattern), undefined, pattern);
    }
    assert.ok(matching > 1000, `only ${matching} patterns matched`);
  });
});

describe('warnings', () => {
  const warned = (program: string, env?: Record<string, string>): string[] =>
    warningsOf(program, { env: env ?? {} }).map(
      ({ code, message, detail }) => `${code.slice(10)} ${/'([^']*)'/.exec(message)![1]!}${detail!}`,
    );

  test('path without a slash, syntax of Express 5: warn with the place in the program for every way to register', () => {
    const program = `
      const app = web();
      const answer = (req, res, next) => next();
      app.get('users', answer);
      app.use('files', answer, answer);
      app.all(['/ok', ['posts']], answer);
      app.route(':id').get(answer);
      web.Router().get('/*splat', answer);
      web.Router().use('xy{/:z}', answer);`;
    assert.deepEqual(warned(program), [
      'PATH_WITHOUT_SLASH users    at [eval]:4:11',
      'PATH_WITHOUT_SLASH files    at [eval]:5:11',
      'PATH_WITHOUT_SLASH posts    at [eval]:6:11',
      'PATH_WITHOUT_SLASH :id    at [eval]:7:11',
      'PATH_SYNTAX /*splat    at [eval]:8:20',
      'PATH_WITHOUT_SLASH xy{/:z}    at [eval]:9:20',
      'PATH_SYNTAX xy{/:z}    at [eval]:9:20',
    ]);
  });

  test('path without a slash, syntax of Express 5: do not warn about correct paths', () => {
    const program = `
      const app = web();
      const answer = (req, res, next) => next();
      app.get('users');
      app.use(answer).use('/', answer).use('', answer).use('*', answer).get(/users/, answer).get(['/a', /b/], answer);
      app.get('/ab*cd', answer).all('(.*)', answer).get('/by/:users', answer).param('users', answer);`;
    assert.deepEqual(warned(program), []);
  });

  test('app.disable("development warnings"), env: turn off the warnings of an application', () => {
    const program = (silence: string): string => `
      const app = web();
      ${silence};
      app.get('users', () => {});`;
    assert.deepEqual(warned(program("app.disable('development warnings')")), []);
    assert.deepEqual(warned(program("app.set('env', 'production')")), []);
    assert.equal(warned(program("app.enable('development warnings')")).length, 1);
    assert.deepEqual(warned(program(''), { NODE_ENV: 'production' }), []);
  });

  test('ristretto3: emits these warnings too', () => {
    const program = `
      const app = require('ristretto3')();
      const answer = (req, res, next) => next();
      app.get('users', answer);
      app.all('/*splat', answer);
      app.use('files', answer).use(answer);`;
    assert.deepEqual(warned(program), [
      'PATH_WITHOUT_SLASH users    at [eval]:4:11',
      'PATH_SYNTAX /*splat    at [eval]:5:11',
      'PATH_WITHOUT_SLASH files    at [eval]:6:11',
    ]);
  });
});
