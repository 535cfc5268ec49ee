/** `res.sendFile`, its alias `res.sendfile`, and what it throws. */
import assert from 'node:assert/strict';
import { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import path from 'node:path';
import { PassThrough } from 'node:stream';
import { describe, test } from 'node:test';
import type { ErrorRequestHandler, Request, RequestHandler, Response } from 'express';
import web from 'ristretto';
import { loose, sameEach, sameNotices } from '../../support/compare.js';
import { ask, each, exchangeRaw, withServer } from '../../support/http.js';
import { frameworks, same } from '../../support/oracle.js';
import type { Web } from '../../support/oracle.js';
import { words } from '../../support/random.js';
import { report, sendingBy } from '../../support/static.js';
import { at, root, watchDescriptors } from '../../support/tree.js';
import { until } from '../../support/until.js';

/** `res.sendFile`: the paths it accepts, its options, and how errors and directories reach `next`. */
describe('res.sendFile', () => {
  const sending = (file: string, options?: object) =>
    sendingBy(res => (options === undefined ? res.sendFile(file) : res.sendFile(file, options)));

  test('path: throws if it is missing, not a string, or relative without a root', async () => {
    for (const bad of [undefined, null, '', 0, false, 42, {}, [], true]) {
      const answer = await same(sendingBy(res => loose(res).sendFile!(bad)));
      assert.match(
        answer.text,
        /^\{"name":"TypeError","message":"path (argument is required|must be a string) to/,
      );
    }
    for (const file of ['todo.txt', './todo.txt', '../x']) {
      const answer = await same(sending(file));
      assert.match(answer.text, /path must be absolute or specify root to res.sendFile/);
    }
    await same(sendingBy(res => res.sendFile('todo.txt', () => {})));
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
    for (const file of words('../public/todo.txt users/../../x .. ../public-restricted/secret.txt /../x')) {
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
      await same(sendingBy(res => loose(res).sendFile!(at('todo.txt'), options)));
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
    const set = await same(sendingBy(res => res.type('text/x-own').sendFile(at('page.html'))));
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
    assert.deepEqual(each(statuses, 'status'), [304, 412, 206, 416, 200, 200]);
  });

  test('status: an existing status is kept, and turns conditional requests off', async () => {
    await sameEach(
      sendingBy(res => res.status(404).sendFile(at('todo.txt'))),
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

const here = path.relative(process.cwd(), root);

/**
 * Tests of `res.sendfile`. The file has another name because some systems would treat it as the test of `res.sendFile`.
 */
describe('res.sendfile', () => {
  const sending = (...args: unknown[]) => sendingBy(res => loose(res).sendfile!(...args));

  test('deprecated: warns once for each call site', async () => {
    assert.deepEqual(await sameNotices(sendingBy(res => loose(res).sendfile!(at('todo.txt')))), [
      'res.sendfile: Use res.sendFile instead',
    ]);
  });

  test('path: is absolute or relative to the working directory, and is decoded', async () => {
    for (const name of ['todo.txt', 'a%20b.html', '100%25.txt', 'nested/']) {
      assert.equal((await same(sending(at(name)))).status, 200);
      assert.equal((await same(sending(path.join(root, name)))).status, 200);
    }
    assert.equal((await same(sending(at('100%.txt')))).status, 400);
    assert.equal((await same(sending(at('a%00')))).status, 400);
    if (!here.includes('..')) assert.equal((await same(sending(here + '/todo.txt'))).status, 200);
    await same(sending('package.json'));
  });

  test('path: .. is 403, a directory calls next(), a missing file is 404', async () => {
    assert.equal((await same(sending(root + '/users/../todo.txt'))).status, 403);
    assert.equal((await same(sending(at('users')))).text, 'passed on');
    assert.equal((await same(sending(at('nope')))).status, 404);
    assert.equal((await same(sending(''))).text, 'passed on');
  });

  test('path: throws if it is missing, and is converted to a string otherwise', async () => {
    for (const bad of [undefined, null]) {
      const answer = await ask(sending(bad)(web as unknown as Web));
      assert.match(answer.text, /TypeError.*path argument is required to res.sendfile/);
    }
    for (const odd of [42, {}, [], true]) await same(sending(odd));
  });

  test('root: relative paths start there and may not leave it', async () => {
    assert.equal((await same(sending('users/../todo.txt', { root }))).text, '- groceries');
    assert.equal((await same(sending('../public/todo.txt', { root }))).status, 403);
    assert.equal((await same(sending('%2e%2e/x', { root }))).status, 403);
  });

  test('maxAge and the other options: work as for sendFile', async () => {
    await same(sending(at('todo.txt'), { maxAge: 5000, headers: { 'X-A': '1' }, etag: false }));
    await same(sending(at('.hidden'), { dotfiles: 'allow' }));
    await same(sending(at('todo.txt'), null));
  });

  test('callback: comes after the options or instead of them', async () => {
    for (const more of [[], [{}], [null]]) {
      const build = sendingBy(res =>
        loose(res).sendfile!(at('nope'), ...more, (error: Error) => res.end(error.message)),
      );
      assert.match((await same(build)).text, /^ENOENT/);
    }
  });
});

type Failure = (Error & { code?: string }) | undefined;

const SPOILS: Record<string, (res: Response) => void> = {
  'status NaN': res => (res.statusCode = NaN),
  'a status message outside of Latin-1': res => (res.statusMessage = '漢'),
  'Trailer without chunks': res => res.setHeader('Trailer', 'X-Trailer'),
  'a patched writeHead': res => {
    res.writeHead = () => {
      throw Object.assign(new Error('patched'), { code: 'PATCHED' });
    };
  },
};
const CODES = ['ERR_HTTP_INVALID_STATUS_CODE', 'ERR_INVALID_CHAR', 'ERR_HTTP_TRAILER_INVALID', 'PATCHED'];

/** Returns what one request for a file produces: the bytes, and what callbacks and error handlers receive. */
async function seen(
  framework: Web,
  handler: RequestHandler,
  events: unknown[],
  requests = 'GET / ',
): Promise<string> {
  const app = framework().set('env', 'test');
  const failed: ErrorRequestHandler = (error: Failure, _req, res, next) => {
    events.push(`handler ${error?.code}`, res.destroyed);
    next(error);
  };
  app.use(handler, failed);
  return await withServer(app, async port => {
    const lines = requests.split(',').map(line => `${line}HTTP/1.1\r\nHost: x\r\n\r\n`);
    return String(await exchangeRaw(port, lines.join('')));
  });
}

/** Like `seen`, with a callback for `sendFile`. */
function withCallback(framework: Web, name: string, spoil: (res: Response) => void, method: string) {
  const events: unknown[] = [];
  const handler = (_req: Request, res: Response): void => {
    spoil(res);
    res.sendFile(at(name), (error: Failure) => {
      events.push(error?.code, res.destroyed, res.errored === error);
    });
  };
  return seen(framework, handler, events, `${method} / `).then(bytes => [bytes, ...events]);
}

/** `res.sendFile` when the header block cannot be created, or a patched function throws. */
describe('res.sendFile', () => {
  for (const [index, [what, spoil]] of Object.entries(SPOILS).entries()) {
    test(`a header block that cannot be built: ${what} closes the connection, and the callback gets the error`, async t => {
      const descriptors = watchDescriptors(t);
      for (const name of ['todo.txt', 'big.bin', 'empty.txt']) {
        const ours = await withCallback(frameworks.ristretto, name, spoil, 'GET');
        assert.deepEqual(ours, ['', CODES[index], true, true], name);
      }
      assert.deepEqual(await withCallback(frameworks.ristretto, 'todo.txt', spoil, 'HEAD'), [
        '',
        CODES[index],
        true,
        true,
      ]);
      assert.equal(descriptors.size, 0);
    });
  }

  test('a header block that cannot be built: behaves as in Express if a pipe catches what write throws', async t => {
    if (Number(process.versions.node.split('.')[0]) < 23) {
      t.skip('Express ends the process on this Node');
      return;
    }
    for (const spoil of Object.values(SPOILS)) {
      for (const name of ['todo.txt', 'big.bin']) {
        assert.deepEqual(
          await withCallback(frameworks.ristretto, name, spoil, 'GET'),
          await withCallback(frameworks.express, name, spoil, 'GET'),
        );
      }
    }
  });

  test('a header block that cannot be built: the error handlers get the error if there is no callback', async () => {
    for (const name of ['todo.txt', 'big.bin', 'empty.txt']) {
      const events: unknown[] = [];
      const bytes = await seen(
        frameworks.ristretto,
        (_req, res) => {
          res.statusMessage = '漢';
          res.sendFile(at(name));
        },
        events,
      );
      assert.deepEqual([bytes, ...events], ['', 'handler ERR_INVALID_CHAR', true]);
    }
  });

  test('a header block that cannot be built: a pipelined response closes the connection after the earlier ones', async () => {
    const started = performance.now();
    const events: unknown[] = [];
    const bytes = await seen(
      frameworks.ristretto,
      (req, res) => {
        if (req.url === '/first') {
          void until(() => events.length > 0).then(() => res.send('first'));
          return;
        }
        res.statusMessage = '漢';
        res.sendFile(at('todo.txt'), (error: Failure) => events.push(error?.code));
      },
      events,
      'GET /first ,GET /second ',
    );
    assert.ok(performance.now() - started < 5_000, 'closed by the client');
    assert.match(bytes, /^HTTP\/1\.1 200 OK\r\n[^]*\r\n\r\nfirst$/);
    assert.deepEqual(events, ['ERR_INVALID_CHAR']);
  });

  test('a header block that cannot be built: nothing is uncaught if a tool uses a stream as a connection', async () => {
    const app = frameworks.ristretto().set('env', 'test');
    const events: unknown[] = [];
    app.use((_req, res) => {
      res.statusMessage = '漢';
      res.sendFile(at('todo.txt'));
    });
    app.use(((error: Failure, _req, _res, _next) => {
      events.push(error?.code);
    }) as ErrorRequestHandler);
    const stream = new PassThrough() as unknown as Socket;
    const req = Object.assign(new IncomingMessage(stream), { method: 'GET', url: '/' });
    const res = new ServerResponse(req);
    res.assignSocket(stream);
    app(req, res);
    await until(() => events.length > 0);
    await new Promise(resolve => setImmediate(resolve));
    assert.deepEqual([events, stream.destroyed], [['ERR_INVALID_CHAR'], true]);
  });
});

describe('web.static', () => {
  test('a header block that cannot be built: closes the connection, and the process continues', async () => {
    const get = (path: string): string =>
      `GET ${path} HTTP/1.1\r\nHost: x\r\nIf-None-Match: "other", "a"\r\n\r\n`;
    for (const path of ['/todo.txt', '/big.bin', '/empty.txt']) {
      for (const fresh of [false, true]) {
        const app = frameworks.ristretto().set('env', 'test');
        const setHeaders = (res: Response): void => {
          res.statusMessage = '漢';
          if (fresh) res.setHeader('ETag', '"a"');
        };
        app.use(frameworks.ristretto.static(root, { setHeaders }));
        await withServer(app, async port => {
          assert.equal(String(await exchangeRaw(port, get(path))), '', `${path} ${fresh}`);
        });
      }
    }
  });
});
