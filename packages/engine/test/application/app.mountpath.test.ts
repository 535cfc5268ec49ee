/** `app.mountpath`: the patterns on which a sub-application was mounted. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { ask } from '../support/http.js';
import { frameworks } from '../support/oracle.js';
import type { Web } from '../support/oracle.js';

describe('app.mountpath', () => {
  for (const [framework, web] of Object.entries(frameworks) as [string, Web][]) {
    const mounted = (path?: unknown): unknown => {
      const sub = web();
      if (path === undefined) web().use(sub);
      else web().use(path as string, sub);
      return sub.mountpath;
    };
    test(`root: is a slash (${framework})`, () => {
      assert.equal(web().mountpath, '/');
      assert.equal(mounted(), '/');
    });
    test(`string: is the path as it was passed (${framework})`, () => {
      assert.equal(mounted('/admin'), '/admin');
      assert.equal(mounted('/admin/'), '/admin/');
    });
    test(`pattern: is the pattern, not what it matched (${framework})`, async () => {
      const sub = web();
      sub.get('/', (req, res) => void res.json([req.app.mountpath, req.baseUrl]));
      assert.equal(
        (await ask(web().use('/:user/a*n', sub), '/tobi/admin')).text,
        '["/:user/a*n","/tobi/admin"]',
      );
    });
    test(`array: is the list of patterns (${framework})`, () => {
      assert.deepEqual(mounted(['/adm*n', '/manager']), ['/adm*n', '/manager']);
    });
    test(`regular expression: is the expression itself (${framework})`, () => {
      const path = /^\/x/;
      assert.equal(mounted(path), path);
    });
    test(`parent: is the application it was mounted on (${framework})`, () => {
      const parent = web();
      const sub = web();
      assert.equal((sub as unknown as { parent: unknown }).parent, undefined);
      parent.use('/x', sub);
      assert.equal((sub as unknown as { parent: unknown }).parent, parent);
    });
  }
});
