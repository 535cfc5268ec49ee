/** How the bytes go out: whole, well framed, as fast as they are taken, and with no descriptor left behind. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import type http from 'node:http';
import net from 'node:net';
import { describe, test } from 'node:test';
import web from 'ristretto';
import { ask, exchangeRaw, withServer } from './support/http.js';
import type { Web } from './support/oracle.js';
import { serving } from './support/static.js';
import { at, BIG, root, scratch, until, watchDescriptors } from './support/tree.js';

const app = (options?: object) => serving(options)(web as unknown as Web);
const get = (path: string, more = '') => `GET ${path} HTTP/1.1\r\nHost: x\r\n${more}\r\n`;
const CLOSE = 'Connection: close\r\n';

/** Opens a connection, sends the bytes, reads nothing. */
function connectUnread(port: number, bytes: string): net.Socket {
  const socket = net.connect(port, '127.0.0.1', () => socket.write(bytes));
  socket.on('error', () => {});
  return socket.pause();
}

describe('web.static', () => {
  test('descriptors: closed after a whole answer, a part, an error and a redirect', async t => {
    const opened = watchDescriptors(t);
    const asks = ['/todo.txt', '/big.bin', '/nested', '/nested/', '/nope', '/empty.txt'].map(path => ({
      path,
    }));
    const headers = [
      { Range: 'bytes=0-1' },
      { Range: 'bytes=99-' },
      { 'If-Match': '"x"' },
      { 'If-None-Match': '*' },
    ];
    for (const request of asks) await ask(app(), request);
    for (const one of headers)
      await ask(app(), { path: '/todo.txt', headers: one as Record<string, string> });
    await ask(app(), '//todo.txt');
    assert.equal(opened.size, 0);
  });

  test('CVE-2014-3742: an abort during the download closes the descriptor at once', async t => {
    const opened = watchDescriptors(t);
    await withServer(app(), async port => {
      const socket = connectUnread(port, get('/big.bin'));
      await until(() => opened.size === 1);
      socket.destroy();
      await until(() => opened.size === 0);
    });
  });

  test('CVE-2014-3742: aborts at any time leave no descriptor', async t => {
    const opened = watchDescriptors(t);
    await withServer(app(), async port => {
      for (const path of ['/big.bin', '/todo.txt', '/piece.bin', '/nested/']) {
        for (let turns = 0; turns < 15; turns++) {
          const socket = connectUnread(port, get(path));
          await new Promise(resolve => socket.on('connect', resolve));
          for (let turn = 0; turn < turns; turn++) await new Promise(resolve => setImmediate(resolve));
          socket.destroy();
        }
      }
      // An answer of its own shows that the server has seen all before.
      await exchangeRaw(port, get('/todo.txt', CLOSE));
      await until(() => opened.size === 0);
    });
  });

  test('CVE-2014-3742: pipelined answers whose turn never comes leave no descriptor', async t => {
    const opened = watchDescriptors(t);
    await withServer(app(), async port => {
      const socket = connectUnread(port, get('/big.bin').repeat(20));
      await until(() => opened.size === 20);
      socket.destroy();
      await until(() => opened.size === 0);
    });
  });

  test('CVE-2014-3742: the same where a body parser has read the request', async t => {
    const opened = watchDescriptors(t);
    const parsing = web().use(web.text({ type: () => true }), web.static(root));
    const request = get('/big.bin', 'Content-Length: 2\r\n') + 'ab';
    await withServer(parsing, async port => {
      const socket = connectUnread(port, request.repeat(3));
      await until(() => opened.size === 3);
      socket.destroy();
      await until(() => opened.size === 0);
    });
  });

  test('end: an answer that somebody else ends is left alone, and its descriptor closed', async t => {
    const opened = watchDescriptors(t);
    let answer: http.ServerResponse | undefined;
    const setHeaders = (res: http.ServerResponse) => {
      answer = res;
    };
    await withServer(app({ setHeaders, cacheControl: false }), async port => {
      const socket = connectUnread(port, get('/big.bin'));
      await until(() => opened.size === 1 && Boolean(answer?.headersSent));
      answer?.end();
      socket.resume();
      await until(() => opened.size === 0);
      socket.destroy();
    });
  });

  test('end: an answer that was ended while a small file was read is left alone', async t => {
    const opened = watchDescriptors(t);
    const setHeaders = (res: http.ServerResponse) => process.nextTick(() => res.end());
    for (const path of ['/todo.txt', '/big.bin']) {
      await withServer(app({ setHeaders }), async port => {
        const bytes = await exchangeRaw(port, get(path, CLOSE));
        assert.ok(bytes.toString('latin1').endsWith('\r\n\r\n'));
      });
    }
    assert.equal(opened.size, 0);
  });

  test('pipelining: small and large answers come in order and whole', async () => {
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
    const huge = scratch('huge.bin', Buffer.alloc(16 * BIG));
    let bytesRead = 0;
    const { read } = fs;
    t.mock.method(fs, 'read', (...args: unknown[]) => {
      bytesRead += args[3] as number;
      (read as (...args: unknown[]) => void)(...args);
    });
    try {
      await withServer(app(), async port => {
        const socket = connectUnread(port, get('/huge.bin'));
        let before = -1;
        while (bytesRead === 0 || bytesRead !== before) {
          before = bytesRead;
          await new Promise(resolve => setTimeout(resolve, 20));
        }
        assert.ok(bytesRead < 12 * BIG, String(bytesRead));
        let received = 0;
        socket.on('data', chunk => (received += chunk.length));
        socket.resume();
        await until(() => received > 16 * BIG);
        socket.destroy();
      });
    } finally {
      fs.unlinkSync(huge);
    }
  });

  test('changes: a file that grows is sent as long as was announced', async () => {
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

  test('changes: a file that shrinks ends in a destroyed connection, never in an answer that looks whole', async t => {
    const opened = watchDescriptors(t);
    for (const [size, left] of [
      [10, 0],
      [10, 4],
      [300_000, 100_000],
      [300_000, 0],
    ] as const) {
      const file = scratch('shrinking.bin', Buffer.alloc(size, 'a'));
      await withServer(app({ setHeaders: () => fs.truncateSync(file, left) }), async port => {
        // No `Connection: close`: that the connection ends is what is to be seen.
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

  test('reading: in pieces, where the system gives less than was asked for', async t => {
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

  test('CVE-2014-3742: an abort while a piece is read closes the descriptor after the read', async t => {
    const opened = watchDescriptors(t);
    const { read } = fs;
    let held: (() => void) | undefined;
    t.mock.method(fs, 'read', (...args: unknown[]) => {
      held = () => (read as (...args: unknown[]) => void)(...args);
    });
    let isClosed = false;
    const setHeaders = (res: http.ServerResponse) => res.on('close', () => (isClosed = true));
    await withServer(app({ setHeaders }), async port => {
      const socket = connectUnread(port, get('/big.bin'));
      await until(() => held !== undefined);
      socket.destroy();
      await until(() => isClosed);
      assert.equal(opened.size, 1);
      held?.();
      await until(() => opened.size === 0);
    });
  });

  test('errors: of reading are passed on before, and destroy the connection after the first byte', async t => {
    const failing = (after: number) => {
      const { read } = fs;
      let count = 0;
      return t.mock.method(fs, 'read', (...args: unknown[]) => {
        if (count++ < after) (read as (...args: unknown[]) => void)(...args);
        else
          setImmediate(
            args[5] as () => void,
            Object.assign(new Error('EIO: i/o error, read'), { code: 'EIO' }),
            0,
          );
      });
    };
    const opened = watchDescriptors(t);
    const early = failing(0);
    const answer = await ask(app(), '/todo.txt');
    assert.equal(answer.status, 500);
    assert.match(answer.text, /EIO/);
    early.mock.restore();

    const late = failing(2);
    await withServer(app(), async port => {
      const bytes = await exchangeRaw(port, get('/big.bin')).catch(() => Buffer.alloc(0));
      assert.ok(bytes.length < BIG);
    });
    late.mock.restore();
    assert.equal(opened.size, 0);
  });

  test('errors: of the system calls in between are passed on', async t => {
    const error = Object.assign(new Error('EACCES: permission denied, open'), { code: 'EACCES' });
    const open = t.mock.method(fs, 'open', (...args: unknown[]) =>
      (args.pop() as (error: Error) => void)(error),
    );
    const denied = await ask(app(), '/todo.txt');
    assert.equal(denied.status, 500);
    assert.match(denied.text, /EACCES.*accept-ranges/);
    // What needs no descriptor is answered all the same.
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

  test('errors: of closing do no harm', async t => {
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
    assert.deepEqual([...calls].sort(), ['end', 'setHeader', 'writeHead']);
    assert.equal((await ask(patched, '/big.bin')).body.length, BIG);
    assert.ok(calls.has('write'));
  });
});
