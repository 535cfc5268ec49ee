/** `res.sendFile` when the header block cannot be created, or a patched function throws. */
import assert from 'node:assert/strict';
import { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { PassThrough } from 'node:stream';
import { describe, test } from 'node:test';
import type { ErrorRequestHandler, Request, RequestHandler, Response } from 'express';
import { exchangeRaw, withServer } from '../../support/http.js';
import { frameworks } from '../../support/oracle.js';
import type { Web } from '../../support/oracle.js';
import { at, root, until, watchDescriptors } from '../../support/tree.js';

type Failure = (Error & { code?: string }) | undefined;

const SPOILS: Record<string, (res: Response) => void> = {
  'status NaN': res => (res.statusCode = NaN),
  'a status message outside of Latin-1': res => (res.statusMessage = '漢'),
  'Trailer without chunks': res => res.setHeader('Trailer', 'X-Trailer'),
  'a patched writeHead': res => {
    res.writeHead = () => {
      throw Object.assign(new Error('patched'), { code: 'PATCHED' });
    };
  },
};
const CODES = ['ERR_HTTP_INVALID_STATUS_CODE', 'ERR_INVALID_CHAR', 'ERR_HTTP_TRAILER_INVALID', 'PATCHED'];

/** Returns what one request for a file produces: the bytes, and what callbacks and error handlers receive. */
async function seen(
  framework: Web,
  handler: RequestHandler,
  events: unknown[],
  requests = 'GET / ',
): Promise<string> {
  const app = framework().set('env', 'test');
  const failed: ErrorRequestHandler = (error: Failure, _req, res, next) => {
    events.push(`handler ${error?.code}`, res.destroyed);
    next(error);
  };
  app.use(handler, failed);
  return await withServer(app, async port => {
    const lines = requests.split(',').map(line => `${line}HTTP/1.1\r\nHost: x\r\n\r\n`);
    return String(await exchangeRaw(port, lines.join('')));
  });
}

/** Like `seen`, with a callback for `sendFile`. */
function withCallback(framework: Web, name: string, spoil: (res: Response) => void, method: string) {
  const events: unknown[] = [];
  const handler = (_req: Request, res: Response): void => {
    spoil(res);
    res.sendFile(at(name), (error: Failure) => {
      events.push(error?.code, res.destroyed, res.errored === error);
    });
  };
  return seen(framework, handler, events, `${method} / `).then(bytes => [bytes, ...events]);
}

describe('res.sendFile', () => {
  for (const [index, [what, spoil]] of Object.entries(SPOILS).entries()) {
    test(`a header block that cannot be built: ${what} closes the connection, and the callback gets the error`, async t => {
      const descriptors = watchDescriptors(t);
      for (const name of ['todo.txt', 'big.bin', 'empty.txt']) {
        const ours = await withCallback(frameworks.ristretto, name, spoil, 'GET');
        assert.deepEqual(ours, ['', CODES[index], true, true], name);
      }
      assert.deepEqual(await withCallback(frameworks.ristretto, 'todo.txt', spoil, 'HEAD'), [
        '',
        CODES[index],
        true,
        true,
      ]);
      assert.equal(descriptors.size, 0);
    });
  }

  test('a header block that cannot be built: behaves as in Express if a pipe catches what write throws', async t => {
    if (Number(process.versions.node.split('.')[0]) < 23) {
      t.skip('Express ends the process on this Node');
      return;
    }
    for (const spoil of Object.values(SPOILS)) {
      for (const name of ['todo.txt', 'big.bin']) {
        assert.deepEqual(
          await withCallback(frameworks.ristretto, name, spoil, 'GET'),
          await withCallback(frameworks.express, name, spoil, 'GET'),
        );
      }
    }
  });

  test('a header block that cannot be built: the error handlers get the error if there is no callback', async () => {
    for (const name of ['todo.txt', 'big.bin', 'empty.txt']) {
      const events: unknown[] = [];
      const bytes = await seen(
        frameworks.ristretto,
        (_req, res) => {
          res.statusMessage = '漢';
          res.sendFile(at(name));
        },
        events,
      );
      assert.deepEqual([bytes, ...events], ['', 'handler ERR_INVALID_CHAR', true]);
    }
  });

  test('a header block that cannot be built: a pipelined response closes the connection after the earlier ones', async () => {
    const started = performance.now();
    const events: unknown[] = [];
    const bytes = await seen(
      frameworks.ristretto,
      (req, res) => {
        if (req.url === '/first') {
          void until(() => events.length > 0).then(() => res.send('first'));
          return;
        }
        res.statusMessage = '漢';
        res.sendFile(at('todo.txt'), (error: Failure) => events.push(error?.code));
      },
      events,
      'GET /first ,GET /second ',
    );
    assert.ok(performance.now() - started < 5_000, 'closed by the client');
    assert.match(bytes, /^HTTP\/1\.1 200 OK\r\n[^]*\r\n\r\nfirst$/);
    assert.deepEqual(events, ['ERR_INVALID_CHAR']);
  });

  test('a header block that cannot be built: nothing is uncaught if a tool uses a stream as a connection', async () => {
    const app = frameworks.ristretto().set('env', 'test');
    const events: unknown[] = [];
    app.use((_req, res) => {
      res.statusMessage = '漢';
      res.sendFile(at('todo.txt'));
    });
    app.use(((error: Failure, _req, _res, _next) => {
      events.push(error?.code);
    }) as ErrorRequestHandler);
    const stream = new PassThrough() as unknown as Socket;
    const req = Object.assign(new IncomingMessage(stream), { method: 'GET', url: '/' });
    const res = new ServerResponse(req);
    res.assignSocket(stream);
    app(req, res);
    await until(() => events.length > 0);
    await new Promise(resolve => setImmediate(resolve));
    assert.deepEqual([events, stream.destroyed], [['ERR_INVALID_CHAR'], true]);
  });
});

describe('web.static', () => {
  test('a header block that cannot be built: closes the connection, and the process continues', async () => {
    const get = (path: string): string =>
      `GET ${path} HTTP/1.1\r\nHost: x\r\nIf-None-Match: "other", "a"\r\n\r\n`;
    for (const path of ['/todo.txt', '/big.bin', '/empty.txt']) {
      for (const fresh of [false, true]) {
        const app = frameworks.ristretto().set('env', 'test');
        const setHeaders = (res: Response): void => {
          res.statusMessage = '漢';
          if (fresh) res.setHeader('ETag', '"a"');
        };
        app.use(frameworks.ristretto.static(root, { setHeaders }));
        await withServer(app, async port => {
          assert.equal(String(await exchangeRaw(port, get(path))), '', `${path} ${fresh}`);
        });
      }
    }
  });
});
