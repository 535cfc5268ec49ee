// runs: each
/** `web.static`: leaves no descriptor open, however a transfer ends. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import type http from 'node:http';
import { describe, test } from 'node:test';
import web from 'ristretto';
import { ask, connectUnread, exchangeRaw, withServer } from '../support/http.js';
import type { Web } from '../support/oracle.js';
import { serving } from '../support/static.js';
import { at, root, watchDescriptors } from '../support/tree.js';
import { until } from '../support/until.js';

const app = (options?: object) => serving(options)(web as unknown as Web);
const get = (path: string, more = '') => `GET ${path} HTTP/1.1\r\nHost: x\r\n${more}\r\n`;
const CLOSE = 'Connection: close\r\n';

describe('web.static', () => {
  test('descriptors: are closed after a whole response, a part, an error and a redirect', async t => {
    const opened = watchDescriptors(t);
    const asks = ['/todo.txt', '/big.bin', '/nested', '/nested/', '/nope', '/empty.txt'].map(path => ({
      path,
    }));
    const headers: Record<string, string>[] = [
      { Range: 'bytes=0-1' },
      { Range: 'bytes=99-' },
      { 'If-Match': '"x"' },
      { 'If-None-Match': '*' },
    ];
    for (const request of asks) await ask(app(), request);
    for (const one of headers) await ask(app(), { path: '/todo.txt', headers: one });
    await ask(app(), '//todo.txt');
    assert.equal(opened.size, 0);
  });

  test('CVE-2014-3742: an abort during the download closes the descriptor at once', async t => {
    const opened = watchDescriptors(t);
    await withServer(app(), async port => {
      const socket = connectUnread(port, get('/huge.bin'));
      await until(() => opened.size === 1);
      socket.destroy();
      await until(() => opened.size === 0);
    });
  });

  test('CVE-2014-3742: aborts at any time leave no descriptor open', async t => {
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
      // A response on another connection shows that the server has received everything before it.
      await exchangeRaw(port, get('/todo.txt', CLOSE));
      await until(() => opened.size === 0);
    });
  });

  test('CVE-2014-3742: pipelined responses that are never sent leave no descriptor open', async t => {
    const opened = watchDescriptors(t);
    await withServer(app(), async port => {
      const socket = connectUnread(port, get('/huge.bin').repeat(20));
      await until(() => opened.size === 20);
      socket.destroy();
      await until(() => opened.size === 0);
    });
  });

  test('CVE-2014-3742: no descriptor stays open after a body parser has read the request', async t => {
    const opened = watchDescriptors(t);
    const parsing = web().use(web.text({ type: () => true }), web.static(root));
    const request = get('/huge.bin', 'Content-Length: 2\r\n') + 'ab';
    await withServer(parsing, async port => {
      const socket = connectUnread(port, request.repeat(3));
      await until(() => opened.size === 3);
      socket.destroy();
      await until(() => opened.size === 0);
    });
  });

  test('end: a response ended by other code is not changed, and its descriptor is closed', async t => {
    const opened = watchDescriptors(t);
    let answer: http.ServerResponse | undefined;
    const setHeaders = (res: http.ServerResponse) => {
      answer = res;
    };
    await withServer(app({ setHeaders, cacheControl: false }), async port => {
      const socket = connectUnread(port, get('/huge.bin'));
      await until(() => opened.size === 1 && Boolean(answer?.headersSent));
      answer?.end();
      socket.resume();
      await until(() => opened.size === 0);
      socket.destroy();
    });
  });

  test('end: a response ended while a small file is read is not changed', async t => {
    const opened = watchDescriptors(t);
    const setHeaders = (res: http.ServerResponse) => process.nextTick(() => res.end());
    for (const path of ['/todo.txt', '/big.bin']) {
      await withServer(app({ setHeaders }), async port => {
        const bytes = await exchangeRaw(port, get(path, CLOSE));
        assert.ok(bytes.toString('latin1').endsWith('\r\n\r\n'));
      });
    }
    // The response may arrive before the descriptor is closed
    await until(() => opened.size === 0);
  });

  test('end: a response ended just before a chunk arrives is not changed', async t => {
    const opened = watchDescriptors(t);
    const { read } = fs;
    let answer: http.ServerResponse | undefined;
    t.mock.method(fs, 'read', (...args: unknown[]) => {
      const done = args.pop() as (...results: unknown[]) => void;
      (read as (...args: unknown[]) => void)(...args, (...results: unknown[]) => {
        answer?.end();
        done(...results);
      });
    });
    const setHeaders = (res: http.ServerResponse) => (answer = res);
    await withServer(app({ setHeaders }), async port => {
      const bytes = await exchangeRaw(port, get('/huge.bin', CLOSE));
      assert.ok(bytes.toString('latin1').endsWith('\r\n\r\n'));
    });
    assert.equal(opened.size, 0);
  });

  test('backpressure: reading does not wait for a writer that accepts everything', async () => {
    const eager = web();
    eager.use((_req, res, next) => {
      const { write } = res as unknown as { write: (...args: unknown[]) => boolean };
      res.write = (...args: unknown[]) => {
        write.apply(res, args);
        return true;
      };
      next();
    });
    eager.use(web.static(root));
    assert.deepEqual((await ask(eager, '/big.bin')).body, fs.readFileSync(at('big.bin')));
  });

  test('CVE-2014-3742: an abort during a read closes the descriptor after the read', async t => {
    const opened = watchDescriptors(t);
    const { read } = fs;
    let held: (() => void) | undefined;
    t.mock.method(fs, 'read', (...args: unknown[]) => {
      held = () => (read as (...args: unknown[]) => void)(...args);
    });
    let isClosed = false;
    const setHeaders = (res: http.ServerResponse) => res.on('close', () => (isClosed = true));
    await withServer(app({ setHeaders }), async port => {
      const socket = connectUnread(port, get('/huge.bin'));
      await until(() => held !== undefined);
      socket.destroy();
      await until(() => isClosed);
      assert.equal(opened.size, 1);
      held?.();
      await until(() => opened.size === 0);
    });
  });

  test('CVE-2014-3742: an abort while the response waits for the client closes the descriptor', async t => {
    const opened = watchDescriptors(t);
    const answers: http.ServerResponse[] = [];
    const app = web().use((_req, res, next) => {
      answers.push(res as never);
      next();
    });
    await withServer(app.use(web.static(root)) as never, async port => {
      const socket = connectUnread(port, get('/huge.bin'));
      // The client does not read: once all buffers are full, nothing more is read from the file.
      let waiting = 0;
      await until(() => (waiting = answers[0]?.writableNeedDrain ? waiting + 1 : 0) > 20);
      assert.equal(opened.size, 1);
      socket.destroy();
      await until(() => opened.size === 0);
    });
  });
});
