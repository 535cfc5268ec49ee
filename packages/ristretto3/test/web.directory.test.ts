/** `web.directory`: lists directories as HTML, JSON or text, and never lists anything outside the root. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import { describe, test } from 'node:test';
import { at } from '../../engine/test/support/tree.js';
import { askAll, loose, sameEach, web } from './support/middleware.js';
import type { Web } from './support/middleware.js';

type Options = Parameters<Web['directory']>[1];
const listing = (options?: Options) => (web: Web) => [web.directory(at(''), options)];
const accepting = (type: string, path = '/') => ({ path, headers: { Accept: type } });
/** A newer version of the package sends this header. */
const NOSNIFF = { fields: ['x-content-type-options'] };
const names = (text: string) => (JSON.parse(text) as string[]).sort();

describe('web.directory', () => {
  test('JSON and text: list the names', async () => {
    const [json, text] = await askAll(listing()(web), [
      accepting('application/json'),
      accepting('text/plain'),
    ]);
    const expected = fs
      .readdirSync(at(''))
      .filter(name => !name.startsWith('.'))
      .sort();
    assert.deepEqual(names(json!.text), expected);
    assert.equal(json!.headers['content-type'], 'application/json; charset=utf-8');
    assert.deepEqual(text!.text.trimEnd().split('\n').sort(), expected);
    await sameEach(listing(), [accepting('application/json', '/nested/')], NOSNIFF);
    await sameEach(listing(), [accepting('text/plain', '/users/')], NOSNIFF);
  });

  test('HTML: is the default, with the names as links', async () => {
    const [answer, head] = await sameEach(listing(), [{}, { method: 'HEAD' }], { ...NOSNIFF, body: true });
    assert.equal(answer!.headers['content-type'], 'text/html; charset=utf-8');
    assert.match(answer!.text, /<a href="\/todo\.txt"/);
    assert.equal(head!.body.length, 0);
  });

  test('hidden: lists dotfiles if true', async () => {
    const [shown] = await askAll(listing({ hidden: true })(web), [accepting('application/json')]);
    assert.ok(names(shown!.text).includes('.hidden'));
    const [not] = await askAll(listing()(web), [accepting('application/json')]);
    assert.ok(!names(not!.text).includes('.hidden'));
  });

  test('icons: are shown if true', async () => {
    const page = async (icons: boolean) => (await askAll(listing({ icons })(web), [{}]))[0]!.text;
    assert.match(await page(true), /class="icon/);
    assert.doesNotMatch(await page(false), /class="icon/);
  });

  test('filter: decides which names are listed', async () => {
    const [answer] = await sameEach(
      listing({ filter: name => name === 'todo.txt' }),
      [accepting('application/json')],
      NOSNIFF,
    );
    assert.equal(answer!.text, '["todo.txt"]');
  });

  test('unsupported types: send 406', async () => {
    const [answer] = await sameEach(listing(), [accepting('image/png')]);
    assert.equal(answer!.status, 406);
  });

  test('paths: files and missing paths are passed on; paths outside the directory are rejected', async () => {
    const answers = await sameEach(listing(), ['/todo.txt', '/nope', '/../x', '/%2e%2e/', '/%00']);
    assert.deepEqual(
      answers.map(answer => answer.status),
      [404, 404, 403, 403, 400],
    );
    const [malformed] = await askAll(listing()(web), ['/%']);
    assert.equal(malformed!.status, 400);
  });

  test('methods: are GET, HEAD and OPTIONS', async () => {
    const answers = await sameEach(listing(), [{ method: 'OPTIONS' }, { method: 'POST' }]);
    assert.deepEqual(
      answers.map(answer => answer.status),
      [200, 405],
    );
  });

  test('html, json, plain: can be replaced', async t => {
    t.mock.method(web.directory, 'json', (_req: unknown, res: { end(text: string): void }) =>
      res.end('mine'),
    );
    const [answer] = await askAll(listing()(web), [accepting('application/json')]);
    assert.equal(answer!.text, 'mine');
  });

  test('root: is required', () => {
    assert.throws(() => loose(web.directory)(), /^TypeError: .*root path required/);
  });
});
