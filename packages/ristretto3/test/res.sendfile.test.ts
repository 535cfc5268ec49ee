/** Files as responses. */
import assert from 'node:assert/strict';
import path from 'node:path';
import { describe, test } from 'node:test';
import { answering, ours, same } from './support/oracle.js';
import type { Response } from 'ristretto3/lib/types/core';

const folder = path.join(__dirname, '../../engine/test/fixtures/views');
const file = path.join(folder, 'user.tmpl');
const answer = (send: (res: Response) => void) => answering((_req, res) => send(res));
const sends = (send: (res: Response) => void, headers: Record<string, string> = {}) =>
  same(answer(send), { headers });

describe('res.sendfile', () => {
  test('path: is absolute, or relative to the root or the working directory', async () => {
    assert.equal((await sends(res => res.sendfile(file))).status, 200);
    await sends(res => res.sendfile('user.tmpl', { root: folder }));
    await sends(res => res.sendfile(path.relative(process.cwd(), file)));
  });

  test('path: never leaves the root', async () => {
    for (const name of ['../views/user.tmpl', '../../res.sendFile.test.ts', '/../user.tmpl']) {
      assert.equal((await ours(answer(res => res.sendfile(name, { root: folder })))).status, 403);
    }
  });

  test('maxAge: is in milliseconds; 0 by default', async () => {
    const { headers } = await sends(res => res.sendfile(file, { maxAge: 60_000 }));
    assert.equal(headers['cache-control'], 'public, max-age=60');
    assert.equal((await sends(res => res.sendfile(file))).headers['cache-control'], 'public, max-age=0');
  });

  test('Range: sends the requested part', async () => {
    assert.equal((await sends(res => res.sendfile(file), { Range: 'bytes=0-1' })).status, 206);
  });

  test('fn: gets the error and must send the response', async () => {
    const { text } = await sends(res =>
      res.sendfile('/nowhere/x', err => {
        res.send(404, `${String((err as Error & { status: number }).status)} ${String(res.headersSent)}`);
      }),
    );
    assert.equal(text, '404 false');
    await sends(res => res.sendfile('none', { root: folder }, err => res.send(404, String(Boolean(err)))));
  });

  test('error: goes to the error handlers without fn; a directory is passed on', async () => {
    assert.equal((await ours(answer(res => res.sendfile('/nowhere/x')))).status, 404);
    assert.equal((await sends(res => res.sendfile(folder))).text, 'Cannot GET /\n');
  });
});

describe('res.download', () => {
  test('filename: is taken from the path, or given explicitly', async () => {
    const { headers } = await sends(res => res.download(file));
    assert.equal(headers['content-disposition'], 'attachment; filename="user.tmpl"');
    await sends(res => res.download(file, 'other.txt'));
    const other = await ours(answer(res => res.download(file, '€.txt')));
    assert.match(other.headers['content-disposition']!, /filename\*=UTF-8''%E2%82%AC\.txt/);
  });

  test('fn: works with or without a file name and gets the error', async () => {
    for (const send of [
      (res: Response, fn: (err: Error) => void) => res.download('/nowhere/x', fn),
      (res: Response, fn: (err: Error) => void) => res.download('/nowhere/x', 'name', fn),
    ]) {
      const { text } = await sends(res =>
        send(res, err => res.send(404, `${String(Boolean(err))} ${String(res.get('Content-Disposition'))}`)),
      );
      assert.equal(text, 'true undefined');
    }
  });
});
