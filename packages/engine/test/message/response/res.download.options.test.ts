/** `res.download`: its options, which work as in `res.sendFile`. */
import { describe, test } from 'node:test';
import assert from 'node:assert/strict';
import { answering, loose } from '../../support/compare.js';
import type { Answer } from '../../support/http.js';
import { same } from '../../support/oracle.js';
import { at } from '../../support/tree.js';

const downloading = (file: string, options?: object, headers: Record<string, string> = {}): Promise<Answer> =>
  same(
    answering((_req, res) => void loose(res).download!(at(file), options)),
    { headers },
  );
const cacheControl = async (options?: object) =>
  (await downloading('todo.txt', options)).headers['cache-control'];

describe('res.download', () => {
  test('maxAge: takes milliseconds or text and is sent in seconds', async () => {
    assert.equal(await cacheControl({ maxAge: 90_000 }), 'public, max-age=90');
    assert.equal(await cacheControl({ maxAge: '2h' }), 'public, max-age=7200');
  });

  test('maxAge: default is 0', async () => {
    assert.equal(await cacheControl(), 'public, max-age=0');
  });

  test('immutable: adds the directive, and is off by default', async () => {
    assert.equal(await cacheControl({ immutable: true, maxAge: '1d' }), 'public, max-age=86400, immutable');
    assert.equal(await cacheControl({ immutable: false }), 'public, max-age=0');
  });

  test('cacheControl: false omits the header', async () => {
    assert.equal(await cacheControl({ cacheControl: false, maxAge: '1d', immutable: true }), undefined);
    assert.equal(await cacheControl({ cacheControl: true }), 'public, max-age=0');
  });

  test('lastModified: sends the date of the file, and false omits it', async () => {
    const date = 'Sun, 13 Sep 2020 12:26:40 GMT';
    assert.equal((await downloading('todo.txt')).headers['last-modified'], date);
    assert.equal((await downloading('todo.txt', { lastModified: true })).headers['last-modified'], date);
    assert.equal(
      (await downloading('todo.txt', { lastModified: false })).headers['last-modified'],
      undefined,
    );
  });

  test('dotfiles: allow sends them, deny is 403, ignore is 404 and the default for files', async () => {
    assert.equal((await downloading('.hidden', { dotfiles: 'allow' })).text, 'hidden');
    assert.match((await downloading('.hidden', { dotfiles: 'deny' })).text, /^ForbiddenError: .* 403$/);
    for (const options of [{ dotfiles: 'ignore' }, {}, undefined]) {
      assert.match((await downloading('.hidden', options)).text, /^NotFoundError: .* 404$/);
    }
    assert.equal((await downloading('.dir/file.txt')).text, 'in a hidden directory');
    assert.match((await downloading('.dir/file.txt', { dotfiles: 'ignore' })).text, / 404$/);
  });

  test('acceptRanges: sends ranges, and false sends the whole file without Accept-Ranges', async () => {
    const range = { Range: 'bytes=2-4' };
    const part = await downloading('todo.txt', undefined, range);
    assert.deepEqual([part.status, part.text, part.headers['accept-ranges']], [206, 'gro', 'bytes']);
    const whole = await downloading('todo.txt', { acceptRanges: false }, range);
    assert.deepEqual(
      [whole.status, whole.text, whole.headers['accept-ranges']],
      [200, '- groceries', undefined],
    );
  });
});
