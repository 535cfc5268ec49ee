/** The default error and 404 pages: those of connect 2, made safe. */
import assert from 'node:assert/strict';
import http, { STATUS_CODES } from 'node:http';
import path from 'node:path';
import { describe, test } from 'node:test';
import { askPort, exchangeRaw, withServer } from '../../engine/test/support/http.js';
import { answering, frameworks, on, ours, quiet, same, serves } from './support/oracle.js';
import type { Build } from './support/oracle.js';
import type { RequestHandler } from 'ristretto3/lib/types/core';

const { ristretto3: web } = frameworks;

const using =
  (handler: RequestHandler): Build =>
  framework =>
    framework().use(on(handler));

const failing = (error: unknown, status?: number): Build =>
  using((_req, res, next) => {
    if (status !== undefined) res.statusCode = status;
    next(error);
  });

/** Passes the request on after setting headers. */
const setting = (headers: Record<string, string>): Build =>
  using((_req, res, next) => next(void res.set(headers)));

const errorWith = (fields: object): Error => Object.assign(new Error('broken'), fields);

const UNREADABLE = 'An error that cannot be converted to text\n';

const nothing: Build = framework => framework();

describe('final handler', () => {
  serves('404: sends a page with method and URL', () => undefined, {
    '/a/b?c=d': 404,
    'POST /x': 'Cannot POST /x\n',
    '/a?b': 'Cannot GET /a?b\n',
    'HEAD /a': '',
  });

  test('404: a Trailer header does not stop the page, which is sent without it', async () => {
    const { status, headers } = await ours(setting({ Trailer: 'X-Checksum' }));
    assert.deepEqual([status, headers.trailer], [404, undefined]);
  });

  test('404: escapes markup and sends a policy that allows nothing (CVE-2014-6393)', async () => {
    const answer = await same(nothing, '/<script>"\'&');
    assert.equal(answer.text, 'Cannot GET /&lt;script&gt;&quot;&#39;&amp;\n');
    assert.equal(answer.headers['content-security-policy'], "default-src 'none'");
    assert.equal(answer.headers['x-content-type-options'], 'nosniff');
    assert.equal(answer.headers['content-type'], 'text/html; charset=utf-8');
  });

  test('404: keeps headers that were set, except ones that describe a body', async () => {
    assert.equal((await same(setting({ 'X-Kept': 'yes' }))).headers['x-kept'], 'yes');
    const body = { 'Content-Encoding': 'gzip', 'Content-Range': 'bytes 0-1/2', 'Content-Language': 'de' };
    const { headers } = await ours(setting(body));
    for (const name of Object.keys(body)) assert.ok(!(name.toLowerCase() in headers), name);
  });

  serves('404: includes the mount path in the URL', (app, web) => app.use('/a', web()), {
    '/a/b': 'Cannot GET /a/b\n',
  });

  test('error: uses the status of the error, then of the response, then 500', async () => {
    for (const [fields, of, sent] of [
      [{ status: 418 }, undefined, 418],
      [{ statusCode: 422 }, undefined, 422],
      [{ status: 200 }, undefined, 500],
      [{}, undefined, 500],
      [{}, 403, 403],
      [{}, 204, 500],
      [{ status: 200, statusCode: 404 }, undefined, 500],
      [{ status: 0, statusCode: 404 }, undefined, 404],
      [{ status: 200 }, 403, 500],
    ] as const) {
      assert.equal((await same(failing(errorWith(fields), of))).status, sent, JSON.stringify([fields, of]));
    }
    for (const [status, sent] of [
      ['404', 404],
      [404.5, 404],
      [Number.NaN, 500],
      [99, 500],
      [true, 500],
      [[404], 404],
    ] as const) {
      assert.equal((await same(failing(errorWith({ status })))).status, sent, String(status));
      assert.equal((await same(failing(errorWith({ statusCode: status })))).status, sent, String(status));
    }
  });

  test('error: an invalid HTTP status becomes 500; Express 3 sends it or crashes the process', async () => {
    for (const status of ['abc', 600, 999, 1000, Infinity, Symbol('404')]) {
      const { status: sent } = await ours(failing(errorWith({ status })));
      assert.equal(sent, 500, String(status));
    }
  });

  test('error logger: gets the error, and nothing is written to standard error', async () => {
    const entries: unknown[] = [];
    const app = failing(new Error('failed'))(web);
    app.set(
      'error logger',
      ({ message, error, req }: { message: string; error?: unknown; req?: { url: string } }) => {
        entries.push([message, String(error), req?.url]);
      },
    );
    const page = await withServer(app, port => askPort(port));
    assert.equal(page.status, 500);
    assert.deepEqual(entries, [['unhandled request error', 'Error: failed', '/']]);
  });

  test('error: an unreadable error is sent with its status, in every environment', async t => {
    const throwing = (name: string, from: object): object =>
      Object.defineProperty(from, name, {
        get() {
          throw new Error('getter');
        },
      });
    const log = t.mock.method(console, 'error', () => undefined);
    for (const [error, status, text] of [
      [Object.assign(Object.create(null), { status: 404 }), 404, UNREADABLE],
      [Object.assign(Object.create(null), { statusCode: 404 }), 404, UNREADABLE],
      [Object.create(null), 500, UNREADABLE],
      [throwing('stack', new Error('broken')), 500, 'Error: broken\n'],
      [throwing('stack', Object.assign(new Error('broken'), { status: 404 })), 404, 'Error: broken\n'],
      [throwing('status', Object.assign(new Error('x'), { stack: 'kept' })), 500, 'kept\n'],
      [throwing('toString', { status: 403 }), 403, UNREADABLE],
      [{ status: 404, stack: Object.create(null) }, 404, UNREADABLE],
    ] as const) {
      for (const env of ['development', 'production', 'test']) {
        const app = failing(error)(web).set('env', env);
        const page = await withServer(app, port => askPort(port));
        assert.equal(page.status, status);
        assert.equal(page.text, env === 'production' ? `${STATUS_CODES[status]}\n` : text);
      }
    }
    const lines = log.mock.calls.flatMap(call => call.arguments as unknown[]);
    assert.equal(lines.length, 16);
    assert.ok(lines.every(line => typeof line === 'string'));
  });

  test('error: 416 keeps Content-Range, and every other status removes it', async () => {
    const ranged = (status: number): Build =>
      using((_req, res, next) => {
        res.set('Content-Range', 'bytes */10');
        next(errorWith({ status }));
      });
    const asked = { headers: { Range: 'bytes=99999999-' } };
    assert.equal((await same(ranged(416), asked)).headers['content-range'], 'bytes */10');
    assert.equal((await ours(ranged(500))).headers['content-range'], undefined);
    const sent = answering((_req, res) => res.sendfile(__filename));
    assert.match((await same(sent, asked)).headers['content-range']!, /^bytes \*\/\d+$/);
    const file: Build = framework => framework().use(framework.static(path.dirname(__filename)));
    const page = await same(file, { ...asked, path: `/${path.basename(__filename)}` });
    assert.equal(page.status, 416);
    assert.match(page.headers['content-range']!, /^bytes \*\/\d+$/);
  });

  test('error: sends an escaped stack outside production', async () => {
    const { text } = await same(failing(new Error('<b>\n  x')));
    assert.match(text, /^Error: &lt;b&gt;<br> &nbsp;x<br> &nbsp; &nbsp;at /);
    assert.equal((await same(failing('text <b>'))).text, 'text &lt;b&gt;\n');
    assert.equal((await same(failing({ no: 'stack' }))).text, '[object Object]\n');
    assert.equal((await same(failing(5))).text, '5\n');
  });

  test('error: sends no details in production', async t => {
    const log = t.mock.method(console, 'error', () => undefined);
    for (const [status, text] of [
      [undefined, 'Internal Server Error\n'],
      [404, 'Not Found\n'],
      [499, '499\n'],
    ] as const) {
      const app = failing(Object.assign(new Error('secret'), { status }))(web).set('env', 'production');
      const answer = await withServer(app, port => askPort(port));
      assert.equal(answer.text, text);
    }
    assert.match(String(log.mock.calls[0]!.arguments), /^Error: secret\n +at/);
  });

  test('error after the header: closes the connection, not the process, even if it is unreadable', async () => {
    for (const error of [new Error('late'), Object.create(null)]) {
      const app = using((_req, res, next) => {
        res.write('half');
        next(error);
      })(web);
      const bytes = await withServer(quiet(app), port =>
        exchangeRaw(port, 'GET / HTTP/1.1\r\nHost: a\r\n\r\n'),
      );
      assert.ok(!bytes.toString().endsWith('0\r\n\r\n'));
    }
  });

  test('body: is read to its end first, so that the connection can be reused', async () => {
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

  test('body: a response sent while it is being read is kept', async () => {
    const build = using((_req, res, next) => {
      next();
      res.end('in time');
    });
    const answer = await ours(build, { method: 'POST', body: 'abc' });
    assert.equal(answer.text, 'in time');
  });

  test('done: an application inside a server function sends no final response itself', async () => {
    for (const [app, left] of [
      [web(), 'left: undefined'],
      [failing('oops')(web), 'left: oops'],
    ] as const) {
      const server = http.createServer((req, res) => app(req, res, err => res.end(`left: ${String(err)}`)));
      assert.equal((await withServer(server, port => askPort(port))).text, left);
    }
  });
});
