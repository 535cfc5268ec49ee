// runs: alone, built
/** `res.sendFile` and `res.download` on Windows. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Answer } from '../../support/http.js';
import { ask } from '../../support/http.js';
import type { Web } from '../../support/oracle.js';
import { frameworks } from '../../support/windows.js';

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
    const paths = [
      ...[
        'C:\\srv\\public\\main.css',
        'C:/srv/public/main.css',
        'c:\\SRV\\public/main.css',
        '/srv/public/main.css',
      ],
      ...['\\\\server\\share\\public\\shared.txt', 'D:\\other.txt'],
    ];
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
