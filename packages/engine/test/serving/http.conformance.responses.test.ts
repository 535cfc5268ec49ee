// runs: http1, each
/** The setting `strict http`: how it changes responses. */
import assert from 'node:assert/strict';
import path from 'node:path';
import { describe, test } from 'node:test';
import type { RequestHandler } from 'express';
import web from 'ristretto';
import { strict } from '../support/conformance/application.js';
import { ask, askPort, exchange, withServer } from '../support/http.js';

describe('setting strict http, responses', () => {
  const head = async (
    handler: RequestHandler,
    request: Parameters<typeof ask>[1] = {},
  ): Promise<string[]> => {
    const { status, rawHeaders } = await ask(strict(handler), request);
    const kept = rawHeaders.filter(([name]) => !/^(?:x-powered-by|date|connection|keep-alive)$/i.test(name));
    return [String(status), ...kept.map(field => field.join(': '))];
  };

  test('writeHead: accepts headers in every form that Node accepts', async () => {
    assert.deepEqual(
      await head(
        (_req, res) => void res.writeHead(204, { 'Content-Length': '4', A: 'b', C: undefined }).end(),
      ),
      ['204', 'A: b'],
    );
    const flat = ['A', 'b', 'A', 'c', 'Content-Length', '0'];
    assert.deepEqual(await head((_req, res) => void res.writeHead(205, 'Reset', flat).end('x')), [
      '205',
      'A: b',
      'A: c',
      'Content-Length: 0',
    ]);
    const nested = [['A', ['b', 'c']]] as never;
    assert.deepEqual(await head((_req, res) => void res.writeHead(204, nested).end()), [
      '204',
      'A: b',
      'A: c',
    ]);
    const { reason } = await ask(strict((_req, res) => void res.writeHead(200, 'Fine').end()));
    assert.equal(reason, 'Fine');
  });
  test('writeHead: a second call throws the error of Node', async () => {
    const app = strict((_req, res) => {
      res.write('x');
      assert.throws(() => res.writeHead(204, { A: 'b' }), { code: 'ERR_HTTP_HEADERS_SENT' });
      res.end();
    });
    assert.equal((await ask(app)).text, 'x');
  });
  test('status: rejects a status that is not final', async () => {
    for (const status of [100, 102, 199, 600, 999]) {
      const { status: seen, text } = await ask(strict((_req, res) => void res.status(status).send('x')));
      assert.equal(seen, 500);
      assert.match(text, new RegExp(`strict http: ${status} is not the status of a final response`));
    }
  });
  test('304: sends only one validator if two are set', async () => {
    const modified = 'Sun, 13 Sep 2020 12:26:40 GMT';
    const answering: RequestHandler = (_req, res) =>
      void res.set({ ETag: '"a"', 'Last-Modified': modified }).send('x');
    const request = { headers: { 'If-None-Match': '"a"' } };
    assert.deepEqual(await head(answering, request), ['304', 'ETag: "a"']);
    const dated: RequestHandler = (_req, res) => void res.status(304).set('Last-Modified', modified).end();
    assert.deepEqual(await head(dated, request), ['304', `Last-Modified: ${modified}`]);
  });
  test('Content-Length: matches the actual content', async () => {
    const sending =
      (content: unknown, encoding?: BufferEncoding): RequestHandler =>
      (_req, res) =>
        void res.set('Content-Length', '99').end(content, encoding as never);
    for (const handler of [sending('é'), sending(Buffer.from('é')), sending('c3a9', 'hex')]) {
      assert.deepEqual(await head(handler), ['200', 'Content-Length: 2']);
    }
    const silent: RequestHandler = (_req, res) => void res.set('Content-Length', '99').end(() => undefined);
    assert.deepEqual(await head(silent, { method: 'HEAD' }), ['200', 'Content-Length: 99']);
  });
  test('Transfer-Encoding: is not sent to HTTP/1.0, or with a length', async () => {
    const handler: RequestHandler = (_req, res) =>
      void res.set({ 'Transfer-Encoding': 'chunked', 'Content-Length': '1' }).end('x');
    assert.deepEqual(await head(handler), ['200', 'Transfer-Encoding: chunked']);
    const old = await withServer(strict(handler), port => exchange(port, 'GET / HTTP/1.0\r\n\r\n'));
    assert.deepEqual([old.headers['transfer-encoding'], old.text], [undefined, 'x']);
  });
  test('Upgrade: is named in Connection', async () => {
    const connection = async (fields: Record<string, string>, keep: string): Promise<string | undefined> =>
      (
        await ask(
          strict((_req, res) => void res.status(426).set(fields).end()),
          { headers: { Connection: keep } },
        )
      ).headers.connection;
    assert.equal(await connection({ Upgrade: 'cup' }, 'close'), 'Upgrade, close');
    assert.equal(
      await connection({ Upgrade: 'cup', Connection: 'close, upgrade' }, 'close'),
      'close, upgrade',
    );
    await withServer(
      strict((_req, res) => void res.status(426).set('Upgrade', 'cup').end()),
      async port => {
        const kept = await exchange(
          port,
          'GET / HTTP/1.1\r\nHost: a\r\n\r\nGET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n',
        );
        assert.equal(kept.headers.connection, 'Upgrade');
      },
    );
  });
  test('Location: contains only characters of a URI, and keeps the same host', async () => {
    const location = async (target: string): Promise<string | undefined> =>
      (await ask(strict((_req, res) => void res.redirect(target)))).headers.location;
    assert.equal(await location('/^|[a]\\'), '/%5E%7C%5Ba%5D%5C');
    assert.equal(await location('http://[::1]:80/[a]'), 'http://[::1]:80/%5Ba%5D');
    assert.equal(await location('http://google.com\\@apple.com'), 'http://google.com/@apple.com');
    assert.equal(await location('/\\evil.example'), '/%5Cevil.example');
    assert.deepEqual(
      await head((_req, res) => void res.status(302).set('Location', '/a').end()),
      ['302', 'Location: /a', 'Transfer-Encoding: chunked']
        .filter(line => !line.startsWith('Transfer'))
        .concat('Content-Length: 0'),
    );
  });
  test('Date: is always sent', async () => {
    const app = strict((_req, res) => {
      res.sendDate = false;
      res.end();
    });
    assert.ok((await ask(app)).headers.date);
  });
  test('HEAD: omits the length of a page that names the method, and sends the correct one otherwise', async () => {
    assert.equal(
      (
        await ask(
          strict((_req, _res, next) => next()),
          { method: 'HEAD' },
        )
      ).headers['content-length'],
      undefined,
    );
    assert.equal(
      (
        await ask(
          strict((_req, res) => void res.send('four')),
          { method: 'HEAD' },
        )
      ).headers['content-length'],
      '4',
    );
  });
  test('files: weak tags and later dates do not match', async () => {
    const files = strict(web.static(path.join(__dirname, '../fixtures/conformance')) as never);
    await withServer(files, async port => {
      const { headers } = await askPort(port, '/a.txt');
      const status = async (fields: Record<string, string>): Promise<number> =>
        (await askPort(port, { path: '/a.txt', headers: fields })).status;
      const [tag, date] = [headers.etag!, headers['last-modified']!];
      assert.equal(await status({ 'If-Match': tag }), 412);
      assert.equal(await status({ 'If-Match': '*' }), 200);
      assert.equal(await status({ Range: 'bytes=0-0', 'If-Range': tag }), 200);
      assert.equal(await status({ Range: 'bytes=0-0', 'If-Range': date }), 206);
    });
    const strong = strict(
      web.static(path.join(__dirname, '../fixtures/conformance'), {
        setHeaders: res => void res.setHeader('ETag', '"a"'),
      }) as never,
    );
    await withServer(strong, async port => {
      const status = async (fields: Record<string, string>): Promise<number> =>
        (await askPort(port, { path: '/a.txt', headers: fields })).status;
      assert.equal(await status({ 'If-Match': '"b", "a"' }), 200);
      assert.equal(await status({ Range: 'bytes=0-0', 'If-Range': '"a"' }), 206);
    });
  });
});
