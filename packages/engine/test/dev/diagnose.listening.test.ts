// runs: slow, twice
/** Mistakes with app.listen: text that is not a port, and a port that is in use. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { describe, test } from 'node:test';
import { warningsOf } from '../support/warnings.js';

/** Listens twice on one port. */
function listenTwice(
  more = '',
  env: Record<string, string> = {},
  options = 'port',
): { status: number | null; stderr: string } {
  const inherited = { ...process.env };
  delete inherited.RISTRETTO_WARNINGS;
  delete inherited.NODE_ENV;
  const program = `
    const web = require('ristretto');
    const first = web().listen(0, () => {
      const { port } = first.address();
      const app = web();
      ${more}
      const server = app.listen(${options});
      if (${more.includes('LISTENER')}) server.on('error', error => { console.error('taken ' + error.code); process.exit(7); });
    });`;
  const { status, stderr } = spawnSync(process.execPath, ['-e', program], {
    cwd: path.join(__dirname, '../../../ristretto'),
    encoding: 'utf8',
    env: { ...inherited, ...env },
    timeout: 20_000,
  });
  return { status, stderr };
}

describe('warnings', () => {
  test('listen: warns about undefined, and a string that is neither a port nor a path', () => {
    const program = `
      const end = server => server.on('error', () => {}).close();
      end(web().listen('abc'));
      end(web().listen('localhost:3000'));
      const folder = process.platform === 'win32' ? '//./pipe' : require('node:os').tmpdir();
      const socket = folder + '/ristretto-' + process.pid + '.sock';
      for (const value of ['0', 0, socket]) end(web().listen(value));
      end(web().listen());
      end(web().listen(undefined, () => {}));
      end(web().disable('development warnings').listen('abc'));
      end(web().disable('development warnings').listen(undefined));`;
    const text = (value: string): string =>
      `app.listen() got '${value}', which is not a port: the server listens on a UNIX socket of that name. ` +
      `Pass a number, or './${value}' if you mean a socket.`;
    assert.deepEqual(
      warningsOf(program).map(({ code, message, detail }) => [code, message, detail]),
      [
        ['RISTRETTO_LISTEN', text('abc'), '    at [eval]:3:17'],
        ['RISTRETTO_LISTEN', text('localhost:3000'), '    at [eval]:4:17'],
        [
          'RISTRETTO_LISTEN',
          'app.listen() got undefined in place of a port, so the system chooses one at random. If the environment has ' +
            'the port, pass Number(process.env.PORT ?? 3000); for any free port, pass 0.',
          '    at [eval]:9:17',
        ],
      ],
    );
  });

  test('port in use: prints one line and exits with code 1', () => {
    for (const options of ['port', '{ port, http2: true }']) {
      const { status, stderr } = listenTwice('', {}, options);
      assert.equal(status, 1);
      assert.match(
        stderr,
        /^Port \d+ is in use \(EADDRINUSE\)\. To find out which program uses it: .*\d+; app\.listen\(\) was called at \[eval\]:\d+:\d+\n$/m,
      );
      assert.doesNotMatch(stderr, /^ {4}at /m);
    }
  });

  test('port in use: a program that handles the error receives it', () => {
    const rows: [more: string, status: number, text: RegExp][] = [
      ['/* LISTENER */', 7, /^taken EADDRINUSE\n$/],
      [
        "process.on('uncaughtException', error => { console.error('caught ' + error.code); process.exit(8); });",
        8,
        /^caught EADDRINUSE\n$/,
      ],
      [
        "process.on('uncaughtExceptionMonitor', error => console.error('seen ' + error.code));",
        1,
        /seen EADDRINUSE\n[^]*Error: listen EADDRINUSE/,
      ],
      ['process.setUncaughtExceptionCaptureCallback(() => process.exit(9));', 9, /^$/],
      ["app.disable('development warnings');", 1, /Error: listen EADDRINUSE/],
    ];
    for (const [more, code, text] of rows) {
      const { status, stderr } = listenTwice(more);
      assert.equal(status, code, more);
      assert.match(stderr, text);
    }
    const { status, stderr } = listenTwice('', { NODE_ENV: 'production' });
    assert.equal(status, 1);
    assert.match(stderr, /Error: listen EADDRINUSE/);
  });

  test('port in use: does not affect other errors', () => {
    const { status, stderr } = listenTwice('', {}, "'/nowhere/at/all.sock'");
    assert.equal(status, 1);
    assert.match(stderr, /Error: listen E[A-Z]+: .*nowhere/);
  });
});
