/** Responses: bodies of all kinds, with the status first or alone. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { inspect } from 'node:util';
import { answering, same } from './support/oracle.js';
import type { Response } from 'ristretto3/lib/types/core';

const sends = (answer: (res: Response) => unknown, request: Parameters<typeof same>[1] = {}) =>
  same(
    answering((_req, res) => void answer(res)),
    request,
  );
type Loose = Record<string, (...args: unknown[]) => unknown>;
const loose = (res: Response): Loose => res as unknown as Loose;

describe('res.send', () => {
  test('body: sends text, bytes, JSON or nothing', async () => {
    for (const body of [
      'hello',
      '',
      Buffer.from('bytes'),
      { a: [1] },
      [1, 2],
      true,
      false,
      null,
      undefined,
    ]) {
      await sends(res => res.send(body));
    }
    assert.equal((await sends(res => loose(res).send!())).text, '');
  });

  test('status, body: takes the status first', async () => {
    for (const body of ['created', { id: 1 }, Buffer.from('x'), null, '']) {
      assert.equal((await sends(res => res.send(201, body))).status, 201);
    }
    await sends(res => res.send(404, 'x'), { method: 'HEAD' });
  });

  test('body, status: takes the arguments in the other order too', async () => {
    for (const body of ['created', { id: 1 }]) {
      assert.equal((await sends(res => loose(res).send!(body, 201))).status, 201);
    }
  });

  test('status alone: sends its text as the body', async () => {
    assert.equal((await sends(res => res.send(404))).text, 'Not Found');
    for (const status of [200, 201, 204, 299, 304, 400, 500]) await sends(res => res.send(status));
  });

  test('status alone: is sent as JSON if that type is set', async () => {
    await sends(res => res.type('json').send(404));
  });

  test('etag: a function gets text with its encoding, and bytes unchanged', async () => {
    const tag = (...args: unknown[]) =>
      `"${Buffer.from(inspect([args.length, ...args]).replace(/\s/g, '')).toString('hex')}"`;
    const seen = async (respond: (res: Response) => unknown, request = '/') => {
      const { headers } = await same(
        answering((_req, res) => void respond(res), { etag: tag, 'json spaces': 0 }),
        request,
      );
      return Buffer.from(headers.etag!.replaceAll('"', ''), 'hex').toString();
    };
    // This tests the tag itself, whose hash the comparison leaves out
    assert.equal(await seen(res => res.send('é')), "[2,'é','utf8']");
    assert.equal(await seen(res => res.send('')), "[2,'','utf8']");
    assert.equal(await seen(res => res.send('x'.repeat(2000))), `[2,'${'x'.repeat(2000)}','utf8']`);
    assert.equal(await seen(res => res.json(['é'])), "[2,'[\"é\"]','utf8']");
    assert.match(await seen(res => res.jsonp(1), '/?callback=f'), /f\(1\);",'utf8'\]$/);
    assert.equal(await seen(res => res.send(Buffer.from('é'))), '[2,<Bufferc3a9>,undefined]');
  });

  test('Content-Type: is kept if set, and text gets a charset', async () => {
    for (const type of ['text/plain', 'html', 'png', 'text/html; charset=iso-8859-1']) {
      await sends(res => res.type(type).send('é'));
      await sends(res => res.type(type).send(Buffer.from('é')));
    }
  });

  test('304: is sent if the client has the response', async () => {
    const tag = { ETag: '"1"' };
    await sends(res => res.set(tag).send('x'), { headers: { 'If-None-Match': '"1"' } });
  });

  test('HEAD: sends the headers without the body', async () => {
    await sends(res => res.send('hello'), { method: 'HEAD' });
  });

  test('sendStatus: is available as in 4.x', async () => {
    const { text } = await same(answering((_req, res) => void (res.sendStatus ?? res.send).call(res, 403)));
    assert.equal(text, 'Forbidden');
  });
});

describe('res.json', () => {
  test('body: sends any JSON value', async () => {
    for (const body of [{ a: 1 }, [1], 'text', 5, true, null]) await sends(res => res.json(body));
  });

  test('status, body: takes the status first or last', async () => {
    assert.equal((await sends(res => res.json(500, { error: 'x' }))).status, 500);
    assert.equal((await sends(res => loose(res).json!({ error: 'x' }, 500))).status, 500);
    await sends(res => res.json(201, [1]));
  });
});

describe('res.jsonp', () => {
  test('callback: sends a guarded call; without a callback, JSON', async () => {
    for (const path of ['/?callback=f', '/', '/?callback=', '/?callback=a.b[0]', '/?callback=a&callback=b']) {
      await sends(res => res.jsonp({ a: '\u2028' }), path);
    }
    assert.match(
      (await sends(res => res.jsonp(1), '/?callback=f;alert(1)')).text,
      /^\/\*\*\/ typeof falert1 ===/,
    );
  });

  test('status, body: takes the status first', async () => {
    for (const path of ['/', '/?callback=f']) {
      assert.equal((await sends(res => res.jsonp(500, { error: 'x' }), path)).status, 500);
    }
  });
});

describe('res.status', () => {
  test('code: sets the status and can be chained', async () => {
    assert.equal((await sends(res => res.status(404).send('none'))).status, 404);
  });
});
