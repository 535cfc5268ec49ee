// runs: each
/** The parts of `web.static`: which file a URL names, and its stat. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import os from 'node:os';
import path, { resolve } from 'node:path';
import { describe, mock, test } from 'node:test';
import type { TestContext } from 'node:test';
import {
  canonicalPath,
  decodePath,
  isCanonical,
  locate,
  namesDevice,
  namesOther,
} from '@ristretto/private-engine/lib/static/resolve';
import { statName } from '@ristretto/private-engine/lib/static/stat-name';
import fc from 'fast-check';
import web from 'ristretto';
import { askPort, withServer } from '../support/http.js';
import { words } from '../support/random.js';

const ROOT = '/srv/public';

/** Maps URLs to files, never outside the root, and recognizes other spellings of a path. */
describe('locate', () => {
  test('any path: never leaves the root', () => {
    const path = fc.string({ unit: fc.constantFrom('/', '.', '..', '\\', 'a', '%', ' ', 'é', '\0', ':') });
    fc.assert(
      fc.property(path, text => {
        const file = locate(text, ROOT, 'allow');
        if (typeof file === 'number') return;
        assert.ok(file === ROOT || file.startsWith(ROOT + '/'), file);
        assert.equal(resolve(file).startsWith(ROOT), true);
      }),
      { seed: 1, numRuns: 2000 },
    );
  });
});

describe('isCanonical', () => {
  test('backslash: is a separator on Windows only (GHSA-wr4h-v87w-p3r7)', () => {
    for (const path of ['/a\\b', '/a%5Cb', '/%5c', '/a\\..\\b']) {
      assert.equal(isCanonical(path, '\\'), false, path);
      assert.equal(isCanonical(path, '/'), true, path);
    }
  });
});

describe('namesDevice', () => {
  test('GHSA-wr4h-v87w-p3r7: detects devices and streams of Windows, in every directory and with every extension', () => {
    for (const path of [
      ...words('con CON a/nul a\\AUX prn.txt lpt1/x COM9 com¹ com²'),
      'lpt9 .x',
      'PRN/',
      'a\\NUL.tar.gz',
      'nul ',
      'conin$',
      'CONOUT$.txt',
      'con .txt',
      'C:',
      'a.txt::$DATA',
      'a:b',
    ]) {
      assert.equal(namesDevice(path), true, path);
    }
    for (const path of ['console', 'icon', 'a.con', 'com', 'com10', 'lpt', 'auxiliary/x', 'null', 'aux-x']) {
      assert.equal(namesDevice(path), false, path);
    }
  });
});

describe('namesOther', () => {
  test('GHSA-wr4h-v87w-p3r7: detects dots and spaces that Windows drops, and names in short form', () => {
    const others = ['a.', 'a ', 'a. .', 'x\\a./b', '... ', ' ', 'x/ /y', 'a.txt.'];
    for (const path of [...others, 'ENV~1', 'x/admini~1/y', 'ABCDEF~2.HTM', 'a\\AB~10.c']) {
      assert.equal(namesOther(path), true, path);
    }
    const plain = [
      'a',
      '.',
      '.\\',
      '',
      '.env',
      'a.b',
      ' a',
      'a b',
      ...words('~1 a~b report~2024.pdf a~1x ab~1.json x.a~1'),
    ];
    for (const path of plain) assert.equal(namesOther(path), false, path);
  });
});

describe('canonicalPath', () => {
  test('any path: is made canonical, begins with one slash, and names the same file', () => {
    const unit = fc.constantFrom(
      '/',
      '.',
      '%2e',
      '%61',
      '%25',
      '%2f',
      '%5c',
      '\\',
      'a',
      '~',
      '%7E',
      '%C3%A9',
      '61',
    );
    fc.assert(
      fc.property(fc.string({ unit }), text => {
        const path = `/${text}`;
        const canonical = canonicalPath(path);
        if (canonical === undefined) return;
        assert.ok(isCanonical(canonical || '/'), canonical);
        assert.match(`${canonical}/`, /^\/(?![/\\])/);
        assert.equal(canonicalPath(canonical), canonical);
        const [file, other] = [path, canonical || '/'].map(one => locate(decodePath(one)!, ROOT, 'allow'));
        assert.equal(String(file).replace(/\/$/, ''), String(other).replace(/\/$/, ''));
      }),
      { seed: 1, numRuns: 5000 },
    );
  });
});

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

/** Stat of a file by its name: synchronous for recently used names, and never stale. */
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
