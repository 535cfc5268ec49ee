/** `web.favicon`: sends an icon from memory, with caching headers. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { at } from '../../engine/test/support/tree.js';
import { askAll, loose, oracle, sameEach, web } from './support/middleware.js';

const ICON = Buffer.from('an icon');
/** The tag is computed with another digest. */
const TAG = { fields: ['etag'] };

describe('web.favicon', () => {
  test('icon: sends its bytes, cacheable for a year', async () => {
    const [answer] = await sameEach(web => [web.favicon(ICON)], ['/favicon.ico', '/favicon.ico?x=1'], TAG);
    assert.equal(answer!.text, 'an icon');
    assert.equal(answer!.headers['cache-control'], 'public, max-age=31536000');
    assert.match(answer!.headers.etag!, /^"7-[\w+/]{27}"$/);
  });

  test('path: is read immediately', async () => {
    const [answer] = await sameEach(web => [web.favicon(at('todo.txt'))], ['/favicon.ico'], TAG);
    assert.equal(answer!.headers['content-type'], 'image/x-icon');
    for (const { favicon } of [web, oracle]) {
      assert.throws(() => favicon(at('nope.ico')), { code: 'ENOENT' });
      assert.throws(() => favicon(at('')), { code: 'EISDIR' });
    }
  });

  test('conditional: sends 304 to a client that has the icon', async () => {
    const links = [web.favicon(ICON)];
    const [first] = await askAll(links, ['/favicon.ico']);
    const [second] = await askAll(links, [
      { path: '/favicon.ico', headers: { 'If-None-Match': first!.headers.etag! } },
    ]);
    assert.equal(second!.status, 304);
    assert.equal(second!.body.length, 0);
    assert.equal(second!.headers.etag, first!.headers.etag);
  });

  test('methods: HEAD has no body, OPTIONS lists the methods, others get 405', async () => {
    const requests = ['HEAD', 'OPTIONS', 'POST', 'DELETE'].map(method => ({ method, path: '/favicon.ico' }));
    const answers = await sameEach(web => [web.favicon(ICON)], requests, TAG);
    assert.deepEqual(
      answers.map(answer => [answer.status, answer.body.length]),
      [
        [200, 0],
        [200, 0],
        [405, 0],
        [405, 0],
      ],
    );
    assert.equal(answers[2]!.headers.allow, 'GET, HEAD, OPTIONS');
  });

  test('other paths: are passed on', async () => {
    await sameEach(
      web => [web.favicon(ICON)],
      ['/', '/favicon.ico/', '/a/favicon.ico', '/favicon.icon', '/FAVICON.ICO'],
    );
  });

  test('maxAge: takes milliseconds or a string, at most a year', async () => {
    for (const maxAge of [1500, '1 day', 0, 1e15]) {
      await sameEach(web => [web.favicon(ICON, { maxAge })], ['/favicon.ico'], TAG);
    }
    assert.throws(() => web.favicon(ICON, { maxAge: 'soon' }), /^TypeError: favicon\(\) takes a maxAge/);
    assert.throws(() => web.favicon(ICON, { maxAge: NaN }), /^TypeError: favicon\(\) takes a maxAge/);
  });

  test('default: is a small icon', async () => {
    const [answer] = await askAll([web.favicon()], ['/favicon.ico']);
    assert.equal(answer!.body.readUInt16LE(2), 1);
    assert.ok(answer!.body.length < 500);
  });

  test('wrong arguments: throw', () => {
    for (const icon of [1, {}, true]) {
      assert.throws(
        () => loose(web.favicon)(icon),
        /^TypeError: favicon\(\): expected the path of an icon or its content/,
      );
    }
  });
});
