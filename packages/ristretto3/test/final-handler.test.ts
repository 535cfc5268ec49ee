/** The pages for what nothing handled: those of connect 2, made safe. */
import assert from 'node:assert/strict';
import http from 'node:http';
import { describe, test } from 'node:test';
import { askPort, exchangeRaw, withServer } from '../../ristretto/test/support/http.js';
import { frameworks, ours, quiet, same } from './support/oracle.js';
import type { Build } from './support/oracle.js';
import type legacy from 'ristretto3';

const { ristretto3: web } = frameworks;

const failing =
  (error: unknown, status?: number): Build =>
  framework =>
    framework().use((_req: legacy.Request, res: legacy.Response, next: legacy.NextFunction) => {
      if (status !== undefined) res.statusCode = status;
      next(error);
    });

const nothing: Build = framework => framework();

describe('final handler', () => {
  test('404: a page with method and URL', async () => {
    for (const request of ['/', '/a/b?c=d', { method: 'POST', path: '/x', body: 'a=1' }]) {
      assert.equal((await same(nothing, request)).status, 404);
    }
    assert.equal((await same(nothing, '/a?b')).text, 'Cannot GET /a?b\n');
    assert.equal((await same(nothing, { method: 'HEAD', path: '/a' })).text, '');
  });

  test('404: markup is escaped, and the page allows nothing (CVE-2014-6393)', async () => {
    const answer = await same(nothing, '/<script>"\'&');
    assert.equal(answer.text, 'Cannot GET /&lt;script&gt;&quot;&#39;&amp;\n');
    assert.equal(answer.headers['content-security-policy'], "default-src 'none'");
    assert.equal(answer.headers['x-content-type-options'], 'nosniff');
    assert.equal(answer.headers['content-type'], 'text/html; charset=utf-8');
  });

  test('404: fields that were set stay, but for those that describe a body', async () => {
    const build: Build = framework =>
      framework().use((_req: legacy.Request, res: legacy.Response, next: legacy.NextFunction) => {
        res.set('X-Kept', 'yes');
        next();
      });
    assert.equal((await same(build)).headers['x-kept'], 'yes');
    const encoded: Build = framework =>
      framework().use((_req: legacy.Request, res: legacy.Response, next: legacy.NextFunction) => {
        res.set({ 'Content-Encoding': 'gzip', 'Content-Range': 'bytes 0-1/2', 'Content-Language': 'de' });
        next();
      });
    const { headers } = await ours(encoded);
    for (const name of ['content-encoding', 'content-range', 'content-language'])
      assert.ok(!(name in headers));
  });

  test('404: the mount path is part of the URL', async () => {
    assert.equal((await same(w => w().use('/a', w()), '/a/b')).text, 'Cannot GET /a/b\n');
  });

  test('error: status of the error, else of the response, else 500', async () => {
    const error = (fields: object) => Object.assign(new Error('broken'), fields);
    for (const [build, status] of [
      [failing(error({ status: 418 })), 418],
      [failing(error({ statusCode: 422 })), 422],
      [failing(error({ status: 200 })), 500],
      [failing(error({})), 500],
      [failing(error({}), 403), 403],
      [failing(error({}), 204), 500],
    ] as const) {
      assert.equal((await same(build)).status, status);
    }
    // Express 3 does not look at the second where the first is no error's
    assert.equal((await ours(failing(error({ status: 200, statusCode: 404 })))).status, 404);
    for (const bad of [Number.NaN, 99, 1000, 400.5, '404']) {
      assert.equal((await ours(failing(error({ status: bad })))).status, 500);
    }
  });

  test('error: a stack outside production, escaped', async () => {
    const { text } = await same(failing(new Error('<b>\n  x')));
    assert.match(text, /^Error: &lt;b&gt;<br> &nbsp;x<br> &nbsp; &nbsp;at /);
    assert.equal((await same(failing('text <b>'))).text, 'text &lt;b&gt;\n');
    assert.equal((await same(failing({ no: 'stack' }))).text, '[object Object]\n');
    assert.equal((await same(failing(5))).text, '5\n');
  });

  test('error: nothing of it in production', async () => {
    const log = console.error;
    const logged: unknown[] = [];
    console.error = (...args) => void logged.push(...args);
    try {
      for (const [status, text] of [
        [undefined, 'Internal Server Error\n'],
        [404, 'Not Found\n'],
        [499, '499\n'],
      ] as const) {
        const app = failing(Object.assign(new Error('secret'), { status }))(web).set('env', 'production');
        const answer = await withServer(app, port => askPort(port));
        assert.equal(answer.text, text);
      }
    } finally {
      console.error = log;
    }
    assert.match(String(logged[0]), /^Error: secret\n +at/);
  });

  test('error after the header: the connection is cut', async () => {
    const app = quiet(
      web().use((_req: legacy.Request, res: legacy.Response, next: legacy.NextFunction) => {
        res.write('half');
        next(new Error('late'));
      }),
    );
    const bytes = await withServer(app, port => exchangeRaw(port, 'GET / HTTP/1.1\r\nHost: a\r\n\r\n'));
    assert.ok(!bytes.toString().endsWith('0\r\n\r\n'));
  });

  test('body: is read to its end first, so that the connection can be used again', async () => {
    const bytes = await withServer(quiet(nothing(web)), port =>
      exchangeRaw(
        port,
        `POST /a HTTP/1.1\r\nHost: a\r\nContent-Length: 100000\r\n\r\n${'x'.repeat(100_000)}` +
          'GET /b HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n',
      ),
    );
    const pages = bytes.toString().match(/Cannot \w+ \/\w/g);
    assert.deepEqual(pages, ['Cannot POST /a', 'Cannot GET /b']);
  });

  test('body: who answers while it is read has answered', async () => {
    const app = quiet(
      web().use((_req: legacy.Request, res: legacy.Response, next: legacy.NextFunction) => {
        next();
        res.end('in time');
      }),
    );
    const answer = await withServer(app, port => askPort(port, { method: 'POST', body: 'abc' }));
    assert.equal(answer.text, 'in time');
  });

  test('done: an application within a server function answers nothing itself', async () => {
    const app = web();
    const server = http.createServer((req, res) => app(req, res, err => res.end(`left: ${String(err)}`)));
    assert.equal((await withServer(server, port => askPort(port))).text, 'left: undefined');
    const broken = failing('oops')(web);
    const other = http.createServer((req, res) => broken(req, res, err => res.end(`left: ${String(err)}`)));
    assert.equal((await withServer(other, port => askPort(port))).text, 'left: oops');
  });
});
