/** `res.download` and `res.attachment`. */
import assert from 'node:assert/strict';
import path from 'node:path';
import { describe, test } from 'node:test';
import web from 'ristretto';
import { answering, loose, returning, sameEach } from '../../support/compare.js';
import { ask, exchangeRaw, withServer } from '../../support/http.js';
import { same } from '../../support/oracle.js';
import type { Web } from '../../support/oracle.js';
import { sendingBy } from '../../support/static.js';
import { at, root } from '../../support/tree.js';
import { until } from '../../support/until.js';

const disposition = (answer: { headers: Record<string, string> }) => answer.headers['content-disposition'];

/** `res.download`: sends a file as an attachment, with its filename, options and callback. */
describe('res.download', () => {
  const downloading = (...args: unknown[]) => sendingBy(res => loose(res).download!(...args));

  test('path: is absolute or relative to the working directory, and its last segment is the filename', async () => {
    const answer = await same(downloading(at('todo.txt')));
    assert.equal(disposition(answer), 'attachment; filename="todo.txt"');
    assert.equal(answer.text, '- groceries');
    const relative = path.relative(process.cwd(), at('page.html'));
    assert.equal(disposition(await same(downloading(relative))), 'attachment; filename="page.html"');
    await same(downloading(at('naïve ☃.txt')));
    await same(downloading(at('100%.txt')));
    await same(downloading(root + '/users/../todo.txt'));
  });

  test('path: throws if it is not a string', async () => {
    for (const bad of [undefined, null, 42, {}, [], true]) {
      assert.match((await same(downloading(bad))).text, /TypeError/);
    }
    await same(downloading(''));
  });

  test('filename: replaces the name, and does not set the type', async () => {
    for (const name of [
      'report.pdf',
      'a "b" \\c.txt',
      '€ rates.html',
      'naïve.txt',
      '/x/y.txt',
      '100%41',
      'a\nb',
    ]) {
      await same(downloading(at('todo.txt'), name));
    }
    for (const none of ['', null, undefined, 0, false]) await same(downloading(at('todo.txt'), none));
    for (const bad of [42, true]) {
      assert.match((await same(downloading(at('todo.txt'), bad))).text, /filename must be a string/);
    }
  });

  test('filename: is sent whole on a keep-alive connection', async () => {
    const app = downloading(at('todo.txt'), 'naïve.txt')(web as unknown as Web);
    const request = (more: string) => `GET / HTTP/1.1\r\nHost: x\r\n${more}\r\n`;
    await withServer(app, async port => {
      const bytes = await exchangeRaw(port, request('') + request('Connection: close\r\n'));
      assert.equal(bytes.toString('latin1').split('filename="naïve.txt"\r\n').length, 3);
    });
  });

  test('options: are passed to sendFile, in place of the filename or after it', async () => {
    const options = { maxAge: '1d', headers: { 'X-A': '1' }, lastModified: false };
    for (const args of [
      [options],
      ['n.txt', options],
      [undefined, options],
      [null, options],
      ['n.txt', null],
      [null],
    ]) {
      await same(downloading(at('todo.txt'), ...args));
    }
    await same(downloading(at('.hidden'), { dotfiles: 'allow' }));
    await same(downloading(at('.hidden')));
    await same(
      downloading(at('todo.txt'), { acceptRanges: false, cacheControl: false, immutable: true, etag: false }),
    );
  });

  test('options: values that are false count as none', async () => {
    for (const none of [null, false, 0, '', NaN]) {
      assert.equal((await same(downloading(at('todo.txt'), 'name.txt', none))).status, 200);
    }
  });

  test('headers: are set after Content-Disposition, which they do not replace', async () => {
    const headers = { 'X-A': '1', 'content-disposition': 'inline', 'Content-Type': 'text/x-a' };
    const answer = await same(downloading(at('todo.txt'), 'n.txt', { headers }));
    assert.equal(disposition(answer), 'attachment; filename="n.txt"');
    await same(downloading(at('todo.txt'), { headers: { 'CONTENT-Disposition': 'inline' } }));
    await same(downloading(at('todo.txt'), { headers: null }));
  });

  test('root: relative paths start there and may not leave it', async () => {
    assert.equal((await same(downloading('todo.txt', { root }))).text, '- groceries');
    await same(downloading('users/../todo.txt', 'n.txt', { root }));
    assert.equal((await same(downloading('../public/todo.txt', { root }))).status, 403);
    assert.equal((await same(downloading('nope', { root }))).status, 404);
  });

  test('errors: a missing file is 404 without Content-Disposition, a directory calls next()', async () => {
    const answer = await same(downloading(at('nope')));
    assert.equal(answer.status, 404);
    assert.match(answer.text, /"set":\["x-powered-by"\]/);
    assert.equal((await same(downloading(at('users')))).text, 'passed on');
  });

  test('conditions and ranges: send 304, 412, 206 or 416', async () => {
    await sameEach(downloading(at('todo.txt')), [
      { headers: { 'If-None-Match': '*' } },
      { headers: { 'If-Match': '"x"' } },
      { headers: { Range: 'bytes=1-2' } },
      { headers: { Range: 'bytes=99-' } },
      { method: 'HEAD' },
    ]);
  });

  test('callback: may be any argument after the path, and is called once', async () => {
    const forms: unknown[][] = [[], ['n.txt'], ['n.txt', {}], [{}], [undefined, undefined], [null, null]];
    for (const args of forms) {
      const calls: unknown[][] = [];
      const done = (...values: unknown[]) => calls.push(values);
      await ask(downloading(at('todo.txt'), ...args, done)(web as unknown as Web));
      await until(() => calls.length > 0);
      assert.deepEqual(calls, [[undefined]]);
      await same(downloading(at('todo.txt'), ...args, () => {}));
    }
  });

  test('callback: gets errors and must send the response', async () => {
    for (const args of [['n.txt'], ['n.txt', { maxAge: 1 }], [{ root }], []]) {
      const build = sendingBy(res =>
        loose(res).download!('/nope', ...args, (error: Error & { status: number }) => {
          res.status(error.status).end(error.message + String(res.getHeaderNames()));
        }),
      );
      assert.equal((await same(build)).status, 404);
    }
  });

  test('sendFile: is looked up on the response, so a replacement is called', async () => {
    const build = sendingBy(res => {
      loose(res).sendFile = (...args) => {
        const [file, options, done] = args as [string, { headers: object; maxAge: number }, unknown];
        return res.json([file, options.headers, options.maxAge, typeof done]) as never;
      };
      res.download('todo.txt', 'n.txt', { maxAge: 7 }, () => {});
    });
    await same(build);
  });
});

describe('res.attachment', () => {
  test('without a filename: sends attachment and sets no type', async () => {
    const answer = await same(answering((_req, res) => void res.attachment().end()));
    assert.equal(answer.headers['content-disposition'], 'attachment');
    assert.equal(answer.headers['content-type'], undefined);
    await same(answering((_req, res) => void res.attachment('').end()));
  });

  test('filename: becomes the filename parameter, and its extension sets the type', async () => {
    const answer = await same(answering((_req, res) => void res.attachment('path/to/logo.png').end()));
    assert.equal(answer.headers['content-disposition'], 'attachment; filename="logo.png"');
    assert.equal(answer.headers['content-type'], 'image/png');
  });

  test('filename: may contain any characters', async () => {
    const names = [
      'noext',
      'a b.txt',
      'quo"te.html',
      '日本語.txt',
      'é.csv',
      '€ rates.pdf',
      '%20.txt',
      '.hidden',
      'a\\b.js',
    ];
    await sameEach(
      answering((req, res) => void res.attachment(names[Number(req.url.slice(1))]).end()),
      names.map((_name, at) => `/${at}`),
    );
  });

  test('filename that is not a string: throws a TypeError', async () => {
    const answer = await same(answering((_req, res) => void loose(res).attachment!(5).end()));
    assert.match(answer.text, /^TypeError: /);
  });

  test('returns: returns the response', async () => {
    await same(returning(res => res.attachment('a.txt')));
  });
});
