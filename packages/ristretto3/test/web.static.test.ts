/** `web.static`: serves files with the redirects and options of 3.x. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { ask } from '../../engine/test/support/http.js';
import { at } from '../../engine/test/support/tree.js';
import { chain, loose, sameEach, web } from './support/middleware.js';
import type { Web } from './support/middleware.js';

type Options = Parameters<Web['static']>[1];
const serving = (options?: Options) => (web: Web) => [web.static(at(''), options) as never];

describe('web.static', () => {
  test('files: existing, missing, and paths outside the directory are handled alike', async () => {
    const answers = await sameEach(serving(), [
      ...['/todo.txt', '/nested/', '/nope', '/../x', '/%2e%2e/x', '/%', '/%00', '/.hidden', '/.dir/'],
      { method: 'HEAD', path: '/todo.txt' },
      { method: 'POST', path: '/todo.txt' },
      { path: '/todo.txt', headers: { Range: 'bytes=1-2' } },
    ]);
    assert.equal(answers[0]!.status, 200);
    assert.equal(answers[11]!.status, 206);
  });

  test('redirect: sends 303 to the path with a slash, with a page without links', async () => {
    const differences = { body: true, fields: ['content-security-policy'] };
    const [answer] = await sameEach(serving(), ['/nested', '/nested?a=b', '/users'], differences);
    assert.equal(answer!.status, 303);
    assert.equal(answer!.headers.location, '/nested/');
    assert.equal(answer!.headers['content-security-policy'], "default-src 'none'");
    assert.doesNotMatch(answer!.text, /href/);
  });

  test('spellings: an alternative spelling of an existing path is redirected to it with 303', async () => {
    for (const [path, location] of [
      ['//todo.txt', '/todo.txt'],
      ['/n%65sted//', '/nested/'],
    ] as const) {
      const answer = await ask(chain(web.static(at('')) as never), path);
      assert.deepEqual([answer.status, answer.headers.location], [303, location]);
    }
  });

  test('redirect: false passes directories on', async () => {
    const [answer] = await sameEach(serving({ redirect: false }), ['/nested', '/nested/']);
    assert.equal(answer!.status, 404);
  });

  test('hidden: true serves dotfiles', async () => {
    const options = { hidden: true } as Options;
    const [answer] = await sameEach(serving(options), ['/.hidden', '/.dir/file.txt']);
    assert.equal(answer!.status, 200);
  });

  test('index: takes another name, or false for none', async () => {
    await sameEach(serving({ index: 'index.htm' }), ['/', '/nested/']);
    await sameEach(serving({ index: false }), ['/nested/']);
  });

  test('maxAge: takes milliseconds or a string', async () => {
    for (const maxAge of [0, 5000, 86_400_000, '1d', Infinity])
      await sameEach(serving({ maxAge }), ['/todo.txt']);
  });

  test('mime: is the table of media types', () => {
    assert.equal(web.static.mime.lookup('a.txt'), 'text/plain');
  });

  test('root: must be a string', () => {
    assert.throws(() => loose(web.static)(), { name: 'TypeError', message: 'root path required' });
    assert.throws(() => loose(web.static)(1), { name: 'TypeError', message: 'root path must be a string' });
  });
});
