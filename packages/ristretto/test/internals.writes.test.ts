// runs: each
/**
 * Middleware that patches `res.write` and `res.end` (body loggers, caches, markup injectors) receives the same calls as
 * in Express.
 */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { ask } from '../../engine/test/support/http.js';
import type { Ask } from '../../engine/test/support/http.js';
import { frameworks } from '../../engine/test/support/oracle.js';
import type { Web } from '../../engine/test/support/oracle.js';

const folder = mkdtempSync(join(tmpdir(), 'ristretto-writes-'));
after(() => rmSync(folder, { recursive: true }));
writeFileSync(join(folder, 'small.txt'), 'small');
writeFileSync(join(folder, 'empty.txt'), '');
writeFileSync(join(folder, 'large.txt'), Buffer.alloc(150_000, 'x'));

/** Creates an application that records the chunks passed to `write` and `end`. */
function patched(web: Web, calls: string[], etag: boolean): ReturnType<Web> {
  const app = web();
  app.set('etag', etag);
  app.use((_req, res, next) => {
    const target = res as unknown as Record<string, (...args: unknown[]) => unknown>;
    for (const name of ['write', 'end']) {
      const original = target[name]!;
      target[name] = function (...args) {
        const [chunk] = args;
        const shown = Buffer.isBuffer(chunk) ? `${chunk.length} bytes` : JSON.stringify(chunk);
        calls.push(`${name} ${shown}`);
        return original.apply(this, args);
      };
    }
    next();
  });
  app.get('/text', (_req, res) => res.send('text'));
  app.get('/bytes', (_req, res) => res.send(Buffer.from('bytes')));
  app.get('/empty', (_req, res) => res.send(''));
  app.get('/nothing', (_req, res) => res.send());
  app.get('/json', (_req, res) => res.json({ a: 1 }));
  app.get('/redirect', (_req, res) => res.redirect('/text'));
  app.get('/status/:code', (req, res) => res.status(Number(req.params.code)).send('text'));
  app.get('/download', (_req, res) => res.download(join(folder, 'small.txt')));
  app.use('/files', web.static(folder));
  return app;
}

/** Returns the recorded chunks, after asserting that they are the same on both frameworks. */
async function seen(request: Ask | string, etag = true): Promise<string[]> {
  const [ours, theirs] = [[], []] as string[][];
  await ask(patched(frameworks.ristretto, ours!, etag), request);
  await ask(patched(frameworks.express, theirs!, etag), request);
  assert.deepEqual(ours, theirs);
  return ours!;
}

describe('internals: patched write and end', () => {
  test('send: passes whole bodies to end, as bytes if they are hashed', async () => {
    assert.deepEqual(await seen('/text'), ['end 4 bytes']);
    assert.deepEqual(await seen('/text', false), ['end "text"']);
    for (const path of ['/bytes', '/empty', '/nothing', '/json', '/redirect', '/elsewhere']) await seen(path);
    await seen('/empty', false);
  });

  test('send: passes an empty string to end for responses without a body, except HEAD', async () => {
    for (const code of [204, 205]) assert.deepEqual(await seen(`/status/${code}`), ['end ""']);
    assert.deepEqual(await seen({ path: '/text', headers: { 'If-None-Match': '*' } }), ['end ""']);
    for (const path of ['/text', '/json', '/nothing', '/redirect']) {
      assert.deepEqual(await seen({ method: 'HEAD', path }), ['end undefined']);
    }
  });

  test('files: are written as streams, whatever their size', async () => {
    const pieces = ['write 65536 bytes', 'write 65536 bytes', 'write 18928 bytes', 'end undefined'];
    assert.deepEqual(await seen('/files/small.txt'), ['write 5 bytes', 'end undefined']);
    assert.deepEqual(await seen('/files/large.txt'), pieces);
    assert.deepEqual(await seen('/download'), ['write 5 bytes', 'end undefined']);
    await seen({ path: '/files/small.txt', headers: { Range: 'bytes=1-2' } });
    await seen({ path: '/files/small.txt', headers: { 'If-None-Match': '*' } });
    await seen({ path: '/files/empty.txt' });
    await seen({ method: 'HEAD', path: '/files/small.txt' });
  });
});
