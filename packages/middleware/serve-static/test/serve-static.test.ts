import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import serveStatic from '@ristretto/serve-static';
import serveStatic1 from '@ristretto/serve-static1';
import { makeFiles } from '../../../engine/test/support/files.js';
import { ask } from '../../../engine/test/support/http.js';
import { application } from '../../test-support/frameworks.js';
import type { Handler } from '../../test-support/frameworks.js';
import { words } from '../../../engine/test/support/random.js';

const root = makeFiles();

function app(middleware: unknown) {
  return application('http', [middleware as Handler, (_req, res) => res.end('fell through')]);
}

describe('serve-static', () => {
  for (const [name, make] of Object.entries({ 'serve-static': serveStatic, 'serve-static1': serveStatic1 })) {
    test(`${name}: paths do not leave the directory (CVE-2014-6394, CVE-2017-14849)`, async () => {
      const server = app(make(`${root}/sub`));
      for (const path of words('/../a.txt /%2e%2e/a.txt /..%2fa.txt /..%5ca.txt /deep/../../a.txt /%00 /%'))
        assert.notEqual((await ask(server, path)).text, 'abcdefghij', path);
    });

    test(`${name}: redirects stay on the host (CVE-2015-1164)`, async () => {
      const server = app(make(root));
      for (const path of ['//evil.example/%2e%2e', '///sub', '//sub', '/\\evil.example/..']) {
        const { headers } = await ask(server, path);
        assert.ok(!/^(?:\/[/\\]|\w+:)/.test(headers.location ?? '/'), `${path}: ${headers.location ?? ''}`);
      }
    });

    test(`${name}: the page of a redirect escapes the path (CVE-2024-43800)`, async () => {
      const { text } = await ask(app(make(root)), '/sub?<script>alert(1)</script>');
      assert.ok(!text.includes('<script>'));
    });

    test(`${name}: options that could never work throw when the middleware is created`, () => {
      assert.throws(() => make(''), /root path required/);
      assert.throws(() => make(5 as never), /root path must be a string/);
      assert.throws(() => make(root, { dotfiles: 'x' }), /dotfiles option must be/);
      assert.throws(() => make(root, { setHeaders: 5 as never }), /option setHeaders must be function/);
    });
  }

  test('serve-static: scripts are text/javascript; with serve-static1 they have the type of the table', async () => {
    assert.equal((await ask(app(serveStatic(__dirname)), '/none.js')).text, 'fell through');
    assert.equal(
      (await ask(app(serveStatic(root)), '/data.json')).headers['content-type'],
      'application/json; charset=utf-8',
    );
    assert.equal(serveStatic1.mime.lookup('a.js'), 'application/javascript');
    assert.equal('mime' in serveStatic, false);
  });
});
