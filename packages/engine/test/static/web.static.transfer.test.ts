// runs: each
/** `web.static`: how files and their ranges are sent. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import type http from 'node:http';
import { describe, test } from 'node:test';
import web from 'ristretto';
import { sameEach } from '../support/compare.js';
import { Connection } from '../support/connection.js';
import { cpuTime } from '../support/worst-case.js';
import { ask, connectUnread, each, exchangeRaw, withServer } from '../support/http.js';
import type { Ask } from '../support/http.js';
import { same } from '../support/oracle.js';
import type { Web } from '../support/oracle.js';
import { words } from '../support/random.js';
import { serving } from '../support/static.js';
import { at, BIG, HUGE, root, scratch, watchDescriptors } from '../support/tree.js';
import { until } from '../support/until.js';

const app = (options?: object) => serving(options)(web as unknown as Web);
const get = (path: string, more = '') => `GET ${path} HTTP/1.1\r\nHost: x\r\n${more}\r\n`;
const CLOSE = 'Connection: close\r\n';

/** How the bytes are sent: complete, correctly framed, and as fast as the client reads them. */
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

  test('changes: a file that shrinks closes the connection when its turn in the queue comes', async () => {
    for (const size of [10, 300_000]) {
      const file = scratch('shrinking.bin', Buffer.alloc(size, 'a'));
      let queued: http.ServerResponse | undefined;
      const setHeaders = (res: http.ServerResponse) => {
        queued ??= res;
        fs.truncateSync(file, 0);
      };
      const queue = web();
      queue.get('/slow', async (_req, res) => {
        await until(() => queued?.destroyed === true);
        res.send('slow');
      });
      await withServer(queue.use(app({ setHeaders })), async port => {
        const connection = await Connection.open(port);
        await connection.get('/slow', '/shrinking.bin', '/todo.txt').closed();
        assert.match(connection.text, /^HTTP\/1.1 200 OK\r\n.*\r\n\r\nslow$/s);
      });
    }
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
    for (const [name, most] of [
      ['todo.txt', 4],
      ['big.bin', 50_000],
    ] as const) {
      const { read } = fs;
      const { mock } = t.mock.method(
        fs,
        'read',
        (fd: number, bytes: Buffer, offset: number, length: number, ...rest: never[]) => {
          (read as (...args: unknown[]) => void)(fd, bytes, offset, Math.min(length, most), ...rest);
        },
      );
      const { body } = await ask(app(), `/${name}`);
      mock.restore();
      assert.deepEqual(body, fs.readFileSync(at(name)));
    }
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

const TAG = 'W/"b-174876e81f4"';
const DATE = 'Sun, 13 Sep 2020 12:26:40 GMT';
const EARLIER = 'Sun, 13 Sep 2020 12:26:39 GMT';

const asking = (range: string, more: Record<string, string> = {}, path = '/todo.txt'): Ask => ({
  path,
  headers: { Range: range, ...more },
});

describe('web.static', () => {
  test('Range: sends 206 with Content-Range for a single part', async () => {
    const expected: Record<string, [string, string]> = {
      'bytes=2-4': ['bytes 2-4/11', 'gro'],
      'bytes=0-0': ['bytes 0-0/11', '-'],
      'bytes=2-': ['bytes 2-10/11', 'groceries'],
      'bytes=-3': ['bytes 8-10/11', 'ies'],
      'bytes=5-500': ['bytes 5-10/11', 'ceries'],
      '  bytes=2-4': ['bytes 2-4/11', 'gro'],
      'bytes= 2 - 4 ': ['bytes 2-4/11', 'gro'],
    };
    const answers = await sameEach(
      serving(),
      Object.keys(expected).map(range => asking(range)),
    );
    Object.values(expected).forEach(([contentRange, text], at) => {
      assert.equal(answers[at]?.status, 206);
      assert.equal(answers[at]?.headers['content-range'], contentRange);
      assert.equal(answers[at]?.text, text);
    });
  });

  test('Range: several parts send the whole file, unless they touch', async () => {
    const answers = await sameEach(serving(), [
      asking('bytes=0-1,5-6'),
      asking('bytes=0-1,2-3'),
      asking('bytes=4-6,0-5'),
      asking('bytes=0-1,50-60'),
      asking('bytes=50-60, 0-1'),
      asking('bytes=,0-1'),
    ]);
    assert.deepEqual(each(answers, 'status'), [200, 206, 206, 206, 206, 206]);
  });

  test('Range: sends 416 with the length if it cannot be satisfied', async () => {
    const ranges = words('bytes=11- bytes=100-200 bytes=5-2 bytes=x bytes= bytes=- bytes=-20 bytes=1.5-x-');
    await sameEach(
      serving(),
      ranges.map(range => asking(range)),
    );
    const answer = await same(serving(), asking('bytes=11-'));
    assert.equal(answer.status, 416);
    assert.equal(answer.headers['content-range'], 'bytes */11');
    await sameEach(serving(), [asking('bytes=0-', {}, '/empty.txt'), asking('bytes=-1', {}, '/empty.txt')]);
  });

  test('Range: another unit or syntax is ignored', async () => {
    const ranges = [
      'lines=0-1',
      'bytes',
      'bytes 0-1',
      'Bytes=0-1',
      '',
      'xbytes=0-1',
      'byte=0-1',
      'bytes =0-1',
    ];
    for (const answer of await sameEach(
      serving(),
      ranges.map(range => asking(range)),
    )) {
      assert.equal(answer.status, 200);
    }
  });

  test('Range: HEAD sends the headers of the part', async () => {
    const answer = await same(serving(), { method: 'HEAD', ...asking('bytes=2-4') });
    assert.equal(answer.status, 206);
    assert.equal(answer.headers['content-length'], '3');
  });

  test('Range: parts of a large file are sent, within a chunk and across chunks', async () => {
    const ranges = [
      'bytes=0-0',
      'bytes=65530-65540',
      'bytes=100-300000',
      `bytes=${BIG - 70000}-`,
      'bytes=-1',
    ];
    for (const answer of await sameEach(
      serving(),
      ranges.map(range => asking(range, {}, '/big.bin')),
    )) {
      assert.equal(answer.status, 206);
    }
  });

  test('acceptRanges: false ignores Range and omits Accept-Ranges', async () => {
    for (const acceptRanges of [false, null, 0, undefined, true]) {
      await same(serving({ acceptRanges }), asking('bytes=2-4'));
    }
    const answer = await same(serving({ acceptRanges: false }), asking('bytes=2-4'));
    assert.equal(answer.status, 200);
    assert.equal(answer.headers['accept-ranges'], undefined);
  });

  test('If-Range: an entity tag must match', async () => {
    const tags = [TAG, '"b-174876e81f4"', '"x"', `"x", ${TAG}`, 'W/"x"', '"'];
    const answers = await sameEach(
      serving(),
      tags.map(tag => asking('bytes=2-4', { 'If-Range': tag })),
    );
    assert.deepEqual(each(answers, 'status'), [206, 200, 200, 206, 200, 200]);
    await sameEach(serving({ etag: false }), [asking('bytes=2-4', { 'If-Range': TAG })]);
  });

  test('If-Range: a date is compared with Last-Modified', async () => {
    const answers = await sameEach(serving(), [
      asking('bytes=2-4', { 'If-Range': DATE }),
      asking('bytes=2-4', { 'If-Range': EARLIER }),
      asking('bytes=2-4', { 'If-Range': 'nonsense' }),
      asking('bytes=2-4', { 'If-Range': '' }),
      asking('bytes=100-', { 'If-Range': EARLIER }),
    ]);
    assert.deepEqual(each(answers, 'status'), [206, 200, 200, 206, 200]);
    await sameEach(serving({ lastModified: false }), [asking('bytes=2-4', { 'If-Range': DATE })]);
  });

  test('CVE-2026-34826: thousands of ranges send the whole file at once', async () => {
    for (const range of ['bytes=' + '0-0,'.repeat(3900), 'bytes=' + '0-,'.repeat(5000) + '1-2']) {
      const start = cpuTime();
      const answer = await ask(serving()(web as unknown as Web), asking(range));
      assert.equal(answer.status, 200);
      assert.equal(answer.text, '- groceries');
      assert.ok(cpuTime() - start < 1000);
    }
  });

  test('ecstatic, hapi: odd dates, tags and ranges neither throw nor hang', async () => {
    const odd = [...words('\xff NaN -1 1e400 " , * = bytes=-- bytes=9007199254740993-'), '0'.repeat(8000)];
    const fields = words('If-Modified-Since If-Unmodified-Since If-None-Match If-Match If-Range Range');
    await sameEach(
      serving(),
      fields.flatMap(field =>
        odd.map(value => ({ path: '/todo.txt', headers: { Range: 'bytes=0-1', [field]: value } })),
      ),
    );
  });
});
