// runs: each
/** Stat of a file by its name: synchronous for recently used names, and never stale. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { describe, mock, test } from 'node:test';
import type { TestContext } from 'node:test';
import web from 'ristretto';
import { statName } from '@ristretto/private-engine/lib/static/stat-name';
import { askPort, withServer } from '../support/http.js';

function folderOf(t: TestContext): string {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'stat-'));
  t.after(() => fs.rmSync(folder, { recursive: true }));
  return folder;
}

interface Answer {
  /** Whether the thread pool was not used. */
  atOnce: boolean;
  size?: number;
  code?: string;
}

/** Calls `statName` once. The callback is never called synchronously. */
async function ask(file: string): Promise<Answer> {
  const later = mock.method(fs, 'stat');
  try {
    let returned = false;
    const answer = new Promise<Answer>(resolve =>
      statName(file, (error, stats) => {
        assert.equal(returned, true);
        const atOnce = later.mock.callCount() === 0;
        resolve(error ? { atOnce, code: error.code! } : { atOnce, size: stats!.size });
      }),
    );
    returned = true;
    return await answer;
  } finally {
    later.mock.restore();
  }
}

describe('static: stat by name', () => {
  test('recent name: is read again without the thread pool', async t => {
    const file = path.join(folderOf(t), 'a');
    fs.writeFileSync(file, 'one');
    assert.deepEqual(await ask(file), { atOnce: false, size: 3 });
    assert.deepEqual(await ask(file), { atOnce: true, size: 3 });
    fs.writeFileSync(file, 'three');
    assert.deepEqual(await ask(file), { atOnce: true, size: 5 });
  });

  test('recent name: uses the thread pool again after 500 ms', async t => {
    const file = path.join(folderOf(t), 'a');
    fs.writeFileSync(file, 'one');
    let now = 1000;
    t.mock.method(performance, 'now', () => now);
    await ask(file);
    now += 499;
    assert.equal((await ask(file)).atOnce, true);
    now += 2;
    assert.equal((await ask(file)).atOnce, false);
  });

  test('missing: always uses the thread pool', async t => {
    const file = path.join(folderOf(t), 'a');
    assert.deepEqual(await ask(file), { atOnce: false, code: 'ENOENT' });
    fs.writeFileSync(file, 'one');
    await ask(file);
    fs.rmSync(file);
    assert.deepEqual(await ask(file), { atOnce: false, code: 'ENOENT' });
    assert.deepEqual(await ask(file), { atOnce: false, code: 'ENOENT' });
  });

  test('memory: a limited number of names is remembered', async t => {
    const folder = folderOf(t);
    const file = path.join(folder, 'a');
    fs.writeFileSync(file, 'one');
    await ask(file);
    // Each is a different name for the same file
    for (let i = 1; i <= 1000; i++) await ask(folder + '/'.repeat(i + 1) + 'a');
    assert.equal((await ask(file)).atOnce, false);
  });

  test('conditions: validators set by setHeaders count instead of those of the file', async t => {
    const folder = folderOf(t);
    fs.writeFileSync(path.join(folder, 'a.txt'), 'one');
    const app = web();
    app.use(
      web.static(folder, {
        setHeaders: res => {
          res.setHeader('ETag', '"own"');
        },
      }),
    );
    await withServer(app as never, async port => {
      const { headers } = await askPort(port, '/a.txt');
      assert.equal(headers.etag, '"own"');
      const date = { 'If-Modified-Since': headers['last-modified']! };
      assert.equal((await askPort(port, { path: '/a.txt', headers: date })).status, 304);
      const asking = (tag: string) => ({ path: '/a.txt', headers: { ...date, 'If-None-Match': tag } });
      assert.equal((await askPort(port, asking('"own"'))).status, 304);
      assert.equal((await askPort(port, asking('*'))).status, 304);
      assert.equal((await askPort(port, asking('"other"'))).text, 'one');
    });
  });

  test('conditions: are ignored for a 404, and a file deleted before it is opened is a 500', async t => {
    const folder = folderOf(t);
    const file = path.join(folder, 'a.txt');
    fs.writeFileSync(file, 'one');
    const app = web();
    let remove = false;
    const setHeaders = (res: { statusCode: number }): void => {
      res.statusCode = 404;
      if (remove) fs.rmSync(file);
    };
    app.use(web.static(folder, { setHeaders }));
    await withServer(app as never, async port => {
      const conditional = { path: '/a.txt', headers: { 'If-None-Match': '*' } };
      const answer = await askPort(port, conditional);
      assert.deepEqual([answer.status, answer.text], [404, 'one']);
      remove = true;
      assert.equal((await askPort(port, conditional)).status, 500);
    });
  });
});
