/** `res.sendFile`: the paths it accepts, its options, and how errors and directories reach `next`. */
import assert from 'node:assert/strict';
import path from 'node:path';
import { describe, test } from 'node:test';
import type { Response } from 'express';
import web from 'ristretto';
import { loose, sameEach } from '../../support/compare.js';
import { ask } from '../../support/http.js';
import { same } from '../../support/oracle.js';
import type { Web } from '../../support/oracle.js';
import { report } from '../../support/static.js';
import { at, root } from '../../support/tree.js';

/** Runs one call and responds with what it throws, what it passes to `next`, and what reaches the error handler. */
function calling(use: (res: Response) => unknown) {
  return (web: Web) => {
    const app = web();
    app.set('env', 'test');
    app.use((_req, res) => void use(res));
    app.use((_req, res) => void res.end('passed on'));
    app.use(report);
    return app;
  };
}

const sending = (file: string, options?: object) =>
  calling(res => (options === undefined ? res.sendFile(file) : res.sendFile(file, options)));

describe('res.sendFile', () => {
  test('path: throws if it is missing, not a string, or relative without a root', async () => {
    for (const bad of [undefined, null, '', 0, false, 42, {}, [], true]) {
      const answer = await same(calling(res => loose(res).sendFile!(bad)));
      assert.match(
        answer.text,
        /^\{"name":"TypeError","message":"path (argument is required|must be a string) to/,
      );
    }
    for (const file of ['todo.txt', './todo.txt', '../x']) {
      const answer = await same(sending(file));
      assert.match(answer.text, /path must be absolute or specify root to res.sendFile/);
    }
    await same(calling(res => res.sendFile('todo.txt', () => {})));
  });

  test('path: is not a URL, so nothing in it is decoded', async () => {
    for (const name of ['100%.txt', 'a b.html', 'naïve ☃.txt', "it's(1)!.txt"]) {
      assert.equal((await same(sending(at(name)))).status, 200);
    }
    assert.equal((await same(sending(at('a%20b.html')))).status, 404);
  });

  test('path: a lone surrogate throws, a null byte is 400', async () => {
    assert.match((await same(sending(at('\ud800.txt')))).text, /URIError/);
    assert.equal((await same(sending(at('a\0.txt')))).status, 400);
  });

  test('path: .. is 403 without a root', async () => {
    for (const file of [root + '/users/../todo.txt', root + '/..', root + '/x\\..\\y']) {
      assert.equal((await same(sending(file))).status, 403);
    }
  });

  test('path: redundant separators and dots are accepted', async () => {
    for (const file of [root + '//todo.txt', root + '/./todo.txt', root + '/nested/', root + '//nested//']) {
      assert.equal((await same(sending(file))).status, 200);
    }
    await same(sending(at('todo.txt') + '/', { index: false }));
    await same(sending(at('users') + '/'));
  });

  test('path: a missing file gets a 404 with the error of stat', async () => {
    for (const file of [at('nope'), at('todo.txt/x'), at('a'.repeat(300)), at('nested/nope/')]) {
      assert.equal((await same(sending(file))).status, 404);
    }
  });

  test('path: a directory calls next()', async () => {
    assert.equal((await same(sending(at('users')))).text, 'passed on');
    assert.equal((await same(sending(at('nested')))).text, 'passed on');
  });

  test('root: relative and absolute paths start there', async () => {
    for (const file of ['todo.txt', '/todo.txt', './todo.txt', '//todo.txt', 'nested/']) {
      assert.equal((await same(sending(file, { root }))).status, 200);
    }
    await same(sending('todo.txt', { root: path.relative(process.cwd(), root) }));
    await same(sending('todo.txt', { root: root + '/nested/..' }));
  });

  test('root: .. may not leave it', async () => {
    assert.equal((await same(sending('users/../todo.txt', { root }))).text, '- groceries');
    for (const file of [
      '../public/todo.txt',
      'users/../../x',
      '..',
      '../public-restricted/secret.txt',
      '/../x',
    ]) {
      assert.equal((await same(sending(file, { root }))).status, 403);
    }
  });

  test('root: throws if it is not a string', async () => {
    await same(sending('todo.txt', { root: 42 }));
    await same(sending('todo.txt', { root: {} }));
    await same(sending('todo.txt', { root: '' }));
  });

  test('options: null, text and an array are ignored', async () => {
    for (const options of [null, 'x', [], 42]) {
      await same(calling(res => loose(res).sendFile!(at('todo.txt'), options)));
    }
  });

  test('maxAge: takes a number of milliseconds or text in the format of ms', async () => {
    for (const maxAge of [0, 1500, '1d', -1, Infinity]) await same(sending(at('todo.txt'), { maxAge }));
    await same(sending(at('todo.txt'), { maxage: '2h' }));
  });

  test('maxAge: default is 0', async () => {
    const answer = await same(sending(at('todo.txt')));
    assert.equal(answer.headers['cache-control'], 'public, max-age=0');
  });

  test('type: follows the extension, unless a type has been set', async () => {
    const typeOf = async (name: string) => (await same(sending(at(name)))).headers['content-type'];
    assert.equal(await typeOf('page.html'), 'text/html; charset=UTF-8');
    assert.equal(await typeOf('data.json'), 'application/json; charset=UTF-8');
    assert.equal(await typeOf('noext'), 'application/octet-stream');
    const set = await same(calling(res => res.type('text/x-own').sendFile(at('page.html'))));
    assert.equal(set.headers['content-type'], 'text/x-own; charset=utf-8');
  });

  test('immutable, cacheControl, lastModified, etag, acceptRanges: are boolean options', async () => {
    for (const option of ['immutable', 'cacheControl', 'lastModified', 'etag', 'acceptRanges']) {
      for (const value of [true, false, undefined, null]) {
        await same(sending(at('todo.txt'), { [option]: value, maxAge: 9000 }), {
          headers: { Range: 'bytes=0-1' },
        });
      }
    }
  });

  test('etag: is not affected by the setting of the application', async () => {
    const answer = await same(web =>
      web()
        .disable('etag')
        .use((_req, res) => {
          res.sendFile(at('todo.txt'));
        }),
    );
    assert.equal(answer.headers.etag, 'W/"b-174876e81f4"');
  });

  test('dotfiles: allow, deny and ignore apply, and the default covers files only', async () => {
    for (const dotfiles of ['allow', 'deny', 'ignore', undefined]) {
      for (const name of ['.hidden', '.dir/file.txt', '.nope', 'todo.txt']) {
        await same(sending(at(name), { dotfiles }));
        await same(sending(name, { dotfiles, root }));
      }
    }
    for (const dotfiles of ['x', null, 42]) {
      assert.match((await same(sending(at('todo.txt'), { dotfiles }))).text, /dotfiles option must be/);
    }
  });

  test('headers: are set before the defaults and may replace them', async () => {
    const all = {
      'X-A': '1',
      'Content-Type': 'text/x-a',
      etag: '"z"',
      'Cache-Control': 'no',
      'Accept-Ranges': 'none',
    };
    for (const headers of [
      all,
      {},
      null,
      'ab',
      { 'Content-Length': '3' },
      { 'Set-Cookie': ['a=1', 'b=2'] },
    ]) {
      await same(sending(at('todo.txt'), { headers }));
    }
    const answer = await same(sending(at('nope'), { headers: { 'X-A': '1' } }));
    assert.match(answer.text, /"set":\["x-powered-by"\]/);
  });

  test('headers: an invalid header is an error (Express crashes)', async () => {
    for (const headers of [{ a: undefined }, { 'a b': '1' }, { a: 'x\r\ny' }]) {
      const answer = await ask(sending(at('todo.txt'), { headers })(web as unknown as Web));
      assert.equal(answer.status, 500);
      assert.match(answer.text, /TypeError/);
    }
  });

  test('extensions, index: work as for web.static', async () => {
    await same(sending(at('page'), { extensions: ['x', 'htm', 'html'] }));
    await same(sending(at('page'), { extensions: 'html' }));
    await same(sending(at('nested') + '/', { index: ['nope', 'index.html'] }));
    await same(sending(at('nested') + '/', { index: false }));
    for (const bad of [{ extensions: [1] }, { extensions: true }, { index: 42 }]) {
      assert.match((await same(sending(at('page'), bad))).text, /must be array of strings or false/);
    }
  });

  test('start, end: send only these bytes', async () => {
    for (const part of [{ start: 2 }, { end: 4 }, { start: 2, end: 4 }, { start: 20 }]) {
      await same(sending(at('todo.txt'), part));
    }
  });

  test('conditions and ranges: send 304, 412, 206 or 416', async () => {
    const statuses = await sameEach(sending(at('todo.txt')), [
      { headers: { 'If-None-Match': '*' } },
      { headers: { 'If-Match': '"x"' } },
      { headers: { Range: 'bytes=1-2' } },
      { headers: { Range: 'bytes=99-' } },
      { method: 'HEAD' },
      { method: 'POST' },
    ]);
    assert.deepEqual(
      statuses.map(answer => answer.status),
      [304, 412, 206, 416, 200, 200],
    );
  });

  test('status: an existing status is kept, and turns conditional requests off', async () => {
    await sameEach(
      calling(res => res.status(404).sendFile(at('todo.txt'))),
      ['/', { headers: { 'If-None-Match': '*' } }, { headers: { Range: 'bytes=0-1' } }],
    );
  });

  test('next: is the next function of the handler that called sendFile', async () => {
    const build = (web: Web) => {
      const app = web();
      const router = web.Router();
      router.get('/', (_req, res) => res.sendFile(at('nope')));
      app.use(router, (_req, res) => void res.end('no'));
      return app.use(report);
    };
    assert.equal((await same(build)).status, 404);
  });

  test('page: is the default error page, with its policy', async t => {
    t.mock.method(console, 'error', () => {});
    const build = (web: Web) =>
      web()
        .set('env', 'production')
        .use((_req, res) => {
          res.sendFile(at('nope'));
        });
    const answer = await same(build);
    assert.equal(answer.headers['content-security-policy'], "default-src 'none'");
  });
});
