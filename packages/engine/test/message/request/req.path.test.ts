/** `req.path`: the path of the URL as sent, below the mount path and without the query. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { answering, sameEach } from '../../support/compare.js';
import { alike } from '../../support/fake-request.js';
import { same } from '../../support/oracle.js';
import type { Web } from '../../support/oracle.js';

const echo = answering((req, res) => res.json([req.path, req.url]));
const paths = async (...targets: string[]) =>
  (await sameEach(echo, targets)).map(answer => (JSON.parse(answer.text) as string[])[0]);

describe('req.path', () => {
  test('path: is the path as sent, without the query', async () => {
    assert.deepEqual(await paths('/users?sort=name', '/a%2Fb%20c?', '/?a/b'), ['/users', '/a%2Fb%20c', '/']);
  });

  test('slashes, dots, backslashes: are kept', async () => {
    assert.deepEqual(await paths('//a//b', '/a/../b', '/a\\b'), ['//a//b', '/a/../b', '/a\\b']);
  });

  test('absolute form, asterisk, fragment: only the path is returned', async () => {
    const targets = ['http://x/admin?y', 'http://x', 'http://x?q/z', 'weird://h/p', '*', '/a#b', '/a|b#c'];
    assert.deepEqual(await paths(...targets), ['/admin', '/', '/', '/p', '*', '/a', '/a%7Cb']);
  });

  test('CVE-2026-85184: the authority is stripped before matching', async () => {
    const guarded = (web: Web) => {
      const app = web();
      app.use('/admin', (req, res) => res.status(403).json([req.url, req.baseUrl, req.path]));
      app.get('/admin', (_req, res) => res.send('secret'));
      return app;
    };
    for (const target of [
      'http://x/admin',
      'http://x/admin?y',
      'http://x/admin/users',
      'HTTP://X:80/admin',
    ]) {
      assert.equal((await same(guarded, target)).status, 403, target);
    }
  });

  test('impossible host: responds with 404', async () => {
    assert.equal((await same(echo, 'http://[bad/x')).status, 404);
  });

  test('mounting: is the path below the mount path', async () => {
    const answer = await same(web => {
      const app = web();
      const router = web.Router();
      router.get('/a', (req, res) => res.json([req.path, req.baseUrl]));
      app.use('/mount', router);
      return app;
    }, '/mount/a?b');
    assert.equal(answer.text, '["/a","/mount"]');
  });

  test('URL set by the application: is the path of that URL, or null if it has none', () => {
    const path = (url: string) => alike({}, req => Object.assign(req, { url }).path);
    assert.equal(path('/a?b'), '/a');
    assert.equal(path('?b'), null);
    assert.equal(path(''), null);
  });

  test('read only: an assignment changes nothing', () => {
    const path = alike({}, req => {
      Reflect.set(Object.assign(req, { url: '/a' }), 'path', '/b');
      return req.path;
    });
    assert.equal(path, '/a');
  });
});
