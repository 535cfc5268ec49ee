/** The arguments that `use`, `all` and the methods share: paths and callbacks. */
import { describe, test } from 'node:test';
import assert from 'node:assert/strict';
import type { RequestHandler } from 'express';
import { sameEach } from '../support/compare.js';
import { loose } from '../support/internals.js';
import { frameworks } from '../support/oracle.js';
import { answer, mark, sameTraces, tracing } from '../support/routing.js';

type Path = string | RegExp | (string | RegExp)[];

/** Registers the path in every way; returns the requested paths that reach the GET handler. */
async function reaching(path: Path, asked: string[]): Promise<string[]> {
  const build = tracing(app => {
    app.use(path, mark('use'));
    app.all(path, mark('all'));
    app.post(path, mark('post'));
    app.get(path, mark('get'), answer);
  });
  const answers = await sameEach(build, asked);
  await sameEach(
    build,
    asked.flatMap(target => ['POST', 'PUT', 'DELETE'].map(method => ({ method, path: target }))),
  );
  return asked.filter((_target, at) => answers[at]!.status === 200);
}

describe('path argument', () => {
  test('string: is matched exactly, except for case and a trailing slash', async () => {
    const asked = ['/about', '/ABOUT', '/about/', '/about/us', '/abou', '/about.html', '/'];
    assert.deepEqual(await reaching('/about', asked), ['/about', '/ABOUT', '/about/']);
  });

  const patterns: [string, string[], string[]][] = [
    ['/adm*n', ['/admn', '/admin', '/adm/i/n'], ['/adm', '/admi']],
    ['/gre+t', ['/gret', '/greeeet'], ['/grt', '/gre+t']],
    ['/hel{2}o', ['/hello'], ['/helo', '/helllo', '/hel2o']],
    ['/secr*t', ['/secrt', '/secret', '/secr/e/t'], ['/sect']],
    ['/ab?cd', ['/abcd', '/acd'], ['/abbcd', '/cd']],
  ];
  for (const [pattern, matching, others] of patterns) {
    test(`pattern ${pattern}: matches ${matching.join(', ')} and not ${others.join(', ')}`, async () => {
      assert.deepEqual(await reaching(pattern, [...matching, ...others]), matching);
    });
  }

  test('regular expression: is used unchanged', async () => {
    assert.deepEqual(await reaching(/^\/(a|b)\/?$/, ['/a', '/b/', '/c', '/a/b']), ['/a', '/b/']);
    assert.deepEqual(await reaching(/fly$/, ['/butterfly', '/x/fly', '/flying']), ['/butterfly', '/x/fly']);
  });

  test('array: matches any of its elements', async () => {
    assert.deepEqual(
      await reaching(['/abcd', '/xy*za', /^\/lm(n|p)$/], ['/abcd', '/xyaaza', '/lmn', '/lmo', '/abc']),
      ['/abcd', '/xyaaza', '/lmn'],
    );
  });

  test('dot: of a group is a dot, of a parameter any character but a line terminator', async () => {
    assert.deepEqual(await reaching('/(a.b)', ['/a.b', '/axb']), ['/a.b']);
    assert.deepEqual(await reaching('/:file(a.b)', ['/a.b', '/axb', '/ab']), ['/a.b', '/axb']);
    for (const [pattern, all] of [
      ['/:file(a.b)', false],
      ['/:file(a[\\s\\S]b)', true],
      ['/:file(a[\\w\\W]b)', true],
    ] as const) {
      for (const [framework, web] of Object.entries(frameworks)) {
        const app = loose(web().get(pattern, answer));
        assert.equal(app._router.stack[2]!.match('/a\nb'), all, `${framework} ${pattern}`);
      }
    }
  });

  test('query string: is ignored', async () => {
    assert.deepEqual(await reaching('/about', ['/about?x=/other', '/other?x=/about', '/?/about']), [
      '/about?x=/other',
    ]);
  });

  test('no path: matches every path', () =>
    sameTraces(['/', '/a', '/a/b?c'], app => {
      app.use(mark('no path'));
      app.use('/', mark('slash'));
    }));
});

describe('callback argument', () => {
  /** Registers the same callbacks with use, all and get; each calls next. */
  const everywhere = (make: (web: typeof frameworks.express) => unknown[]) =>
    sameTraces(['/x', '/x/y', { method: 'POST', path: '/x' }], (app, web) => {
      const callbacks = make(web) as RequestHandler[];
      app.use('/x', ...callbacks);
      app.all('/x', ...callbacks);
      app.get('/x', ...callbacks, answer);
    });

  test('function: receives request, response and next', () => everywhere(() => [mark('only')]));
  test('series: runs in order', () => everywhere(() => [mark('1'), mark('2'), mark('3')]));
  test('array: may be nested', () => everywhere(() => [[mark('1'), [mark('2'), [mark('3')]]]]));
  test('router: is accepted', () =>
    everywhere(web => [web.Router().use(mark('in')).get('/x', mark('route'))]));
  test('application: is accepted', () => everywhere(web => [web().use(mark('in')).get('/x', mark('route'))]));
  test('combination: runs all of these in order', () =>
    everywhere(web => [
      mark('1'),
      [mark('2'), web.Router().use(mark('3'))],
      web().use(mark('4')),
      mark('5'),
    ]));
  test('required: throws without handlers, except for a route', () => {
    for (const web of Object.values(frameworks)) {
      const use = web().use.bind(web()) as (...args: unknown[]) => unknown;
      assert.throws(() => use(), { name: 'TypeError', message: 'app.use() requires a middleware function' });
      assert.throws(() => use('/x'), {
        name: 'TypeError',
        message: 'app.use() requires a middleware function',
      });
      assert.throws(() => use('/x', []), {
        name: 'TypeError',
        message: 'app.use() requires a middleware function',
      });
      assert.throws(() => web().post('/x', undefined as never), /requires a callback function/);
    }
  });
});
