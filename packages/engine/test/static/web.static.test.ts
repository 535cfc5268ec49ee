// runs: each
/** `web.static`: the root, the files it sends, methods, mounting, and the members of the middleware. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import http from 'node:http';
import path from 'node:path';
import { describe, test } from 'node:test';
import mime from 'mime';
import web from 'ristretto';
import { sameEach } from '../support/compare.js';
import { ask } from '../support/http.js';
import { frameworks, same } from '../support/oracle.js';
import type { Web } from '../support/oracle.js';
import { words } from '../support/random.js';
import { report, serving } from '../support/static.js';
import { at, root } from '../support/tree.js';

const loose = (fn: unknown) => fn as (...args: unknown[]) => unknown;
const ours = loose(web.static);
const theirs = loose(frameworks.express.static);

function assertSameThrow(...args: unknown[]): void {
  let expected: Error | undefined;
  try {
    theirs(...args);
  } catch (error) {
    expected = error as Error;
  }
  assert.ok(expected);
  assert.throws(() => ours(...args), { name: expected.name, message: expected.message });
}

describe('web.static', () => {
  test('root: throws if it is missing or not a string', () => {
    for (const bad of [undefined, null, '', 0, false]) assertSameThrow(bad);
    for (const bad of [42, {}, [], true, Buffer.from('/')]) assertSameThrow(bad);
    assert.throws(() => ours(), /^TypeError: root path required$/);
    assert.throws(() => ours(42), /^TypeError: root path must be a string$/);
  });

  test('root: may be relative to the working directory, with or without a trailing separator', async () => {
    for (const directory of [path.relative(process.cwd(), root), root + '/', root + '/users/..']) {
      const answer = await same(serving({}, '/', directory), '/todo.txt');
      assert.equal(answer.text, '- groceries');
    }
    const [app, before] = [
      serving({}, '/', path.relative(process.cwd(), root))(frameworks.ristretto),
      process.cwd(),
    ];
    process.chdir(root);
    try {
      assert.equal((await ask(app, '/todo.txt')).text, '- groceries');
    } finally {
      process.chdir(before);
    }
  });

  test('root: may be the root of the file system', async () => {
    const answer = await same(serving({}, '/', path.parse(root).root), at('todo.txt'));
    assert.equal(answer.text, '- groceries');
  });

  test('root: a file is served at its mount path', async () => {
    const answers = await sameEach(serving({}, '/file', at('todo.txt')), ['/file', '/file/', '/file/x']);
    assert.deepEqual(
      answers.map(answer => answer.text.slice(0, 6)),
      ['- groc', 'passed', 'passed'],
    );
  });

  test('root: calls next() if it does not exist', async () => {
    const answer = await same(serving({}, '/', at('nowhere')), '/todo.txt');
    assert.equal(answer.text, 'passed on: GET /todo.txt');
  });

  test('options: may be omitted, null, or an object with inherited properties', async () => {
    for (const options of [undefined, null, {}, Object.create({ maxAge: 5000, index: false })]) {
      await sameEach(serving(options as object), ['/todo.txt', '/nested/']);
    }
  });

  test('options: a value that is not an object throws', () => {
    for (const bad of ['x', 42, true]) assertSameThrow(root, bad);
  });

  test('options: later changes to the object have no effect', async () => {
    const options = { index: ['index.html'] };
    const app = serving(options)(web as unknown as Web);
    options.index.pop();
    assert.equal((await ask(app, '/nested/')).status, 200);
  });

  test('files: are sent with headers in order, the body, and nothing else', async () => {
    const answer = await same(serving(), '/todo.txt?v=2');
    assert.equal(answer.text, '- groceries');
    assert.deepEqual(
      answer.rawHeaders.map(([name]) => name),
      [
        ...['X-Powered-By', 'Accept-Ranges', 'Cache-Control', 'Last-Modified', 'ETag', 'Content-Type'],
        ...['Content-Length', 'Date', 'Connection'],
      ],
    );
  });

  test('files: every name of the tree is served, encoded, for GET and HEAD', async () => {
    const names = [
      ...['/empty.txt', '/noext', '/unknown.xyzzy', '/data.json', '/page.html', '/a%20b.html', '/100%25.txt'],
      ...['/na%C3%AFve%20%E2%98%83.txt', "/it's(1)!.txt", '/it%27s%281%29%21.txt', '/snow%20%E2%98%83/'],
      ...['/piece.bin', '/big.bin', '/users/tobi.txt', '/like.txt/inner.txt'],
    ];
    const answers = await sameEach(
      serving(),
      names.flatMap(name => [name, { method: 'HEAD', path: name }]),
    );
    for (const answer of answers) assert.equal(answer.status, 200);
  });

  test('files: HEAD sends the length and no body', async () => {
    const answer = await same(serving(), { method: 'HEAD', path: '/big.bin' });
    assert.equal(answer.headers['content-length'], String(1024 * 1024));
    assert.equal(answer.body.length, 0);
  });

  test('files: headers that are already set are kept', async () => {
    const build = (web: Web) => {
      const app = web();
      app.use((_req, res, next) => {
        res.set({ 'Accept-Ranges': 'none', 'Cache-Control': 'no-store', 'Content-Type': 'text/x-mine' });
        res.set({ ETag: '"mine"', 'Last-Modified': 'never' });
        next();
      });
      return app.use(web.static(root));
    };
    const [answer] = await sameEach(build, [
      '/todo.txt',
      { path: '/todo.txt', headers: { 'If-None-Match': '"mine"' } },
      { path: '/todo.txt', headers: { 'If-Modified-Since': new Date().toUTCString() } },
    ]);
    assert.equal(answer?.headers.etag, '"mine"');
  });

  test('files: an existing status is kept', async () => {
    const build = (web: Web) => {
      const app = web();
      app.use((_req, res, next) => {
        res.status(203);
        next();
      });
      return app.use(web.static(root));
    };
    assert.equal((await same(build, '/todo.txt')).status, 203);
  });

  test('files: a response that has begun is an error, for a directory too', async () => {
    for (const path of ['/todo.txt', '/nested']) {
      const seen: unknown[] = [];
      const app = web();
      app.use((_req, res, next) => {
        res.write('begun');
        next();
      });
      app.use(web.static(root));
      app.use(((err, _req, res, next) => {
        seen.push(err.message, err.status);
        if (err.status) res.end();
        else next(err);
      }) as typeof report);
      assert.equal((await ask(app, path)).text, 'begun');
      assert.deepEqual(seen, ["Can't set headers after they are sent.", 500]);
    }
  });

  test('files: an unknown extension gets no Content-Type if there is no default type', async () => {
    const types = mime as unknown as { default_type: string | undefined };
    const { default_type } = types;
    types.default_type = undefined;
    try {
      assert.equal((await same(serving(), '/unknown.xyzzy')).headers['content-type'], undefined);
    } finally {
      types.default_type = default_type;
    }
  });

  test('server: works without an application, on any Node server', async () => {
    for (const make of [web.static, frameworks.express.static]) {
      const serve = make(root, { fallthrough: false }) as unknown as (...args: unknown[]) => void;
      const server = http.createServer((req, res) =>
        serve(req, res, (error: Error) => res.end(String(error))),
      );
      assert.equal((await ask(server, '/todo.txt')).text, '- groceries');
      assert.equal(
        (await ask(http.createServer(server.listeners('request')[0] as never), '/nope')).text.slice(0, 13),
        'Error: ENOENT',
      );
    }
  });

  test('target: without a path is a 400, and does not throw', async () => {
    const serve = web.static(root, { fallthrough: false }) as unknown as (...args: unknown[]) => void;
    for (const [url, originalUrl] of [
      ['http://[', 'http://['],
      ['/nested', 'http://['],
      ['?x', '?x'],
      ['', '/'],
    ]) {
      const answer = await ask((req, res) => {
        Object.assign(req, { url, originalUrl });
        serve(req, res, (error: Error) => res.end(String(error)));
      });
      assert.match(answer.text, /^BadRequestError/);
    }
  });

  test('methods: other than GET and HEAD call next()', async () => {
    const asks = ['POST', 'PUT', 'DELETE', 'OPTIONS'].map(method => ({ method, path: '/todo.txt' }));
    for (const answer of await sameEach(serving(), asks)) assert.match(answer.text, /^passed on/);
  });

  test('methods: other than GET and HEAD send 405 with Allow if fallthrough is off', async () => {
    const answer = await same(serving({ fallthrough: false }), { method: 'POST', path: '/todo.txt' });
    assert.equal(answer.status, 405);
    assert.equal(answer.headers.allow, 'GET, HEAD');
  });

  test('precedence: the directory registered first is used', async () => {
    const build = (web: Web) =>
      web().use(web.static(at('nested')), web.static(at('users')), web.static(root), report);
    const answers = await sameEach(build, ['/', '/tobi.txt', '/todo.txt', '/nested/']);
    assert.equal(answers[0]?.text, '<p>index</p>');
    assert.equal(answers[1]?.text, 'ferret');
  });

  test('mount: the path is stripped, and redirects keep it', async () => {
    const answers = await sameEach(serving({}, '/files'), [
      ...['/files/todo.txt', '/files', '/files?a=b', '/files/', '/files/nested', '/files/nested?a', '/FILES'],
      ...['/files/nested/', '/filestodo.txt', '/todo.txt'],
    ]);
    assert.equal(answers[1]?.headers.location, '/files/');
    assert.equal(answers[4]?.headers.location, '/files/nested/');
  });

  test('target: may have a fragment, be in absolute form, or have no path', async () => {
    await sameEach(serving(), words('/todo.txt#x /users#x http://h/todo.txt http://h/nested/ /todo.txt?%'));
  });

  test('name: is serveStatic, which tools look for', () => {
    assert.equal((ours(root) as () => void).name, 'serveStatic');
    assert.equal((theirs(root) as () => void).name, 'serveStatic');
    assert.equal(web.static.name, frameworks.express.static.name);
    assert.equal((ours(root) as () => void).length, 3);
  });

  test('mime: is the mime module, and its define() takes effect', async () => {
    assert.equal(web.static.mime, mime);
    assert.deepEqual(Object.keys(web.static), Object.keys(frameworks.express.static));
    web.static.mime.define({ 'text/x-ristretto': ['xyzzy'] });
    try {
      assert.equal(
        (await same(serving(), '/unknown.xyzzy')).headers['content-type'],
        'text/x-ristretto; charset=UTF-8',
      );
    } finally {
      delete (mime as unknown as { types: Record<string, string> }).types.xyzzy;
    }
  });

  test('page: errors in production get a page that does not contain the root', async t => {
    t.mock.method(console, 'error', () => {});
    const build = (web: Web) =>
      web()
        .set('env', 'production')
        .use(web.static(root, { fallthrough: false }));
    const answers = await sameEach(build, [
      ...['/nope', '/%', '/%00', '/../x', '/.hidden', '/users/'],
      { path: '/todo.txt', headers: { Range: 'bytes=100-' } },
      { path: '/todo.txt', headers: { 'If-Match': '"x"' } },
    ]);
    for (const answer of answers) {
      assert.equal(answer.headers['content-security-policy'], "default-src 'none'");
      assert.equal(answer.headers['x-content-type-options'], 'nosniff');
      assert.ok(!answer.text.includes(root));
    }
  });

  test('links: symbolic links are followed, and a loop is an error', async () => {
    const link = at('link.txt');
    const loop = at('loop.txt');
    fs.symlinkSync('todo.txt', link);
    fs.symlinkSync('loop.txt', loop);
    try {
      const [followed, error] = await sameEach(serving(), ['/link.txt', '/loop.txt']);
      const [index] = await sameEach(serving({ index: ['nope', 'loop.txt'] }), ['/']);
      assert.equal(index?.status, 500);
      assert.equal(followed?.text, '- groceries');
      assert.equal(error?.status, 500);
      assert.match(error?.text ?? '', /ELOOP/);
    } finally {
      fs.unlinkSync(link);
      fs.unlinkSync(loop);
    }
  });
});
