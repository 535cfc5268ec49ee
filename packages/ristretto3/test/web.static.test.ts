/** Files: `web.static`, `staticCache`, `directory`, `favicon`, `compress`. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import fs from 'node:fs';
import http from 'node:http';
import net from 'node:net';
import { Readable } from 'node:stream';
import { describe, test } from 'node:test';
import zlib from 'node:zlib';
import type { Handler } from 'ristretto3/lib/middleware/connect';
import { ask, each, portOf } from '../../engine/test/support/http.js';
import { at } from '../../engine/test/support/tree.js';
import { askAll, chain, loose, oracle, sameEach, web } from './support/middleware.js';
import type { Web } from './support/middleware.js';

/** `web.static`: serves files with the redirects and options of 3.x. */
describe('web.static', () => {
  type Options = Parameters<Web['static']>[1];
  const serving = (options?: Options) => (web: Web) => [web.static(at(''), options) as never];

  test('files: existing, missing, and paths outside the directory are handled alike', async () => {
    const answers = await sameEach(serving(), [
      ...['/todo.txt', '/nested/', '/nope', '/../x', '/%2e%2e/x', '/%', '/%00', '/.hidden', '/.dir/'],
      { method: 'HEAD', path: '/todo.txt' },
      { method: 'POST', path: '/todo.txt' },
      { path: '/todo.txt', headers: { Range: 'bytes=1-2' } },
    ]);
    assert.equal(answers[0]!.status, 200);
    assert.equal(answers[11]!.status, 206);
  });

  test('redirect: sends 303 to the path with a slash, with a page without links', async () => {
    const differences = { body: true, fields: ['content-security-policy'] };
    const [answer] = await sameEach(serving(), ['/nested', '/nested?a=b', '/users'], differences);
    assert.equal(answer!.status, 303);
    assert.equal(answer!.headers.location, '/nested/');
    assert.equal(answer!.headers['content-security-policy'], "default-src 'none'");
    assert.doesNotMatch(answer!.text, /href/);
  });

  test('spellings: an alternative spelling of an existing path is redirected to it with 303', async () => {
    for (const [path, location] of [
      ['//todo.txt', '/todo.txt'],
      ['/n%65sted//', '/nested/'],
    ] as const) {
      const answer = await ask(chain(web.static(at('')) as never), path);
      assert.deepEqual([answer.status, answer.headers.location], [303, location]);
    }
  });

  test('redirect: false passes directories on', async () => {
    const [answer] = await sameEach(serving({ redirect: false }), ['/nested', '/nested/']);
    assert.equal(answer!.status, 404);
  });

  test('hidden: true serves dotfiles', async () => {
    const options = { hidden: true } as Options;
    const [answer] = await sameEach(serving(options), ['/.hidden', '/.dir/file.txt']);
    assert.equal(answer!.status, 200);
  });

  test('index: takes another name, or false for none', async () => {
    await sameEach(serving({ index: 'index.htm' }), ['/', '/nested/']);
    await sameEach(serving({ index: false }), ['/nested/']);
  });

  test('maxAge: takes milliseconds or a string', async () => {
    for (const maxAge of [0, 5000, 86_400_000, '1d', Infinity])
      await sameEach(serving({ maxAge }), ['/todo.txt']);
  });

  test('mime: is the table of media types', () => {
    assert.equal(web.static.mime.lookup('a.txt'), 'text/plain');
  });

  test('root: must be a string', () => {
    assert.throws(() => loose(web.static)(), { name: 'TypeError', message: 'root path required' });
    assert.throws(() => loose(web.static)(1), { name: 'TypeError', message: 'root path must be a string' });
  });
});

/** `web.staticCache`: sets `X-Cache` and otherwise only warns that it is deprecated. */
describe('web.staticCache', () => {
  test('X-Cache: says that the response is not from a cache, as in 3.21', async () => {
    const answers = await sameEach(
      web => [web.staticCache(), web.static(at('')) as never],
      [
        '/todo.txt',
        '/todo.txt',
        '/nope',
        { method: 'HEAD', path: '/todo.txt' },
        { method: 'POST', path: '/todo.txt' },
        { path: '/todo.txt', headers: { Range: 'bytes=0-1' } },
      ],
    );
    const fields = answers.map(answer => answer.headers['x-cache']);
    assert.deepEqual(fields, ['MISS', 'MISS', 'MISS', 'MISS', undefined, undefined]);
  });
});

/** A newer version of the package sends this header. */
const NOSNIFF = { fields: ['x-content-type-options'] };
const names = (text: string) => (JSON.parse(text) as string[]).sort();

/** `web.directory`: lists directories as HTML, JSON or text, and never lists anything outside the root. */
describe('web.directory', () => {
  type Options = Parameters<Web['directory']>[1];
  const listing = (options?: Options) => (web: Web) => [web.directory(at(''), options)];
  const accepting = (type: string, path = '/') => ({ path, headers: { Accept: type } });

  test('JSON and text: list the names', async () => {
    const [json, text] = await askAll(listing()(web), [
      accepting('application/json'),
      accepting('text/plain'),
    ]);
    const expected = fs
      .readdirSync(at(''))
      .filter(name => !name.startsWith('.'))
      .sort();
    assert.deepEqual(names(json!.text), expected);
    assert.equal(json!.headers['content-type'], 'application/json; charset=utf-8');
    assert.deepEqual(text!.text.trimEnd().split('\n').sort(), expected);
    await sameEach(listing(), [accepting('application/json', '/nested/')], NOSNIFF);
    await sameEach(listing(), [accepting('text/plain', '/users/')], NOSNIFF);
  });

  test('HTML: is the default, with the names as links', async () => {
    const [answer, head] = await sameEach(listing(), [{}, { method: 'HEAD' }], { ...NOSNIFF, body: true });
    assert.equal(answer!.headers['content-type'], 'text/html; charset=utf-8');
    assert.match(answer!.text, /<a href="\/todo\.txt"/);
    assert.equal(head!.body.length, 0);
  });

  test('hidden: lists dotfiles if true', async () => {
    const [shown] = await askAll(listing({ hidden: true })(web), [accepting('application/json')]);
    assert.ok(names(shown!.text).includes('.hidden'));
    const [not] = await askAll(listing()(web), [accepting('application/json')]);
    assert.ok(!names(not!.text).includes('.hidden'));
  });

  test('icons: are shown if true', async () => {
    const page = async (icons: boolean) => (await askAll(listing({ icons })(web), [{}]))[0]!.text;
    assert.match(await page(true), /class="icon/);
    assert.doesNotMatch(await page(false), /class="icon/);
  });

  test('filter: decides which names are listed', async () => {
    const [answer] = await sameEach(
      listing({ filter: name => name === 'todo.txt' }),
      [accepting('application/json')],
      NOSNIFF,
    );
    assert.equal(answer!.text, '["todo.txt"]');
  });

  test('unsupported types: send 406', async () => {
    const [answer] = await sameEach(listing(), [accepting('image/png')]);
    assert.equal(answer!.status, 406);
  });

  test('paths: files and missing paths are passed on; paths outside the directory are rejected', async () => {
    const answers = await sameEach(listing(), ['/todo.txt', '/nope', '/../x', '/%2e%2e/', '/%00']);
    assert.deepEqual(each(answers, 'status'), [404, 404, 403, 403, 400]);
    const [malformed] = await askAll(listing()(web), ['/%']);
    assert.equal(malformed!.status, 400);
  });

  test('methods: are GET, HEAD and OPTIONS', async () => {
    const answers = await sameEach(listing(), [{ method: 'OPTIONS' }, { method: 'POST' }]);
    assert.deepEqual(each(answers, 'status'), [200, 405]);
  });

  test('html, json, plain: can be replaced', async t => {
    t.mock.method(web.directory, 'json', (_req: unknown, res: { end(text: string): void }) =>
      res.end('mine'),
    );
    const [answer] = await askAll(listing()(web), [accepting('application/json')]);
    assert.equal(answer!.text, 'mine');
  });

  test('root: is required', () => {
    assert.throws(() => loose(web.directory)(), /^TypeError: .*root path required/);
  });
});

const ICON = Buffer.from('an icon');

/** The tag is computed with another digest. */
const TAG = { fields: ['etag'] };

/** `web.favicon`: sends an icon from memory, with caching headers. */
describe('web.favicon', () => {
  test('icon: sends its bytes, cacheable for a year', async () => {
    const [answer] = await sameEach(web => [web.favicon(ICON)], ['/favicon.ico', '/favicon.ico?x=1'], TAG);
    assert.equal(answer!.text, 'an icon');
    assert.equal(answer!.headers['cache-control'], 'public, max-age=31536000');
    assert.match(answer!.headers.etag!, /^"7-[\w+/]{27}"$/);
  });

  test('path: is read immediately', async () => {
    const [answer] = await sameEach(web => [web.favicon(at('todo.txt'))], ['/favicon.ico'], TAG);
    assert.equal(answer!.headers['content-type'], 'image/x-icon');
    for (const { favicon } of [web, oracle]) {
      assert.throws(() => favicon(at('nope.ico')), { code: 'ENOENT' });
      assert.throws(() => favicon(at('')), { code: 'EISDIR' });
    }
  });

  test('conditional: sends 304 to a client that has the icon', async () => {
    const links = [web.favicon(ICON)];
    const [first] = await askAll(links, ['/favicon.ico']);
    const [second] = await askAll(links, [
      { path: '/favicon.ico', headers: { 'If-None-Match': first!.headers.etag! } },
    ]);
    assert.equal(second!.status, 304);
    assert.equal(second!.body.length, 0);
    assert.equal(second!.headers.etag, first!.headers.etag);
  });

  test('methods: HEAD has no body, OPTIONS lists the methods, others get 405', async () => {
    const requests = ['HEAD', 'OPTIONS', 'POST', 'DELETE'].map(method => ({ method, path: '/favicon.ico' }));
    const answers = await sameEach(web => [web.favicon(ICON)], requests, TAG);
    assert.deepEqual(
      answers.map(answer => [answer.status, answer.body.length]),
      [
        [200, 0],
        [200, 0],
        [405, 0],
        [405, 0],
      ],
    );
    assert.equal(answers[2]!.headers.allow, 'GET, HEAD, OPTIONS');
  });

  test('other paths: are passed on', async () => {
    await sameEach(
      web => [web.favicon(ICON)],
      ['/', '/favicon.ico/', '/a/favicon.ico', '/favicon.icon', '/FAVICON.ICO'],
    );
  });

  test('maxAge: takes milliseconds or a string, at most a year', async () => {
    for (const maxAge of [1500, '1 day', 0, 1e15]) {
      await sameEach(web => [web.favicon(ICON, { maxAge })], ['/favicon.ico'], TAG);
    }
    assert.throws(() => web.favicon(ICON, { maxAge: 'soon' }), /^TypeError: favicon\(\) takes a maxAge/);
    assert.throws(() => web.favicon(ICON, { maxAge: NaN }), /^TypeError: favicon\(\) takes a maxAge/);
  });

  test('default: is a small icon', async () => {
    const [answer] = await askAll([web.favicon()], ['/favicon.ico']);
    assert.equal(answer!.body.readUInt16LE(2), 1);
    assert.ok(answer!.body.length < 500);
  });

  test('wrong arguments: throw', () => {
    for (const icon of [1, {}, true]) {
      assert.throws(
        () => loose(web.favicon)(icon),
        /^TypeError: favicon\(\): expected the path of an icon or its content/,
      );
    }
  });
});

const sending =
  (type: string, length: number): Handler =>
  (_req, res) => {
    res.setHeader('Content-Type', type);
    res.end('x'.repeat(length));
  };

/** `web.compress`: which responses are compressed, and with which content coding. */
describe('web.compress', () => {
  const accepting = (codings: string, method = 'GET') => ({
    method,
    headers: { 'Accept-Encoding': codings },
  });

  test('codings: are gzip, deflate and none', async () => {
    const requests = ['gzip', 'deflate', 'identity', '', 'gzip;q=0', 'x'].map(one => accepting(one));
    const answers = await sameEach(web => [web.compress(), sending('text/plain', 2000)], requests);
    assert.equal(zlib.gunzipSync(answers[0]!.body).length, 2000);
    assert.equal(zlib.inflateSync(answers[1]!.body).length, 2000);
    assert.equal(answers[2]!.headers['content-encoding'], undefined);
    for (const answer of answers) assert.equal(answer.headers.vary, 'Accept-Encoding');
  });

  test('codings: br is used if the client accepts it (Express 3 has no br)', async () => {
    const [answer] = await askAll(
      [web.compress(), sending('text/plain', 2000)],
      [accepting('gzip, deflate, br')],
    );
    assert.equal(answer!.headers['content-encoding'], 'br');
    assert.equal(zlib.brotliDecompressSync(answer!.body).length, 2000);
  });

  test('threshold: is 1 KiB, or the value of the option', async () => {
    await sameEach(web => [web.compress(), sending('text/plain', 1023)], [accepting('gzip')]);
    await sameEach(web => [web.compress(), sending('text/plain', 1024)], [accepting('gzip')]);
    for (const threshold of [0, 10, '1kb']) {
      await sameEach(web => [web.compress({ threshold }), sending('text/plain', 10)], [accepting('gzip')]);
    }
  });

  test('types: incompressible types are sent unchanged', async () => {
    for (const type of ['image/png', 'application/json', 'application/octet-stream', 'image/svg+xml']) {
      await sameEach(web => [web.compress(), sending(type, 2000)], [accepting('gzip')]);
    }
  });

  test('filter: decides what is compressed; the default filter is a member', async () => {
    const build = (allowed: boolean) => (one: typeof web) => [
      one.compress({ filter: (req, res) => allowed && !one.compress.filter(req, res) }),
      sending('image/png', 2000),
    ];
    const [compressed] = await sameEach(build(true), [accepting('gzip')]);
    assert.equal(compressed!.headers['content-encoding'], 'gzip');
    const [plain] = await sameEach(build(false), [accepting('gzip')]);
    assert.equal(plain!.headers['content-encoding'], undefined);
  });

  test('HEAD and no-transform: are not compressed', async () => {
    await sameEach(web => [web.compress(), sending('text/plain', 2000)], [accepting('gzip', 'HEAD')]);
    const fixed: Handler = (req, res, next) => {
      res.setHeader('Cache-Control', 'no-transform');
      sending('text/plain', 2000)(req, res, next);
    };
    const [answer] = await askAll([web.compress(), fixed], [accepting('gzip')]);
    assert.equal(answer!.headers['content-encoding'], undefined);
  });

  test('CVE-2026-87776: the encoder of an aborted response is closed', async t => {
    const encoders = new Set<Readable>();
    const { prototype } = zlib.createGzip().constructor as unknown as { prototype: Readable };
    const on = Readable.prototype.on as (...args: unknown[]) => Readable;
    t.mock.method(prototype, 'on', function (this: Readable, ...args: unknown[]) {
      encoders.add(this);
      return on.apply(this, args);
    });
    const closed: Promise<unknown>[] = [];
    const endless: Handler = (_req, res) => {
      res.setHeader('Content-Type', 'text/plain');
      const timer = setInterval(() => res.write('x'.repeat(100_000) + String(Math.random())), 1);
      res.on('close', () => clearInterval(timer));
      closed.push(once(res, 'close'));
    };
    const server = http.createServer(chain(web.compress(), endless)).listen(0, '127.0.0.1');
    const port = await portOf(server);
    const client = net.connect(port, '127.0.0.1', () => {
      client.write('GET / HTTP/1.1\r\nHost: x\r\nAccept-Encoding: gzip\r\n\r\n');
    });
    await once(client, 'data');
    client.destroy();
    await Promise.all(closed);
    server.close();
    assert.equal(encoders.size, 1);
    const [encoder] = encoders;
    if (!encoder!.closed) await once(encoder!, 'close');
    assert.ok(encoder!.destroyed);
  });
});
