/** `res.send`: the type, length, ETag and body that are sent for each type of value. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Response } from 'express';
import { answering, loose, sameEach, sameNotices } from '../../support/compare.js';
import { frameworks, same } from '../../support/oracle.js';
import { ask } from '../../support/http.js';

const LONG = 'é'.repeat(5000);

describe('res.send', () => {
  test('body string: is sent as HTML in UTF-8', async () => {
    const answer = await same(answering((_req, res) => res.send('<p>é</p>')));
    assert.equal(answer.headers['content-type'], 'text/html; charset=utf-8');
    assert.equal(answer.headers['content-length'], '9');
    assert.equal(answer.text, '<p>é</p>');
  });

  test('body string: may have any length', async () => {
    for (const text of [
      '',
      'a',
      'x'.repeat(999),
      'x'.repeat(1000),
      'x'.repeat(1024),
      'x'.repeat(1025),
      LONG,
    ]) {
      await same(answering((_req, res) => res.send(text)));
      await same(answering((_req, res) => res.send(text), { etag: false }));
    }
  });

  test('body string: an existing type is kept, with UTF-8 as its charset', async () => {
    for (const type of [
      'text/plain',
      'text/plain; charset=iso-8859-1',
      'text/html',
      'application/json',
      'image/svg+xml',
      'TEXT/Plain; Foo="b ar"; a=b',
    ]) {
      await same(answering((_req, res) => res.set('Content-Type', type).send('hé')));
    }
  });

  test('body string: a type set as content-type is sent as Content-Type', async () => {
    for (const type of ['text/html; charset=utf-8', 'text/plain', 'application/json; charset=utf-8']) {
      const set = (res: Response) => res.setHeader('content-type', type);
      const answer = await same(answering((_req, res) => set(res).send('x')));
      assert.ok(answer.rawHeaders.some(([name]) => name === 'Content-Type'));
      await same(answering((_req, res) => set(res).json([1])));
      await same(answering((_req, res) => set(res).jsonp([1])));
      await same(answering((_req, res) => set(res).send(null)));
      await same(answering((_req, res) => set(res).send(Buffer.from('x'))));
    }
  });

  test('body string: several responses of the same type are sent as in Express', async () => {
    await sameEach(
      answering((req, res) => res.type(req.url === '/a' ? 'text/plain' : 'text/csv').send(req.url)),
      ['/a', '/a', '/b', '/a', '/b', '/b'],
    );
  });

  test('body string: a malformed Content-Type throws', async () => {
    const answer = await same(answering((_req, res) => res.set('Content-Type', 'nonsense').send('x')));
    assert.equal(answer.text.startsWith('TypeError: invalid media type'), true);
  });

  test('body string: a type set as an array is not changed', async () => {
    await same(
      answering((_req, res) => {
        res.setHeader('Content-Type', ['text/plain']);
        res.send('x');
      }),
    );
  });

  test('body Buffer: is application/octet-stream unless a type is set', async () => {
    const answer = await same(answering((_req, res) => res.send(Buffer.from([1, 2, 255]))));
    assert.equal(answer.headers['content-type'], 'application/octet-stream');
    await same(answering((_req, res) => res.type('png').send(Buffer.from([1, 2, 255]))));
    await same(answering((_req, res) => res.send(Buffer.alloc(0))));
    await same(answering((_req, res) => res.send(Buffer.alloc(3000)), { etag: false }));
  });

  test('body object, array, boolean, number, null: becomes JSON', async () => {
    for (const body of [{ a: 1 }, [1, 'b'], true, false, new Date(0), Object.create(null)]) {
      await same(answering((_req, res) => res.send(body)));
    }
    await same(answering((_req, res) => res.type('txt').send({ a: 1 })));
  });

  test('body null: is empty and has no type', async () => {
    const answer = await same(answering((_req, res) => res.send(null)));
    assert.equal(answer.headers['content-type'], undefined);
    assert.equal(answer.headers['content-length'], '0');
    await same(answering((_req, res) => res.type('text/plain').send(null)));
  });

  test('body undefined or none: sends no length and no ETag', async () => {
    await same(answering((_req, res) => res.send(undefined)));
    const answer = await same(answering((_req, res) => res.send()));
    assert.equal(answer.headers.etag, undefined);
  });

  test('body function, symbol, bigint: throws a TypeError', async () => {
    for (const body of [function named() {}, Symbol('s'), 10n]) {
      const answer = await same(answering((_req, res) => res.send(body)));
      assert.match(
        answer.text,
        /^TypeError: The first argument must be of type string or an instance of Buffer/,
      );
    }
  });

  test('deprecated res.send(status, body): sets the status', async () => {
    const notices = await sameNotices(answering((_req, res) => loose(res).send!(201, 'x')));
    assert.deepEqual(notices, ['res.send(status, body): Use res.status(status).send(body) instead']);
    await same(answering((_req, res) => loose(res).send!(201, 202)));
    await same(answering((_req, res) => loose(res).send!(201, { a: 1 })));
    await same(answering((_req, res) => loose(res).send!(201, undefined)));
  });

  test('deprecated res.send(body, status): sets the status', async () => {
    const notices = await sameNotices(answering((_req, res) => loose(res).send!({ a: 1 }, 201)));
    assert.deepEqual(notices, ['res.send(body, status): Use res.status(status).send(body) instead']);
  });

  test('deprecated res.send(status): sends the reason phrase of the status', async () => {
    const notices = await sameNotices(answering((_req, res) => res.send(404)));
    assert.deepEqual(notices, ['res.send(status): Use res.sendStatus(status) instead']);
    await same(answering((_req, res) => res.send(204)));
    await same(answering((_req, res) => res.send(799)));
    await same(answering((_req, res) => res.type('html').send(404)));
  });

  test('Content-Length: replaces an existing value', async () => {
    await same(answering((_req, res) => res.set('Content-Length', '3').send('x')));
  });

  test('ETag: an existing value is kept, an empty one is replaced', async () => {
    await same(answering((_req, res) => res.set('ETag', '"mine"').send('x')));
    await same(answering((_req, res) => res.set('ETag', '').send('x')));
  });

  test('ETag: is generated for every method and status', async () => {
    for (const method of ['POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS', 'REPORT']) {
      await same(
        answering((_req, res) => res.status(500).send('x')),
        { method },
      );
    }
  });

  test('HEAD: sends the headers of GET and no body', async () => {
    for (const body of ['abc', LONG, { a: 1 }, Buffer.from('abc'), null, undefined]) {
      const answer = await same(
        answering((_req, res) => res.send(body)),
        { method: 'HEAD' },
      );
      assert.equal(answer.body.length, 0);
    }
  });

  test('freshness: sends 304 without a body if If-None-Match matches', async () => {
    const build = answering((_req, res) => res.set('X-Kept', '1').send('abc'));
    const { headers } = await same(build);
    for (const tag of [headers.etag!, headers.etag!.slice(2), '*', `"a", ${headers.etag!}`]) {
      for (const method of ['GET', 'HEAD']) {
        const answer = await same(build, { method, headers: { 'If-None-Match': tag } });
        assert.equal(answer.status, 304);
        assert.equal(answer.headers['content-length'], undefined);
        assert.equal(answer.headers['x-kept'], '1');
        assert.equal(answer.body.length, 0);
      }
    }
  });

  test('freshness: sends no 304 for another ETag, method, status, or Cache-Control: no-cache', async () => {
    const build = answering((req, res) => res.status(Number(req.url.slice(1)) || 200).send('abc'));
    const any = { 'If-None-Match': '*' };
    const answers = await sameEach(build, [
      { headers: { 'If-None-Match': '"other"' } },
      { method: 'POST', headers: any },
      { path: '/404', headers: any },
      { headers: { ...any, 'Cache-Control': 'no-cache' } },
    ]);
    for (const answer of answers) assert.notEqual(answer.status, 304);
    assert.equal((await same(build, { path: '/201', headers: any })).status, 304);
  });

  test('freshness: If-Modified-Since is compared with Last-Modified', async () => {
    const build = answering((_req, res) => res.set('Last-Modified', new Date(0).toUTCString()).send('abc'));
    assert.equal(
      (await same(build, { headers: { 'If-Modified-Since': new Date(1e9).toUTCString() } })).status,
      304,
    );
  });

  test('status 204 and 304: send no body and no headers that describe one', async () => {
    for (const status of [204, 304]) {
      const answer = await same(
        answering((_req, res) => res.status(status).set('Transfer-Encoding', 'chunked').send('abc')),
      );
      assert.equal(answer.headers['content-type'], undefined);
      assert.equal(answer.headers['transfer-encoding'], undefined);
      assert.equal(answer.body.length, 0);
    }
  });

  test('status 205: sends an empty body', async () => {
    const answer = await same(
      answering((_req, res) => res.status(205).set('Transfer-Encoding', 'chunked').send('abc')),
    );
    assert.equal(answer.headers['content-length'], '0');
    assert.equal(answer.body.length, 0);
  });

  test('returns: returns the response', async () => {
    await same(
      answering((_req, res) => {
        const other = res.send('x');
        assert.equal(other, res);
      }),
    );
  });

  test('members replaced by applications: json is called for objects, a patched end gets the body', async () => {
    await same(
      answering((_req, res) => {
        const end = res.end.bind(res) as (chunk: unknown) => typeof res;
        res.end = ((chunk: unknown) => end(String(chunk).toUpperCase())) as typeof res.end;
        res.json = body => res.send(`json ${JSON.stringify(body)}`);
        res.send({ a: 1 });
      }),
    );
  });

  test('sent twice: throws ERR_HTTP_HEADERS_SENT, and nothing of the second response is sent', async () => {
    const seconds: ((res: Response) => unknown)[] = [
      res => res.send('second'),
      res => res.json('second'),
      res => res.sendStatus(500),
      res => void res.redirect('/second'),
      res => res.set('X-Second', '1').end(),
    ];
    for (const framework of Object.values(frameworks)) {
      for (const second of seconds) {
        let code: unknown;
        const answer = await ask(
          answering((_req, res) => {
            res.send('x');
            try {
              second(res);
            } catch (err) {
              code = (err as { code: string }).code;
            }
          })(framework),
        );
        assert.equal(code, 'ERR_HTTP_HEADERS_SENT', second.toString());
        assert.deepEqual([answer.status, answer.text, answer.headers['x-second']], [200, 'x', undefined]);
      }
    }
  });
});
