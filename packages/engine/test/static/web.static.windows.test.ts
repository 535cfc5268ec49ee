// runs: alone, built, each
/** `web.static` on Windows, where file names have drives, devices, streams, two separators and short names. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Web } from '../support/oracle.js';
import { askPort, withServer } from '../support/http.js';
import { frameworks } from '../support/windows.js';

const PUBLIC = 'C:\\srv\\public';

function serving(web: Web, root: string, options?: object): ReturnType<Web> {
  const app = web();
  app.set('env', 'test');
  return app.use(web.static(root, options));
}

/** Returns the result of each path: the body of a file, the location of a redirect, or the status. */
async function outcomes(app: ReturnType<Web>, paths: string[]): Promise<Record<string, string | number>> {
  return withServer(app, async port => {
    const seen: Record<string, string | number> = {};
    for (const path of paths) {
      const { status, headers, text } = await askPort(port, path);
      seen[path] = status === 200 ? text : (headers.location ?? status);
    }
    return seen;
  });
}

/** Asserts that every path gets 404. */
async function assertRefused(paths: string[], options?: object): Promise<void> {
  const seen = await outcomes(serving(frameworks.ristretto, PUBLIC, options), paths);
  assert.deepEqual(seen, Object.fromEntries(paths.map(path => [path, 404])));
}

describe('web.static on Windows', () => {
  test('serves the files below the root, and redirects to directories, as Express does', async () => {
    const expected = {
      '/': 'index',
      '/index.html': 'index',
      '/main.css': 'css',
      '/nested': '/nested/',
      '/nested/': 'nested',
      '/nested/a%20b.txt': 'a b',
      '/photo~1x.txt': 'a tilde',
    };
    for (const web of Object.values(frameworks)) {
      assert.deepEqual(await outcomes(serving(web, PUBLIC), Object.keys(expected)), expected);
    }
  });

  test('serves from a root that is relative, a drive, on another drive, or a share', async () => {
    const roots: Record<string, [path: string, text: string]> = {
      '..\\srv/public': ['/main.css', 'css'],
      'C:\\': ['/srv/public/main.css', 'css'],
      'd:/': ['/other.txt', 'other drive'],
      '\\\\server\\share': ['/public/shared.txt', 'shared'],
      '//server/share/public/': ['/shared.txt', 'shared'],
    };
    for (const [root, [path, text]] of Object.entries(roots)) {
      for (const web of Object.values(frameworks)) {
        assert.deepEqual(await outcomes(serving(web, root), [path]), { [path]: text }, root);
      }
    }
  });

  test('does not let a backslash lead out of the root, encoded or not', async () => {
    const steps = [
      '..%5c',
      '..%5C..%5c',
      '..\\',
      '%2e%2e%5c',
      '..%5c/',
      'nested%5c..%5c..%5c',
      'nested\\..\\../',
    ];
    await assertRefused(
      steps.map(step => `/${step}secret.txt`),
      { dotfiles: 'allow' },
    );
  });

  test('sends 403 for a path above the root when fallthrough is off', async () => {
    const paths = ['/..%5c..%5csecret', '/..%5csecret.txt', '/nested%5c..%5c..%5csecret.txt'];
    const app = serving(frameworks.ristretto, PUBLIC, { fallthrough: false });
    assert.deepEqual(await outcomes(app, paths), Object.fromEntries(paths.map(path => [path, 403])));
  });

  test('serves nothing from another drive or from a share', async () => {
    await assertRefused([
      ...['/D:/other.txt', '/D:other.txt', '/D:%5cother.txt', '/C:/srv/secret.txt', '/C:main.css'],
      ...['//server/share/public/shared.txt', '/%5c%5cserver%5cshare%5cpublic%5cshared.txt'],
      ...['/%5c%5c%3f%5cC:%5csrv%5csecret.txt', '//./C:/srv/secret.txt', '/%5c%5c.%5cCON'],
    ]);
  });

  test('opens no device and no stream of a file', async () => {
    await assertRefused([
      ...['/con', '/CON.txt', '/nested/nul', '/aux%20', '/prn%20.txt', '/COM1', '/lpt9.css', '/nul/'],
      ...['/conin$', '/CONOUT%24', '/main.css::$DATA', '/main.css:stream', '/main.css%3A%3A%24DATA'],
    ]);
  });

  test('serves no file under another name that Windows accepts for it', async () => {
    const dropped = [
      '/main.css.',
      '/main.css%20',
      '/main.css%20.',
      '/nested./a%20b.txt',
      '/nested%20/a%20b.txt',
    ];
    const short = ['/ADMINI~1/report.txt', '/admini~1/report.txt', '/nested/AB~1.TXT', '/ENV~1', '/env~1'];
    await assertRefused([...dropped, ...short, '/nested%5ca%20b.txt', '/nested\\a%20b.txt']);
  });

  test('keeps hidden files hidden', async () => {
    await assertRefused(['/.env', '/.ENV', '/ENV~1', '/.env.', '/.env::$DATA', '/nested/..%5c.env']);
    const app = serving(frameworks.ristretto, PUBLIC, { dotfiles: 'allow' });
    assert.deepEqual(await outcomes(app, ['/.env', '/ENV~1']), { '/.env': 'hidden', '/ENV~1': 404 });
  });
});
