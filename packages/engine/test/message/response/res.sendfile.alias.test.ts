/**
 * Tests of `res.sendfile`. The file has another name because some systems would treat it as the test of `res.sendFile`.
 */
import assert from 'node:assert/strict';
import path from 'node:path';
import { describe, test } from 'node:test';
import web from 'ristretto';
import { loose, sameEach, sameNotices } from '../../support/compare.js';
import { ask } from '../../support/http.js';
import { same } from '../../support/oracle.js';
import type { Web } from '../../support/oracle.js';
import { sendingBy } from '../../support/static.js';
import { at, root } from '../../support/tree.js';

const sending = (...args: unknown[]) => sendingBy(res => loose(res).sendfile!(...args));
const here = path.relative(process.cwd(), root);

describe('res.sendfile', () => {
  test('deprecated: warns once for each call site', async () => {
    assert.deepEqual(await sameNotices(sendingBy(res => loose(res).sendfile!(at('todo.txt')))), [
      'res.sendfile: Use res.sendFile instead',
    ]);
  });

  test('path: is absolute or relative to the working directory, and is decoded', async () => {
    for (const name of ['todo.txt', 'a%20b.html', '100%25.txt', 'nested/']) {
      assert.equal((await same(sending(at(name)))).status, 200);
      assert.equal((await same(sending(path.join(root, name)))).status, 200);
    }
    assert.equal((await same(sending(at('100%.txt')))).status, 400);
    assert.equal((await same(sending(at('a%00')))).status, 400);
    if (!here.includes('..')) assert.equal((await same(sending(here + '/todo.txt'))).status, 200);
    await same(sending('package.json'));
  });

  test('path: .. is 403, a directory calls next(), a missing file is 404', async () => {
    assert.equal((await same(sending(root + '/users/../todo.txt'))).status, 403);
    assert.equal((await same(sending(at('users')))).text, 'passed on');
    assert.equal((await same(sending(at('nope')))).status, 404);
    assert.equal((await same(sending(''))).text, 'passed on');
  });

  test('path: throws if it is missing, and is converted to a string otherwise', async () => {
    for (const bad of [undefined, null]) {
      const answer = await ask(sending(bad)(web as unknown as Web));
      assert.match(answer.text, /TypeError.*path argument is required to res.sendfile/);
    }
    for (const odd of [42, {}, [], true]) await same(sending(odd));
  });

  test('root: relative paths start there and may not leave it', async () => {
    assert.equal((await same(sending('users/../todo.txt', { root }))).text, '- groceries');
    assert.equal((await same(sending('../public/todo.txt', { root }))).status, 403);
    assert.equal((await same(sending('%2e%2e/x', { root }))).status, 403);
  });

  test('maxAge and the other options: work as for sendFile', async () => {
    await same(sending(at('todo.txt'), { maxAge: 5000, headers: { 'X-A': '1' }, etag: false }));
    await same(sending(at('.hidden'), { dotfiles: 'allow' }));
    await same(sending(at('todo.txt'), null));
  });

  test('conditions and ranges: send 304, 206 or 416', async () => {
    await sameEach(sending(at('todo.txt')), [
      { headers: { 'If-None-Match': '*' } },
      { headers: { Range: 'bytes=1-2' } },
      { headers: { Range: 'bytes=99-' } },
    ]);
  });

  test('callback: comes after the options or instead of them', async () => {
    for (const more of [[], [{}], [null]]) {
      const build = sendingBy(res =>
        loose(res).sendfile!(at('nope'), ...more, (error: Error) => res.end(error.message)),
      );
      assert.match((await same(build)).text, /^ENOENT/);
    }
  });
});
