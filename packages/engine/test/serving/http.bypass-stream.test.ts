// runs: http1, each
/** Bodies read on the fast path: have the same observable effects as with streams, with any listeners at any time. */
import assert from 'node:assert/strict';
import { AsyncLocalStorage } from 'node:async_hooks';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { IncomingMessage } from 'node:http';
import { connect } from 'node:net';
import { finished } from 'node:stream';
import { describe, test } from 'node:test';
import onFinished = require('on-finished');
import type { NextFunction, Request, Response } from 'ristretto';
import { askPort, exchangeRaw, withServer } from '../support/http.js';
import { frameworks } from '../support/oracle.js';
import type { Web } from '../support/oracle.js';
import { stateOf } from '../support/request-state.js';

type Note = (what: string) => void;
type Middleware = (req: Request, res: Response, next: NextFunction, note: Note) => void;

type BodyError = Error & { status: number; type: string; received: number };

/** Returns an error handler for either framework. */
const errorHandler = (handle: (error: BodyError, req: Request, res: Response) => void) =>
  ((error: BodyError, req: Request, res: Response, _next: NextFunction) => handle(error, req, res)) as never;

const turn = (): Promise<void> => new Promise(resolve => setImmediate(resolve));

const post = (body: string, more = ''): string =>
  `POST / HTTP/1.1\r\nHost: a\r\nContent-Type: text/plain\r\nContent-Length: ${String(body.length)}\r\n${more}\r\n${body}`;

/** A body that arrives with its headers, and one that needs many reads. */
const bodies = { small: 'abc', large: 'x'.repeat(90_000) };

/**
 * Returns what is recorded while a framework serves one POST, with a middleware before the parser and a handler after
 * it.
 */
async function notes(
  web: Web,
  body: string,
  before: Middleware | undefined,
  after: Middleware = (_req, res) => res.end(),
): Promise<string[]> {
  const noted: string[] = [];
  const note: Note = what => noted.push(what);
  const app = web();
  app.set('env', 'test');
  if (before !== undefined) app.use((req, res, next) => before(req, res, next, note));
  app.use(web.text());
  app.use((req, res, next) => {
    note(`parsed ${String((req.body as string).length)}`);
    after(req, res, next, note);
  });
  await withServer(createServer(app), async port => {
    await askPort(port, '/warm');
    noted.length = 0;
    await exchangeRaw(port, post(body, 'Connection: close\r\n'));
    await turn();
    await turn();
  });
  return noted;
}

const describeState = (req: IncomingMessage): string =>
  JSON.stringify({ ...stateOf(req), readableFlowing: req.readableFlowing });

const noteAll = (req: Request, note: Note, who: string): void => {
  for (const event of ['data', 'end', 'close', 'aborted', 'error'])
    req.on(event, () => note(`${who}: ${event}`));
};

/** Asserts the same records with both frameworks and both bodies. */
async function same(before: Middleware | undefined, after?: Middleware): Promise<string[]> {
  let ours: string[] = [];
  for (const body of Object.values(bodies)) {
    const theirs = await notes(frameworks.express, body, before, after);
    ours = await notes(frameworks.ristretto, body, before, after);
    assert.deepEqual(unrepeated(ours), unrepeated(theirs));
  }
  return ours;
}

/** Removes repetitions, because the number of chunks of a body varies. */
const unrepeated = (noted: string[]): string[] => noted.filter((what, i) => what !== noted[i - 1]);

describe('bodies read without the stream', () => {
  test('fast path: adds no listeners while the body arrives', async () => {
    const listeners: number[] = [];
    const web = frameworks.ristretto;
    const noted = await notes(web, bodies.large, (req, _res, next) => {
      next();
      listeners.push(req.listenerCount('data'), req.listenerCount('end'));
    });
    assert.deepEqual(noted, ['parsed 90000']);
    assert.deepEqual(listeners.slice(-2), [0, 0]);
  });

  test('state: the request reports in the handler and afterwards that it is read', async () => {
    let seen: Request | undefined;
    const noted = await same(undefined, (req, res, _next, note) => {
      note(describeState(req));
      seen = req;
      res.on('finish', () => setImmediate(() => note(describeState(req))));
      res.end();
    });
    assert.equal(noted.length, 3);
    assert.equal(onFinished.isFinished(seen as never), true);
    await new Promise<void>((resolve, reject) => {
      finished(seen!, error => (error ? reject(error) : resolve()));
    });
  });

  test('listeners: those added before the parser receive every event', async () => {
    const noted = await same((req, _res, next, note) => {
      noteAll(req, note, 'before');
      next();
    });
    assert.ok(noted.includes('before: end') && noted.includes('before: close'));
  });

  test('listeners: those added while the body arrives receive every event', async () => {
    const noted = await same((req, _res, next, note) => {
      next();
      noteAll(req, note, 'meanwhile');
    });
    assert.ok(noted.includes('meanwhile: data') && noted.includes('meanwhile: end'));
  });

  test('listeners: those added between the last chunk and its handler receive end', async () => {
    const web = frameworks.ristretto;
    const noted: string[] = [];
    const app = web();
    app.use((req, _res, next) => {
      const { push } = req;
      next();
      // Node looks up `push` on the prototype of all requests, so this one is called first
      req.push = function (this: Request, chunk: unknown) {
        const more = push.call(this, chunk);
        if (chunk === null) req.on('end', () => noted.push('end')).on('close', () => noted.push('close'));
        return more;
      };
    });
    app.use(web.text(), (req, res) => {
      noted.push(`parsed ${String(req.body)}`);
      res.end();
    });
    await withServer(createServer(app), async port => {
      await askPort(port, '/warm');
      noted.length = 0;
      await exchangeRaw(port, post('abc', 'Connection: close\r\n'));
      await turn();
    });
    assert.deepEqual(noted.sort(), ['close', 'end', 'parsed abc']);
  });

  test('listeners: the handler after the parser receives the close event of the request', async () => {
    const noted = await same(undefined, (req, res, _next, note) => {
      noteAll(req, note, 'after');
      res.end();
    });
    assert.deepEqual(noted.slice(1), ['after: close']);
  });

  test('readers: pipe, read and iteration that begin while the body arrives work as usual', async () => {
    await same((req, _res, next, note) => {
      next();
      void (async () => {
        let size = 0;
        for await (const chunk of req) size += (chunk as Buffer).length;
        note(`iterated ${String(size)}`);
      })().catch((error: unknown) => note(String(error)));
    });
  });

  test('paused: a request that is paused while its body arrives waits until it is resumed', async () => {
    const noted = await same((req, _res, next, note) => {
      next();
      req.pause();
      setTimeout(() => {
        note('resumed');
        req.resume();
      }, 20);
    });
    assert.equal(noted[0], 'resumed');
  });

  test('destroyed: by middleware while the body arrives, the request is reported as aborted', async () => {
    for (const web of Object.values(frameworks)) {
      const seen: string[] = [];
      const app = web();
      app.use((req, _res, next) => {
        next();
        if (req.method === 'POST') req.destroy();
      });
      app.use(web.text());
      app.use(
        errorHandler((error, req) =>
          seen.push(`${String(error)} ${String(error.status)} ${String(req.destroyed)}`),
        ),
      );
      await withServer(createServer(app), async port => {
        await askPort(port, '/warm');
        await exchangeRaw(port, post('abc'));
        await turn();
      });
      assert.deepEqual(seen, ['BadRequestError: request aborted 400 true']);
    }
  });

  test('aborted: the error handler is called once, and the request reports the abort', async () => {
    for (const web of Object.values(frameworks)) {
      const seen: string[] = [];
      let notify = (): void => undefined;
      const notified = new Promise<void>(resolve => (notify = resolve));
      const app = web();
      app.use(web.text());
      app.use(
        errorHandler((error, req) => {
          seen.push(`${String(error)} ${String(error.received)} ${String(Reflect.get(req, 'aborted'))}`);
          notify();
        }),
      );
      await withServer(createServer(app), async port => {
        await askPort(port, '/warm');
        const socket = connect(port, '127.0.0.1');
        await once(socket, 'connect');
        socket.write(
          'POST / HTTP/1.1\r\nHost: a\r\nContent-Type: text/plain\r\nContent-Length: 10\r\n\r\nabc',
        );
        await turn();
        await turn();
        socket.destroy();
        await notified;
      });
      assert.deepEqual(seen, ['BadRequestError: request aborted 3 true']);
    }
  });

  test('pipelined: parses several bodies on one connection, with an oversized body between them', async () => {
    for (const web of Object.values(frameworks)) {
      const app = web();
      app.set('env', 'test');
      app.use(web.text({ limit: 1000 }));
      app.post('/', (req, res) => res.send(`length ${String(req.body.length)}`));
      app.use(errorHandler((error, _req, res) => res.status(error.status).send(error.type)));
      await withServer(createServer(app), async port => {
        const bytes = await exchangeRaw(
          port,
          post('abc') + post('x'.repeat(5000)) + post('abcd') + post('a', 'Connection: close\r\n'),
        );
        const answers = bytes.toString().match(/length \d+|entity[a-z.]+/g);
        assert.deepEqual(answers, ['length 3', 'entity.too.large', 'length 4', 'length 1']);
      });
    }
  });

  test('early response: the rest of the body is read nevertheless', async () => {
    for (const web of Object.values(frameworks)) {
      const seen: string[] = [];
      const app = web();
      app.post('/', (_req, res, next) => {
        next();
        res.send('early');
      });
      app.use(web.text());
      app.use((req, res) => {
        if (req.method === 'POST') seen.push(req.body as string);
        else res.end();
      });
      await withServer(createServer(app), async port => {
        await askPort(port, '/warm');
        const socket = connect(port, '127.0.0.1');
        socket.write(
          'POST / HTTP/1.1\r\nHost: a\r\nContent-Type: text/plain\r\nContent-Length: 6\r\n\r\nabc',
        );
        await once(socket, 'data');
        socket.end('defGET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n');
        await once(socket.resume(), 'close');
      });
      assert.deepEqual(seen, ['abcdef']);
    }
  });

  test('context: the handler after the parser runs in the context of the handler before it', async () => {
    const storage = new AsyncLocalStorage<string>();
    const noted = await same(
      (_req, _res, next) => storage.run('mine', next),
      (_req, res, _next, note) => {
        note(String(storage.getStore()));
        res.end();
      },
    );
    assert.equal(noted[1], 'mine');
  });
});
