// runs: alone, built, each
/** Files and views on Windows, where file names have drives, devices, streams, two separators and short names. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import Module, { createRequire } from 'node:module';
import os from 'node:os';
import path from 'node:path';
import { describe, test } from 'node:test';
import type { ErrorRequestHandler } from 'express';
import { ask, askPort, withServer } from '../support/http.js';
import type { Answer } from '../support/http.js';
import type { Web } from '../support/oracle.js';
import { secondCopy } from '../support/modules.js';
import { words } from '../support/random.js';

/**
 * Windows, as far as file names are concerned: Ristretto and Express loaded with `path.win32` and a file system in
 * which names mean what they mean on Windows. The files are real, in a temporary folder that represents the drives.
 */
const { win32 } = path;

/** The working directory on this Windows. */
const WORKING_DIRECTORY = 'C:\\app';

const FILES: Record<string, string> = {
  'c/app/views/page.tmpl': 'a page',
  'c/app/views/blog/index.tmpl': 'a blog',
  'c/srv/secret.txt': 'secret',
  'c/srv/public/index.html': 'index',
  'c/srv/public/main.css': 'css',
  'c/srv/public/nested/index.html': 'nested',
  'c/srv/public/nested/a b.txt': 'a b',
  'c/srv/public/administration/report.txt': 'report',
  'c/srv/public/photo~1x.txt': 'a tilde',
  'c/srv/public/.env': 'hidden',
  'd/other.txt': 'other drive',
  'share/public/shared.txt': 'shared',
};
const home = fs.mkdtempSync(path.join(os.tmpdir(), 'windows-'));

process.on('exit', () => {
  fs.rmSync(home, { recursive: true, force: true });
});

for (const [name, text] of Object.entries({ ...FILES, device: 'a device answers' })) {
  fs.mkdirSync(path.dirname(path.join(home, name)), { recursive: true });
  fs.writeFileSync(path.join(home, name), text);
}

const DRIVES: Record<string, string> = { 'c:\\': 'c', 'd:\\': 'd', '\\\\server\\share\\': 'share' };
const DEVICE = /^(?:con|prn|aux|nul|com\d|lpt\d|conin\$|conout\$) *(?:[.:].*)?$/i;

/** The short name that NTFS gives to a file whose name is not valid in MS-DOS. */
function shortName(name: string): string {
  const { name: base, ext } = path.parse(name.replace(/^\.+/, ''));
  return `${base.replace(/[ .]/g, '').slice(0, 6)}~1${ext.slice(0, 4)}`;
}

/** The real file for a Windows name. */
function realPath(name: string): string {
  const { root } = win32.parse(win32.resolve(WORKING_DIRECTORY, name));
  const drive = DRIVES[root.toLowerCase()];
  let found = path.join(home, drive ?? 'no such drive');
  for (const segment of win32.resolve(WORKING_DIRECTORY, name).slice(root.length).split('\\')) {
    if (DEVICE.test(segment)) return path.join(home, 'device');
    const meant = segment
      .replace(/:.*$/, '')
      .replace(/[ .]+$/, '')
      .toLowerCase();
    const names = fs.existsSync(found) && fs.statSync(found).isDirectory() ? fs.readdirSync(found) : [];
    const entry = names.find(each => [each, shortName(each)].some(one => one.toLowerCase() === meant));
    found = path.join(found, entry ?? meant);
  }
  return found;
}

type Named = (name: string, ...rest: unknown[]) => unknown;

/** Wraps a function of `fs` whose first argument is a name. */
function onWindows(member: 'open' | 'stat' | 'statSync' | 'createReadStream'): Named {
  return (name, ...rest) => (fs[member] as Named)(realPath(name), ...rest);
}

const windowsFs = {
  ...fs,
  open: onWindows('open'),
  stat: onWindows('stat'),
  statSync: onWindows('statSync'),
  createReadStream: onWindows('createReadStream'),
};

/** Modules that run on Windows: the copy of Ristretto, and the parts of Express that handle file names. */
const INHABITANTS =
  /[\\/](?:\.second-copy-\w+[\\/](?:node_modules[\\/]@ristretto[\\/]private-engine[\\/])?lib|node_modules[\\/](?:express|send|serve-static|content-disposition))[\\/]/;
const SUBSTITUTES: Record<string, unknown> = { path: win32, fs: windowsFs };

type Load = (
  this: unknown,
  request: string,
  parent: { filename?: string } | undefined,
  ...rest: unknown[]
) => unknown;
const loader = Module as unknown as { _load: Load };
const load = loader._load;

loader._load = function (request, parent, ...rest) {
  const substitute = SUBSTITUTES[request.replace(/^node:/, '')];
  if (substitute !== undefined && INHABITANTS.test(parent?.filename ?? '')) return substitute;
  return load.call(this, request, parent, ...rest);
};

/** `path.win32` reads this for relative paths, and for paths without a drive. */
process.cwd = () => WORKING_DIRECTORY;

/** Both frameworks on Windows. No other code of the test may load Express before this. */
const frameworks: { ristretto: Web; express: Web } = {
  ristretto: secondCopy(),
  express: createRequire(__filename)('express') as Web,
};
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
    const steps = words('..%5c ..%5C..%5c ..\\ %2e%2e%5c ..%5c/ nested%5c..%5c..%5c nested\\..\\../');
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
    const dropped = words('/main.css. /main.css%20 /main.css%20. /nested./a%20b.txt /nested%20/a%20b.txt');
    const short = ['/ADMINI~1/report.txt', '/admini~1/report.txt', '/nested/AB~1.TXT', '/ENV~1', '/env~1'];
    await assertRefused([...dropped, ...short, '/nested%5ca%20b.txt', '/nested\\a%20b.txt']);
  });

  test('keeps hidden files hidden', async () => {
    await assertRefused(['/.env', '/.ENV', '/ENV~1', '/.env.', '/.env::$DATA', '/nested/..%5c.env']);
    const app = serving(frameworks.ristretto, PUBLIC, { dotfiles: 'allow' });
    assert.deepEqual(await outcomes(app, ['/.env', '/ENV~1']), { '/.env': 'hidden', '/ENV~1': 404 });
  });
});

const root = 'C:\\srv\\public';

function send(
  web: Web,
  member: 'sendFile' | 'download',
  path: string,
  options: object = {},
): Promise<Answer> {
  const app = web();
  app.set('env', 'test');
  app.get('/', (_req, res) => void res[member](path, options as never));
  return ask(app);
}

/** Returns the body of each file, or the status. */
async function sendEach(web: Web, paths: string[], options?: object): Promise<(string | number)[]> {
  const answers: (string | number)[] = [];
  for (const path of paths) {
    const { status, text } = await send(web, 'sendFile', path, options);
    answers.push(status === 200 ? text : status);
  }
  return answers;
}

describe('res.sendFile on Windows', () => {
  test('sends absolute paths with both separators, and paths of a share, as Express does', async () => {
    const paths = words(`
      C:\\srv\\public\\main.css C:/srv/public/main.css c:\\SRV\\public/main.css /srv/public/main.css
      \\\\server\\share\\public\\shared.txt D:\\other.txt
    `);
    for (const web of Object.values(frameworks)) {
      assert.deepEqual(await sendEach(web, paths), ['css', 'css', 'css', 'css', 'shared', 'other drive']);
    }
  });

  test('throws for a path that is relative to a drive', async () => {
    for (const web of Object.values(frameworks)) {
      const { status, text } = await send(web, 'sendFile', 'C:main.css');
      assert.equal(status, 500);
      assert.match(text, /path must be absolute or specify root/);
    }
  });

  test('sends paths below options.root with both separators', async () => {
    for (const web of Object.values(frameworks)) {
      const paths = ['main.css', 'nested\\a b.txt', 'nested/a b.txt', '.\\main.css'];
      assert.deepEqual(await sendEach(web, paths, { root }), ['css', 'a b', 'a b', 'css']);
    }
  });

  test('never serves a file outside of options.root', async () => {
    const ours = frameworks.ristretto;
    const upwards = ['..\\secret.txt', '../secret.txt', 'nested\\..\\..\\secret.txt'];
    assert.deepEqual(await sendEach(ours, upwards, { root }), [403, 403, 403]);
    const elsewhere = [
      'C:\\srv\\secret.txt',
      'D:other.txt',
      '\\\\server\\share\\public\\shared.txt',
      '\\srv\\secret.txt',
    ];
    assert.deepEqual(await sendEach(ours, elsewhere, { root }), [404, 404, 404, 404]);
  });

  test('opens no device, with and without a root', async () => {
    const devices = ['nul', 'con.txt', 'conin$', 'main.css::$DATA'];
    const refused = [404, 404, 404, 404];
    assert.deepEqual(await sendEach(frameworks.ristretto, devices, { root }), refused);
    const absolute = devices.map(name => `${root}\\${name}`);
    assert.deepEqual(await sendEach(frameworks.ristretto, absolute), refused);
  });

  test('sends a short name that the program passes, but none below a root', async () => {
    assert.deepEqual(await sendEach(frameworks.ristretto, [`${root}\\ADMINI~1\\report.txt`]), ['report']);
    assert.deepEqual(
      await sendEach(frameworks.ristretto, ['ADMINI~1\\report.txt', 'ENV~1'], { root }),
      [404, 404],
    );
  });
});

describe('res.download on Windows', () => {
  test('names the file after the last segment of its path, as Express does', async () => {
    for (const web of Object.values(frameworks)) {
      for (const path of [
        'C:\\srv\\public\\main.css',
        'C:/srv/public/main.css',
        '..\\srv\\public\\main.css',
      ]) {
        const { text, headers } = await send(web, 'download', path);
        assert.equal(text, 'css');
        assert.equal(headers['content-disposition'], 'attachment; filename="main.css"');
      }
    }
  });
});

/** Returns the path that the engine receives for a view, or the message of the error. */
async function render(web: Web, view: string, views?: string | string[]): Promise<string> {
  const app = web();
  app.engine('tmpl', (file: string, _options: object, done: (error: unknown, html: string) => void) =>
    done(null, file),
  );
  app.set('view engine', 'tmpl');
  if (views !== undefined) app.set('views', views);
  app.get('/', (_req, res) => res.render(view));
  app.use(((error, _req, res, _next) => void res.end(error.message)) as ErrorRequestHandler);
  return (await ask(app)).text;
}

describe('res.render on Windows', () => {
  test('finds views below the working directory by names with both separators, as Express does', async () => {
    const expected = {
      page: 'page.tmpl',
      'page.tmpl': 'page.tmpl',
      blog: 'blog\\index.tmpl',
      'blog/index': 'blog\\index.tmpl',
      'blog\\index': 'blog\\index.tmpl',
      [`${WORKING_DIRECTORY}\\views\\page`]: 'page.tmpl',
    };
    for (const web of Object.values(frameworks)) {
      for (const [name, file] of Object.entries(expected)) {
        assert.equal(await render(web, name), `C:\\app\\views\\${file}`);
      }
    }
  });

  test('searches every folder of the list, on other drives too, and names them in the error', async () => {
    for (const web of Object.values(frameworks)) {
      const views = ['D:\\views', '..\\app/views'];
      assert.equal(await render(web, 'page', views), 'C:\\app\\views\\page.tmpl');
      assert.match(await render(web, 'none', views), /in views directories "D:\\views" or "..\\app\/views"/);
    }
  });
});
