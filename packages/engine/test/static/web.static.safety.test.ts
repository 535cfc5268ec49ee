// runs: each
/** `web.static`: prevents known attacks through paths, redirects and error pages. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import web from 'ristretto';
import { sameEach } from '../support/compare.js';
import { ask, askPort, withServer } from '../support/http.js';
import type { Answer, Ask } from '../support/http.js';
import { same } from '../support/oracle.js';
import type { Web } from '../support/oracle.js';
import { words } from '../support/random.js';
import { report, serving } from '../support/static.js';
import { at, root } from '../support/tree.js';
import { cpuTime } from '../support/worst-case.js';

/** Sends requests to ours only: Express's response is what must be prevented. */
function ours(paths: readonly string[], options?: object): Promise<Answer[]> {
  return withServer(serving(options)(web as unknown as Web), async port => {
    const answers: Answer[] = [];
    for (const path of paths) answers.push(await askPort(port, path));
    return answers;
  });
}

/** Returns an application with a guard in front of the files. */
function guarded(mount = '/'): ReturnType<Web> {
  const app = web() as unknown as ReturnType<Web>;
  app.use(mount === '/' ? '/admin' : mount + '/admin', (_req, res) => void res.status(401).end('guard'));
  app.use(mount, web.static(root));
  return app;
}

const location = (answer: Answer | undefined): string | undefined => answer?.headers.location;

describe('web.static', () => {
  test('CVE-2014-6394: a directory whose name begins like the root is not reachable', async () => {
    const paths = [
      '/../public-restricted/secret.txt',
      '/..%2fpublic-restricted/secret.txt',
      '-restricted/secret.txt',
    ];
    for (const path of [...paths, '/%2e%2e/public-restricted/secret.txt', '/-restricted/secret.txt']) {
      const [answer] = await ours([path]);
      assert.ok(!answer?.text.includes('secret') || answer.text.startsWith('passed on'), path);
    }
    await sameEach(serving({ fallthrough: false }), paths.slice(0, 2));
  });

  test('CVE-2014-3744: .. in any encoding is 403, and paths are decoded once', async () => {
    const paths = words(`
      /../x /%2e%2e/%2e%2e/etc/passwd /..%2f..%2fetc/passwd /users/../../x /..%5cx /..\\x
      /users/..%2f..%2f..%2fetc/passwd /.%2e/x /x/..\\..\\..\\x /.. /..%5C..%5Cetc/passwd
      /%2e%2e%5c%2e%2e%5cx /users%5C..%5C..%5C..%5Cx /%5C..%5C..
    `);
    for (const answer of await sameEach(serving({ fallthrough: false }), paths))
      assert.equal(answer.status, 403);
    const twice = words('/%252e%252e/x /%252e%252e%252fetc%252fpasswd /..%255cx /....//x /C:/x /CON');
    for (const answer of await sameEach(serving({ fallthrough: false }), twice))
      assert.equal(answer.status, 404);
  });

  test('CVE-2015-8859: error pages in production do not contain the path of the root', async t => {
    t.mock.method(console, 'error', () => {});
    for (const env of ['production']) {
      const app = web()
        .set('env', env)
        .use(web.static(root, { fallthrough: false }));
      for (const path of ['/nope', '/../x', '/.hidden', '/todo.txt/x', '/users/']) {
        const answer = await ask(app, path);
        assert.ok(!answer.raw.includes(root));
        assert.ok(!/stat|ENOENT|Error:/.test(answer.raw));
      }
    }
  });

  test('CVE-2026-6414: an encoded slash does not bypass a guard', async () => {
    for (const path of [
      '/admin%2Fsecret.html',
      '/admin%2fsecret.html',
      '/admin%2F%2Fsecret.html',
      '/%2Fadmin/secret.html',
    ]) {
      const answer = await ask(guarded(), path);
      assert.equal(answer.status, 404, path);
    }
  });

  test('CVE-2026-15074: .., doubled slashes and needless escapes reach the guard, or nothing', async () => {
    const nowhere = [
      '/users/../admin/secret.html',
      '/users/%2e%2e/admin/secret.html',
      '/users/..//admin/secret.html',
      '//admin/../admin/secret.html',
    ];
    for (const path of nowhere) {
      assert.equal((await ask(guarded(), path)).status, 404, path);
      assert.equal((await ask(guarded('/files'), '/files' + path)).status, 404, path);
    }
    const toTheGuard = [
      ...['//admin/secret.html', '///admin/secret.html', '/./admin/secret.html', '/.//admin/secret.html'],
      ...['/%61dmin/secret.html', '/admi%6E/secret.html', '/%2e/admin/secret.html', '//admin//secret%2ehtml'],
    ];
    for (const mount of ['', '/files']) {
      for (const path of toTheGuard) {
        const { status, headers } = await ask(guarded(mount || '/'), mount + path);
        assert.deepEqual([status, headers.location], [301, `${mount}/admin/secret.html`], path);
      }
      assert.equal((await ask(guarded(mount || '/'), `${mount}/admin/secret.html`)).text, 'guard');
    }
    for (const path of ['/admin/./secret.html', '/admin//secret.html', '/ADMIN/secret.html']) {
      assert.equal((await ask(guarded(), path)).text, 'guard', path);
    }
  });

  test('GHSA-8pvw-jcv7-9cmj: directories and files are served under their canonical paths', async () => {
    // A directory redirects to its index, which is not served under this path either.
    const redirects = ['//users', '/nested/..', '/users%2f'];
    for (const answer of await sameEach(serving(), redirects)) assert.equal(answer.status, 301);
    // Characters that must be encoded, and those that may be, are canonical either way.
    for (const answer of await sameEach(serving(), ['/a%20b.html', '/it%27s(1)%21.txt', "/it's(1)!.txt"])) {
      assert.equal(answer.status, 200);
    }
  });

  test('CVE-2026-34785: a mount ends at the end of a segment', async () => {
    const build = (web: Web) =>
      web()
        .use('/todo', web.static(root))
        .use('/css', web.static(at('users')), report);
    for (const answer of await sameEach(build, [
      '/todo.txt',
      '/css-backup/tobi.txt',
      '/css.sql',
      '/csstobi.txt',
    ])) {
      assert.equal(answer.status, 404);
    }
  });

  test('null byte: sends 400', async () => {
    for (const answer of await sameEach(serving({ fallthrough: false }), [
      '/a%00b',
      '/todo.txt%00',
      '/%00',
      '/todo.txt%00.html',
    ])) {
      assert.equal(answer.status, 400);
    }
  });

  test('CVE-2015-1164: redirects stay on the site', async () => {
    const targets = words(`
      //www.google.com/%2e%2e //a//youtube.com/%2e%2e%2f%2e%2e //^/.. ///nested //users?x=//y
    `);
    const answers = await sameEach(serving(), targets);
    assert.equal(location(answers[0]), '/www.google.com/%2e%2e/');
    for (const answer of answers) assert.match(location(answer) ?? '', /^\/[^/\\]/);
  });

  test('CVE-2021-22964: backslashes or an absolute target do not lead to another site', async () => {
    for (const path of words(`
      /\\evil.com/%2e%2e /\\/evil.com/%2e%2e //\\evil.com/%2e%2e http://evil.com//users
      http://evil.com/users
    `)) {
      const [answer] = await ours([path]);
      assert.ok(location(answer) === undefined || /^\/[^/\\]/.test(location(answer) ?? ''), path);
    }
    const [absolute] = await ours(['http://evil.com//users']);
    assert.equal(location(absolute), '/users/');
  });

  test('CVE-2024-43799, CVE-2024-43800: the redirect page has no markup from the URL, and has a policy', async () => {
    const asks: Ask[] = [
      '/users?<script>alert(1)</script>',
      '/users?a="b"&c=\'d\'',
      '/nested?%3Cscript%3E',
    ].map(path => ({ path }));
    for (const request of asks) {
      const answer = await same(serving(), request);
      assert.equal(answer.status, 301);
      assert.ok(!/<script|<a |href|"b"/.test(answer.text));
      assert.equal(answer.headers['content-security-policy'], "default-src 'none'");
      assert.equal(answer.headers['x-content-type-options'], 'nosniff');
      assert.equal(answer.headers['content-type'], 'text/html; charset=UTF-8');
    }
  });

  test('CVE-2014-6393: error pages have a charset, a policy and nosniff', async t => {
    t.mock.method(console, 'error', () => {});
    const build = (web: Web) =>
      web()
        .set('env', 'production')
        .use(web.static(root, { fallthrough: false }));
    for (const answer of await sameEach(build, ['/<script>', '/+ADw-script+AD4-', '/%'])) {
      assert.match(answer.headers['content-type'] ?? '', /charset=utf-8/);
      assert.equal(answer.headers['content-security-policy'], "default-src 'none'");
      assert.equal(answer.headers['x-content-type-options'], 'nosniff');
      assert.ok(!answer.text.includes('<script'));
    }
  });

  test('long paths: 16 KiB of any spelling take almost no time', async () => {
    for (const piece of ['/', '/.', '/..', '%2e', '%2f', '\\', '/a', '%25', 'a', '..\\', '/con']) {
      const path = '/' + piece.repeat(15000 / piece.length);
      const start = cpuTime();
      const [answer] = await ours([path], { dotfiles: 'deny', extensions: ['html'] });
      assert.match(answer?.text ?? '', /^passed on|Redirecting to/);
      assert.ok(cpuTime() - start < 1000, piece);
    }
  });
});
