/** `web.multipart` on a full disk: in a separate process whose files cannot grow beyond about 64 KiB. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { describe, test } from 'node:test';
import type { TestContext } from 'node:test';
import { askPort } from '../../engine/test/support/http.js';
import type { Answer } from '../../engine/test/support/http.js';
import { form, uploadDirectory } from './support/multipart.js';
import type { Part } from './support/multipart.js';

/** Responds to uploads with the sizes of their files, which it removes, and to GET with the number of open files. */
const PROGRAM = `
  const fs = require('node:fs');
  const web = require('ristretto3');
  const uploadDir = process.argv[1];
  const app = web().set('env', 'production');
  const taken = (req, res) => {
    const files = Object.values(req.files);
    for (const { path } of files) fs.rmSync(path);
    res.send(files.map(({ size }) => size).join());
  };
  app.post('/whole', web.multipart({ uploadDir }), taken);
  app.post('/deferred', web.multipart({ uploadDir, defer: true }), (req, res, next) => {
    req.form.on('error', next).on('close', () => taken(req, res));
  });
  const isFile = fd => {
    try {
      return fs.fstatSync(Number(fd)).isFile();
    } catch {
      return false;
    }
  };
  app.get('/open', (req, res) => res.send(String(fs.readdirSync('/dev/fd').filter(isFile).length)));
  const server = app.listen(0, '127.0.0.1', () => console.log(server.address().port));
`;

/**
 * Starts the program with a file size limit, the closest to a full disk without privileges: a write is cut short, and
 * the next one fails.
 */
async function start(t: TestContext, uploadDir: string): Promise<{ child: ChildProcess; port: number }> {
  const limited = ['-c', 'ulimit -f 128 && exec "$0" "$@"', process.execPath, '-e', PROGRAM, uploadDir];
  // The reports that test processes write about themselves exceed the limit
  const { NODE_OPTIONS: _options, NODE_V8_COVERAGE: _coverage, ...env } = process.env;
  const child = spawn('sh', limited, { cwd: path.join(__dirname, '..'), env });
  t.after(() => child.kill('SIGKILL'));
  // Errors without a status are logged
  child.stderr.resume();
  const [line] = (await once(child.stdout, 'data')) as [Buffer];
  return { child, port: Number(line.toString()) };
}

const file = (size: number): Part => ({ name: `f${size}`, filename: 'x.bin', value: Buffer.alloc(size) });

describe('web.multipart', { skip: process.platform === 'win32' }, () => {
  for (const where of ['/whole', '/deferred']) {
    test(`full disk: 500, no file or descriptor is leaked, and the next upload succeeds (${where})`, async t => {
      const { uploadDir, left } = uploadDirectory(t);
      const { child, port } = await start(t, uploadDir);
      const upload = (...sizes: number[]): Promise<Answer> =>
        askPort(port, form(sizes.map(file), { path: where }));
      const open = async (): Promise<string> => (await askPort(port, '/open')).text;
      const before = await open();

      const refused = [await upload(1_000_000), await upload(1000, 200_000, 3000)];
      refused.push(...(await Promise.all(Array.from({ length: 10 }, () => upload(5000, 1_000_000)))));
      for (const { status, text } of refused) {
        assert.deepEqual([status, text], [500, 'Internal Server Error\n']);
      }
      assert.deepEqual(left(), []);
      assert.equal(await open(), before);

      const answer = await upload(1000, 30_000);
      assert.deepEqual([answer.status, answer.text], [200, '1000,30000']);
      assert.deepEqual(left(), []);
      assert.equal(await open(), before);
      assert.equal(child.exitCode, null);
    });
  }
});
