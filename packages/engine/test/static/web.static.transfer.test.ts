// runs: each
/** How the bytes are sent: complete, correctly framed, and as fast as the client reads them. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import { describe, test } from 'node:test';
import web from 'ristretto';
import { ask, connectUnread, exchangeRaw, withServer } from '../support/http.js';
import type { Web } from '../support/oracle.js';
import { serving } from '../support/static.js';
import { at, BIG, HUGE, root, scratch, until, watchDescriptors } from '../support/tree.js';

const app = (options?: object) => serving(options)(web as unknown as Web);
const get = (path: string, more = '') => `GET ${path} HTTP/1.1\r\nHost: x\r\n${more}\r\n`;
const CLOSE = 'Connection: close\r\n';

describe('web.static', () => {
  test('pipelining: small and large responses arrive in order and whole', async () => {
    await withServer(app(), async port => {
      const requests =
        get('/big.bin') + get('/todo.txt') + get('/nope') + get('/big.bin') + get('/todo.txt', CLOSE);
      const text = (await exchangeRaw(port, requests)).toString('latin1');
      assert.deepEqual(
        text.match(/HTTP\/1\.1 \d+/g),
        [200, 200, 200, 200, 200].map(status => `HTTP/1.1 ${status}`),
      );
      assert.equal(text.split('abcdefghijklmnopqrstuvwxyz').length - 1, 2 * Math.floor(BIG / 26));
      assert.ok(text.endsWith('- groceries'));
    });
  });

  test('backpressure: a client that does not read gets no more than the buffers hold', async t => {
    let bytesRead = 0;
    const { read } = fs;
    t.mock.method(fs, 'read', (...args: unknown[]) => {
      bytesRead += args[3] as number;
      (read as (...args: unknown[]) => void)(...args);
    });
    await withServer(app(), async port => {
      const socket = connectUnread(port, get('/huge.bin'));
      let before = -1;
      while (bytesRead === 0 || bytesRead !== before) {
        before = bytesRead;
        await new Promise(resolve => setTimeout(resolve, 20));
      }
      assert.ok(bytesRead < HUGE / 2, String(bytesRead));
      let received = 0;
      socket.on('data', chunk => (received += chunk.length));
      socket.resume();
      await until(() => received > HUGE);
      socket.destroy();
    });
  });

  test('changes: a file that grows is sent with the announced length', async () => {
    for (const size of [10, 300_000]) {
      const file = scratch('growing.bin', Buffer.alloc(size, 'a'));
      const answer = await ask(
        app({ setHeaders: () => fs.appendFileSync(file, 'b'.repeat(100_000)) }),
        '/growing.bin',
      );
      assert.equal(answer.headers['content-length'], String(size));
      assert.equal(answer.text, 'a'.repeat(size));
    }
  });

  test('changes: a file that shrinks destroys the connection, so the response never looks whole', async t => {
    const opened = watchDescriptors(t);
    for (const [size, left] of [
      [10, 0],
      [10, 4],
      [300_000, 100_000],
      [300_000, 0],
    ] as const) {
      const file = scratch('shrinking.bin', Buffer.alloc(size, 'a'));
      await withServer(app({ setHeaders: () => fs.truncateSync(file, left) }), async port => {
        // No `Connection: close`: the test is that the server ends the connection.
        const bytes = await exchangeRaw(port, get('/shrinking.bin')).catch(() => Buffer.alloc(0));
        const text = bytes.toString('latin1');
        assert.ok(text.length < size);
        if (text !== '') assert.match(text, new RegExp(`Content-Length: ${size}\r\n`));
      });
    }
    assert.equal(opened.size, 0);
  });

  test('changes: a file that is replaced is sent as it was opened', async () => {
    const file = scratch('replaced.txt', 'old content');
    const setHeaders = () => {
      fs.unlinkSync(file);
      fs.writeFileSync(file, 'new');
    };
    assert.equal((await ask(app({ setHeaders }), '/replaced.txt')).text, 'old content');
  });

  test('reading: continues if the system returns fewer bytes than requested', async t => {
    const { read } = fs;
    t.mock.method(
      fs,
      'read',
      (fd: number, bytes: Buffer, offset: number, length: number, ...rest: never[]) => {
        (read as (...args: unknown[]) => void)(fd, bytes, offset, Math.min(length, 4), ...rest);
      },
    );
    assert.equal((await ask(app(), '/todo.txt')).text, '- groceries');
    t.mock.restoreAll();
    t.mock.method(
      fs,
      'read',
      (fd: number, bytes: Buffer, offset: number, length: number, ...rest: never[]) => {
        (read as (...args: unknown[]) => void)(fd, bytes, offset, Math.min(length, 50_000), ...rest);
      },
    );
    assert.deepEqual((await ask(app(), '/big.bin')).body, fs.readFileSync(at('big.bin')));
  });

  test('errors: of reading are passed on before the first byte, and destroy the connection afterwards', async t => {
    const failing = (after: number) => {
      const { read } = fs;
      let count = 0;
      return t.mock.method(fs, 'read', (...args: unknown[]) => {
        if (count++ < after) (read as (...args: unknown[]) => void)(...args);
        else
          setImmediate(
            args[5] as (error: Error, size: number) => void,
            Object.assign(new Error('EIO: i/o error, read'), { code: 'EIO' }),
            0,
          );
      });
    };
    const opened = watchDescriptors(t);
    const early = failing(0);
    const answer = await ask(app(), '/todo.txt');
    assert.equal(answer.status, 500);
    assert.match(answer.text, /EIO.*"set":\["x-powered-by"\]/);
    assert.equal(answer.headers.etag, undefined);
    early.mock.restore();

    const late = failing(2);
    await withServer(app(), async port => {
      const bytes = await exchangeRaw(port, get('/big.bin')).catch(() => Buffer.alloc(0));
      assert.ok(bytes.length < BIG);
    });
    late.mock.restore();
    assert.equal(opened.size, 0);
  });

  test('errors: of other system calls are passed on', async t => {
    const error = Object.assign(new Error('EACCES: permission denied, open'), { code: 'EACCES' });
    const open = t.mock.method(fs, 'open', (...args: unknown[]) =>
      (args.pop() as (error: Error) => void)(error),
    );
    const denied = await ask(app(), '/todo.txt');
    assert.equal(denied.status, 500);
    // The error response has none of the file's headers
    assert.match(denied.text, /EACCES.*"set":\["x-powered-by"\]/);
    // Responses that need no descriptor still work.
    assert.equal((await ask(app(), { path: '/todo.txt', headers: { 'If-None-Match': '*' } })).status, 304);
    assert.equal((await ask(app(), '/nested')).status, 301);
    assert.equal((await ask(app(), { method: 'HEAD', path: '/todo.txt' })).status, 200);
    open.mock.restore();

    const opened = watchDescriptors(t);
    t.mock.method(fs, 'fstatSync', () => {
      throw new Error('EIO: i/o error, fstat');
    });
    const answer = await ask(app(), '/todo.txt');
    assert.equal(answer.status, 500);
    assert.match(answer.text, /EIO/);
    assert.equal(opened.size, 0);
  });

  test('errors: of closing have no effect', async t => {
    const { closeSync } = fs;
    t.mock.method(fs, 'closeSync', (fd: number) => {
      closeSync(fd);
      throw new Error('EIO: i/o error, close');
    });
    assert.equal((await ask(app(), '/todo.txt')).text, '- groceries');
  });

  test(
    'pipes: a named pipe without a writer does not hang',
    { skip: process.platform === 'win32' },
    async () => {
      execFileSync('mkfifo', [at('pipe')]);
      try {
        const answer = await ask(app(), '/pipe');
        assert.equal(answer.status, 200);
        assert.equal(answer.body.length, 0);
      } finally {
        fs.unlinkSync(at('pipe'));
      }
    },
  );

  test('tools: patched setHeader, writeHead, write and end are called', async () => {
    const calls = new Set<string>();
    const patched = web();
    patched.use((_req, res, next) => {
      const members = res as unknown as Record<string, (...args: unknown[]) => unknown>;
      for (const name of ['setHeader', 'writeHead', 'write', 'end']) {
        const original = members[name]!;
        members[name] = function (...args) {
          calls.add(name);
          return original.apply(this, args);
        };
      }
      next();
    });
    patched.use(web.static(root));
    assert.equal((await ask(patched, '/todo.txt')).text, '- groceries');
    // If a method is patched, even a small file is sent as a stream
    assert.deepEqual([...calls].sort(), ['end', 'setHeader', 'write', 'writeHead']);
    assert.equal((await ask(patched, '/big.bin')).body.length, BIG);
  });

  test('tools: a large file arrives whole if a wrapped write collects chunks and returns nothing, true or a promise', async () => {
    for (const returned of [undefined, true, null, 0, '', {}, Promise.resolve(false)]) {
      const patched = web();
      patched.use((_req, res, next) => {
        const { end } = res;
        const pieces: Buffer[] = [];
        res.write = ((piece: Buffer) => {
          pieces.push(piece);
          return returned;
        }) as typeof res.write;
        res.end = ((piece?: Buffer) => {
          if (piece) pieces.push(piece);
          return (end as (bytes: Buffer) => unknown).call(res, Buffer.concat(pieces));
        }) as typeof res.end;
        next();
      });
      patched.get('/sendFile', (_req, res) => void res.sendFile(at('big.bin')));
      patched.get('/download', (_req, res) => void res.download(at('big.bin')));
      patched.use(web.static(root));
      const content = fs.readFileSync(at('big.bin'));
      for (const path of ['/big.bin', '/sendFile', '/download']) {
        assert.deepEqual((await ask(patched, path)).body, content, `${path}: ${String(returned)}`);
        const part = await ask(patched, { path, headers: { Range: 'bytes=100-300100' } });
        assert.equal(part.status, 206);
        assert.deepEqual(part.body, content.subarray(100, 300_101), `${path}: ${String(returned)}`);
      }
    }
  });

  test('tools: reading stops once a wrapped write has closed the response', async t => {
    const opened = watchDescriptors(t);
    const read = t.mock.method(fs, 'read');
    const patched = web();
    patched.use((_req, res, next) => {
      res.write = (() => {
        res.emit('close');
        res.destroy();
      }) as unknown as typeof res.write;
      next();
    });
    patched.use(web.static(root));
    await withServer(patched, async port => {
      await exchangeRaw(port, get('/big.bin')).catch(() => undefined);
    });
    assert.equal(read.mock.callCount(), 1);
    assert.equal(opened.size, 0);
  });
});
