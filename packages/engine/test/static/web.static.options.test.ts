// runs: each
/** `web.static`: its options, caching headers and conditional requests. */
import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import { describe, test } from 'node:test';
import web from 'ristretto';
import { sameEach } from '../support/compare.js';
import { ask, each } from '../support/http.js';
import type { Ask } from '../support/http.js';
import { frameworks, same } from '../support/oracle.js';
import type { Web } from '../support/oracle.js';
import { words } from '../support/random.js';
import { serving } from '../support/static.js';
import { at } from '../support/tree.js';

const DOTTED = [
  ...['/.hidden', '/.dir/file.txt', '/.nope', '/.dir/', '/.dir', '/..', '/.dir/.nope', '/...', '/%2Ehidden'],
  '/.dir/.',
];

/** `web.static`: the options for dotfiles, extensions, fallthrough, index, redirects, headers and partial files. */
describe('web.static', () => {
  for (const dotfiles of ['allow', 'deny', 'ignore'] as const) {
    test(`dotfiles: ${dotfiles} applies to files and directories`, async () => {
      const paths = dotfiles === 'allow' ? DOTTED.filter(path => !path.includes('%')) : DOTTED;
      await sameEach(serving({ dotfiles }), paths);
      const answers = await sameEach(serving({ dotfiles, fallthrough: false }), paths);
      const status = { allow: 200, deny: 403, ignore: 404 }[dotfiles];
      assert.equal(answers[0]?.status, status);
      assert.equal(answers[1]?.status, status);
    });
  }

  test('dotfiles: undefined ignores files, but not those in a directory with a dot', async () => {
    const answers = await sameEach(serving({ fallthrough: false }), DOTTED);
    assert.equal(answers[0]?.status, 404);
    assert.equal(answers[1]?.status, 200);
  });

  test('dotfiles: the older option `hidden` allows them', async () => {
    await sameEach(serving({ hidden: true, fallthrough: false }), ['/.hidden', '/.dir/file.txt']);
    await sameEach(serving({ hidden: false, fallthrough: false }), ['/.hidden', '/.dir/file.txt']);
  });

  test('dotfiles, extensions, index: other values throw when the middleware is created', () => {
    const make = web.static as unknown as (root: string, options: object) => unknown;
    assert.throws(() => make('/', { dotfiles: 'x' }), {
      name: 'TypeError',
      message: 'dotfiles option must be "allow", "deny", or "ignore"',
    });
    for (const option of ['extensions', 'index']) {
      for (const bad of [true, 42, ['a', 1], {}]) {
        assert.throws(() => make('/', { [option]: bad }), {
          name: 'TypeError',
          message: `${option} option must be array of strings or false`,
        });
      }
    }
  });

  test('extensions: are tried in order if there is no such file', async () => {
    const paths = words('/page /todo /users/tobi /a%20b /nope /like /page.htm /page.x /todo/ /nested');
    for (const extensions of [['html', 'htm', 'txt'], ['htm', 'html'], ['x', 'txt'], [], ['.txt']]) {
      await sameEach(serving({ extensions }), paths);
      await sameEach(serving({ extensions, fallthrough: false }), paths);
    }
    assert.equal((await same(serving({ extensions: ['htm', 'html'] }), '/page')).text, '<p>old page</p>');
  });

  test('extensions: may be a single string; false or no value disables them', async () => {
    for (const extensions of ['html', false, null, '', undefined]) {
      await sameEach(serving({ extensions }), ['/page', '/nope', { method: 'HEAD', path: '/page' }]);
    }
  });

  test('fallthrough: false passes every client error on as an error', async () => {
    const paths = [
      ...words('/nope /% /%ff /%00 /../x /users/ /todo.txt/ /todo.txt/x'),
      '/' + 'a'.repeat(300),
    ];
    const answers = await sameEach(serving({ fallthrough: false }), paths);
    assert.deepEqual(each(answers, 'status'), [404, 400, 400, 400, 403, 404, 404, 404, 404]);
  });

  test('fallthrough: true and anything but false call next() without an error', async () => {
    for (const fallthrough of [true, undefined, null, 0]) {
      const answers = await sameEach(serving({ fallthrough }), words('/nope /% /%00 /../x /todo.txt/x'));
      for (const answer of answers) assert.match(answer.text, /^passed on: GET/);
    }
  });

  test('fallthrough: errors about an existing file are always passed on as errors', async () => {
    const answers = await sameEach(serving(), [
      { path: '/todo.txt', headers: { Range: 'bytes=100-' } },
      { path: '/todo.txt', headers: { 'If-Match': '"x"' } },
    ]);
    assert.deepEqual(each(answers, 'status'), [416, 412]);
  });

  test('index: may be a name, a list, a path, false or empty', async () => {
    const paths = ['/', '/nested/', '/users/', '/nested', '/nested/deep/', '/todo.txt/', '/nope/'];
    const lists = [
      'index.htm',
      ['nope', 'index.htm', 'index.html'],
      'deep/index.html',
      false,
      '',
      null,
      [],
      ['deep'],
    ];
    for (const index of lists) {
      await sameEach(serving({ index }), paths);
      await sameEach(serving({ index, fallthrough: false }), paths);
    }
    assert.equal((await same(serving({ index: ['index.htm'] }), '/')).text, '<p>index of the root</p>');
  });

  test('index: a directory of that name is ignored', async () => {
    const answers = await sameEach(serving({ index: ['like.txt', 'users'], fallthrough: false }), ['/']);
    assert.equal(answers[0]?.status, 404);
  });

  test('redirect: sends a page, its headers and the encoded location', async () => {
    const paths = words('/nested /nested?a=b&c /snow%20%E2%98%83 /users /like.txt /nested/deep?<x>');
    for (const answer of await sameEach(serving(), paths)) assert.equal(answer.status, 301);
    const head = await same(serving(), { method: 'HEAD', path: '/nested' });
    assert.equal(head.headers['content-length'], '156');
    assert.equal(head.body.length, 0);
  });

  test('redirect: false calls next() for directories', async () => {
    const paths = ['/nested', '/nested/', '/users', '//users'];
    const answers = await sameEach(serving({ redirect: false }), paths);
    assert.equal(answers[0]?.text, 'passed on: GET /nested');
    await sameEach(serving({ redirect: false, fallthrough: false }), paths);
  });

  test('redirect: uses the original URL if it was rewritten', async () => {
    const build = (web: Web) => {
      const app = web();
      app.use((req, _res, next) => {
        req.url = req.url.replace('/alias', '/nested');
        next();
      });
      return app.use(web.static(at('')));
    };
    assert.equal((await same(build, '/alias?a')).headers.location, '/alias/?a');
    assert.equal((await same(build, '/alias/')).text, '<p>index</p>');
  });

  test('setHeaders: is called with response, path and stat before the defaults are set', async () => {
    const setHeaders = (res: ServerResponse, path: string, stat: { size: number }) => {
      res.setHeader('X-Path', path);
      res.setHeader('X-Size', stat.size);
      res.setHeader('ETag', '"own"');
      res.setHeader('Cache-Control', 'none');
      res.statusCode = 201;
    };
    const [answer] = await sameEach(serving({ setHeaders }), [
      ...['/todo.txt', '/nested/', '/nested', '/nope'],
      { method: 'HEAD', path: '/todo.txt' },
      { path: '/todo.txt', headers: { 'If-None-Match': '"own"' } },
    ]);
    assert.equal(answer?.headers['x-path'], at('todo.txt'));
    assert.equal(answer?.status, 201);
  });

  test('setHeaders: throws for values that are not functions, and ignores falsy ones', async () => {
    for (const framework of [web, frameworks.express]) {
      const make = framework.static as unknown as (root: string, options: object) => unknown;
      assert.throws(() => make('/', { setHeaders: 42 }), {
        name: 'TypeError',
        message: 'option setHeaders must be function',
      });
    }
    for (const setHeaders of [0, null, false, '']) await same(serving({ setHeaders }), '/todo.txt');
  });

  test('setHeaders: an error that it throws is passed on (Express crashes)', async () => {
    const setHeaders = () => {
      throw new TypeError('oops');
    };
    const answer = await ask(serving({ setHeaders })(web as unknown as Web), '/todo.txt');
    assert.equal(answer.status, 500);
    assert.match(answer.text, /TypeError.*oops/);
  });

  test('start, end: send only these bytes of a file', async () => {
    for (const part of [
      { start: 2 },
      { end: 4 },
      { start: 2, end: 4 },
      { start: 20 },
      { end: 100 },
      { start: 0, end: 0 },
    ]) {
      await sameEach(serving(part), [
        '/todo.txt',
        { path: '/todo.txt', headers: { Range: 'bytes=1-2' } },
        { path: '/todo.txt', headers: { Range: 'bytes=-1' } },
        { method: 'HEAD', path: '/todo.txt' },
      ]);
    }
    const make = web.static as unknown as (root: string, options: object) => unknown;
    for (const bad of ['2', -1, 1.5]) {
      assert.throws(
        () => make('/', { start: bad }),
        /^TypeError: start option must be a position in the file: /,
      );
      assert.throws(() => make('/', { end: bad }), /^TypeError: end option must be a position in the file: /);
    }
    const empty = await ask(serving({ start: 5, end: 2 })(web as unknown as Web), '/todo.txt');
    assert.equal(empty.headers['content-length'], '0');
  });
});

const TAG = 'W/"b-174876e81f4"';
const DATE = 'Sun, 13 Sep 2020 12:26:40 GMT';
const EARLIER = 'Sun, 13 Sep 2020 12:26:39 GMT';
const LATER = 'Sun, 13 Sep 2020 12:26:41 GMT';
const asking = (headers: Record<string, string>, path = '/todo.txt'): Ask => ({ path, headers });

/** Sends requests that differ in one header, and asserts the statuses. */
async function assertStatuses(
  field: string,
  statuses: Record<string, number>,
  options?: object,
): Promise<void> {
  const values = Object.keys(statuses);
  const answers = await sameEach(
    serving(options),
    values.map(value => asking({ [field]: value })),
  );
  assert.deepEqual(Object.fromEntries(answers.map((answer, at) => [values[at], answer.status])), statuses);
}

/** `web.static`: caching headers, and requests that are conditional on entity tags and dates. */
describe('web.static', () => {
  test('maxAge: takes a number of milliseconds or text in the format of ms', async () => {
    const expected: [unknown, number][] = [
      [0, 0],
      [1500, 1],
      ['1d', 86400],
      ['2 hours', 7200],
      ['5000', 5],
    ];
    for (const [maxAge, seconds] of expected) {
      const answer = await same(serving({ maxAge }), '/todo.txt');
      assert.equal(answer.headers['cache-control'], `public, max-age=${seconds}`);
    }
  });

  test('maxAge: default is 0', async () => {
    const answer = await same(serving(), '/todo.txt');
    assert.equal(answer.headers['cache-control'], 'public, max-age=0');
  });

  test('maxAge: is a year at most, and never negative', async () => {
    for (const maxAge of [Infinity, 1e15, -5, null, false]) await same(serving({ maxAge }), '/todo.txt');
  });

  test('maxAge: throws at registration for a value that is not a duration', () => {
    for (const maxAge of [NaN, 'x', '', '1 dayz', true, [1], {}] as never[])
      assert.throws(() => web.static('.', { maxAge }), /^TypeError: maxAge option must be .*, got (?:.+)$/);
  });

  test('maxAge: maxage is the older name', async () => {
    for (const options of [{ maxage: '2h' }, { maxAge: 5000, maxage: 9000 }, { maxAge: 0, maxage: 9000 }]) {
      await same(serving(options), '/todo.txt');
    }
  });

  test('cacheControl: false omits the header', async () => {
    for (const cacheControl of [false, null, 0, undefined, true]) {
      await same(serving({ cacheControl, maxAge: '1d', immutable: true }), '/todo.txt');
    }
    const answer = await same(serving({ cacheControl: false }), '/todo.txt');
    assert.equal(answer.headers['cache-control'], undefined);
  });

  test('immutable: adds the directive', async () => {
    for (const immutable of [true, 1, false, null])
      await same(serving({ maxAge: '1d', immutable }), '/todo.txt');
    const answer = await same(serving({ maxAge: '1d', immutable: true }), '/todo.txt');
    assert.equal(answer.headers['cache-control'], 'public, max-age=86400, immutable');
  });

  test('etag: is weak by default, and false omits it', async () => {
    assert.equal((await same(serving(), '/todo.txt')).headers.etag, TAG);
    for (const etag of [false, null, 0, true]) await same(serving({ etag }), '/todo.txt');
    assert.equal((await same(serving({ etag: false }), '/todo.txt')).headers.etag, undefined);
  });

  test('lastModified: is the date of modification, and false omits it', async () => {
    assert.equal((await same(serving(), '/todo.txt')).headers['last-modified'], DATE);
    for (const lastModified of [false, null, 0, true]) await same(serving({ lastModified }), '/todo.txt');
    const answer = await same(serving({ lastModified: false }), '/todo.txt');
    assert.equal(answer.headers['last-modified'], undefined);
  });

  test('If-None-Match: matches the tag, weak or strong, in a list, and an asterisk', async () => {
    await assertStatuses('If-None-Match', {
      [TAG]: 304,
      '"b-174876e81f4"': 304,
      [`"x", ${TAG}`]: 304,
      [`"x",${TAG} , "y"`]: 304,
      '*': 304,
      '"x"': 200,
      'b-174876e81f4': 200,
      ',': 200,
    });
    await assertStatuses('If-None-Match', { [TAG]: 200, '*': 304 }, { etag: false });
  });

  test('If-Modified-Since: compares dates, and ignores invalid ones', async () => {
    await assertStatuses('If-Modified-Since', {
      [DATE]: 304,
      [LATER]: 304,
      [EARLIER]: 200,
      'Sunday, 13-Sep-20 12:26:40 GMT': 304,
      nonsense: 200,
      '0': 200,
      '99999999999999999999': 200,
    });
    await assertStatuses('If-Modified-Since', { [DATE]: 200 }, { lastModified: false });
  });

  test('If-None-Match, If-Modified-Since: both must match', async () => {
    for (const tag of [TAG, '"x"']) {
      for (const date of [DATE, EARLIER, 'x']) {
        await same(serving(), asking({ 'If-None-Match': tag, 'If-Modified-Since': date }));
      }
    }
  });

  test('Cache-Control: no-cache requests a new copy', async () => {
    for (const directive of ['no-cache', 'max-age=0', 'max-age=0, no-cache', 'no-cache=x']) {
      await same(serving(), asking({ 'If-None-Match': TAG, 'Cache-Control': directive }));
    }
  });

  test('If-Match: sends 412 unless the tag is in the list', async () => {
    await assertStatuses('If-Match', {
      [TAG]: 200,
      '"b-174876e81f4"': 200,
      [`"x", ${TAG}`]: 200,
      '*': 200,
      '"x"': 412,
      'W/"x"': 412,
    });
    await assertStatuses('If-Match', { [TAG]: 412, '*': 412 }, { etag: false });
  });

  test('If-Unmodified-Since: sends 412 if the file is newer', async () => {
    await assertStatuses('If-Unmodified-Since', { [DATE]: 200, [LATER]: 200, [EARLIER]: 412, nonsense: 200 });
    await assertStatuses('If-Unmodified-Since', { [DATE]: 412, x: 200 }, { lastModified: false });
  });

  test('If-Match: takes precedence over all other conditions', async () => {
    await same(serving(), asking({ 'If-Match': '"x"', 'If-None-Match': TAG }));
    await same(serving(), asking({ 'If-Match': TAG, 'If-None-Match': TAG }));
    await same(serving(), asking({ 'If-Match': TAG, 'If-Unmodified-Since': EARLIER }));
    await same(serving(), asking({ 'If-Match': '', 'If-None-Match': TAG }));
  });

  test('conditions: a 304 has no body and no header that describes one, also for HEAD', async () => {
    const setHeaders = (res: { setHeader(name: string, value: string): void }) => {
      for (const name of ['Encoding', 'Language', 'Location', 'Range', 'Type'])
        res.setHeader(`Content-${name}`, 'x');
    };
    const answer = await same(serving({ setHeaders }), asking({ 'If-None-Match': TAG }));
    assert.equal(answer.status, 304);
    assert.equal(answer.body.length, 0);
    assert.equal(answer.headers['content-type'], undefined);
    await same(serving({ setHeaders }), { method: 'HEAD', ...asking({ 'If-None-Match': TAG }) });
  });

  test('conditions: do not apply unless the status is a success', async () => {
    const setHeaders = (res: { statusCode: number }) => {
      res.statusCode = 404;
    };
    for (const header of ['If-None-Match', 'If-Match']) {
      const answer = await same(serving({ setHeaders }), asking({ [header]: TAG }));
      assert.equal(answer.status, 404);
    }
    await same(serving({ setHeaders }), asking({ 'If-Match': '"x"' }));
    const setNotModified = (res: { statusCode: number }) => {
      res.statusCode = 304;
    };
    await same(serving({ setHeaders: setNotModified }), asking({ 'If-None-Match': TAG }));
  });

  test('conditions: a directory is redirected regardless', async () => {
    await same(serving(), asking({ 'If-None-Match': '*' }, '/nested'));
    await same(serving(), asking({ 'If-None-Match': '*' }, '/nested/'));
  });
});
