// runs: http1, each
/** The end of an unread request: has the same observable state and events as in Node, whenever they are observed. */
import assert from 'node:assert/strict';
import { createServer, IncomingMessage } from 'node:http';
import type { Server, ServerResponse } from 'node:http';
import { finished, PassThrough } from 'node:stream';
import { describe, test } from 'node:test';
import onFinished = require('on-finished');
import web from 'ristretto';
import type { Request, Response } from 'ristretto';
import { askPort, exchangeRaw, withServer } from '../support/http.js';
import { stateOf } from '../support/request-state.js';
import type { RequestState } from '../support/request-state.js';

const turn = (): Promise<void> => new Promise(resolve => setImmediate(resolve));

/** Returns the state of a finished request a few turns after its response. */
async function stateAfter(path: 'ours' | 'bare'): Promise<RequestState> {
  let seen: IncomingMessage | undefined;
  const app = web();
  app.use((req, res) => {
    seen = req;
    res.send('answer');
  });
  const bare = createServer((req, res) => {
    seen = req;
    res.end('answer');
  });
  await withServer(path === 'ours' ? createServer(app) : bare, async port => {
    await askPort(port, '/first');
    await askPort(port, {});
    await turn();
  });
  return stateOf(seen!);
}

/** Returns the events that a GET request emits when `listen` adds listeners, in order. */
async function eventsSeen(
  listen: (req: Request, res: Response, note: (what: string) => void) => void,
): Promise<string[]> {
  const events: string[] = [];
  const app = web();
  app.get('/', (req, res) => {
    listen(req, res, what => events.push(what));
    res.send('answer');
  });
  await withServer(createServer(app), async port => {
    await askPort(port, '/other');
    await askPort(port, '/');
    await turn();
  });
  return events;
}

describe('end of unread requests', () => {
  test('state: a request reports that it is read and closed, as in Node', async () => {
    const ours = await stateAfter('ours');
    const bare = await stateAfter('bare');
    assert.deepEqual({ ...ours, readableDidRead: bare.readableDidRead }, bare);
    assert.deepEqual(
      [ours, bare].map(state => Reflect.get(state, 'closed')),
      [true, true],
    );
  });

  test('listeners: receive end and close if added before the response is sent', async () => {
    const events = await eventsSeen((req, _res, note) => {
      req.on('end', () => note('end')).on('close', () => note('close'));
      req.resume();
    });
    assert.deepEqual(events, ['end', 'close']);
  });

  test('listeners: receive only close if the request is not read', async () => {
    assert.deepEqual(await eventsSeen((req, _res, note) => req.on('close', () => note('close'))), ['close']);
  });

  test('listeners: receive end and close if added when the response finishes', async () => {
    const events = await eventsSeen((req, res, note) =>
      res.on('finish', () => req.on('end', () => note('end')).on('close', () => note('close'))),
    );
    assert.deepEqual(events, ['end', 'close']);
  });

  const later: Record<string, (begin: () => void) => void> = {
    'a promise': begin => void Promise.resolve().then(begin),
    'a tick': begin => process.nextTick(begin),
    'a turn': begin => setImmediate(begin),
    'some time': begin => setTimeout(begin, 5),
  };
  const ways: Record<string, (req: IncomingMessage, note: (what: string) => void) => void> = {
    data: (req, note) => req.on('data', () => note('data')).on('end', () => note('end')),
    readable: (req, note) => req.on('readable', () => void req.read()).on('end', () => note('end')),
    resume: (req, note) => req.on('end', () => note('end')).resume(),
    read: (req, note) => note(String(req.on('end', () => note('end')).read())),
    iterator: (req, note) =>
      void (async () => {
        for await (const chunk of req) note(String(chunk));
        note('done');
      })(),
    pipe: (req, note) =>
      req
        .pipe(new PassThrough())
        .on('finish', () => note('finish'))
        .resume(),
    'end alone': (req, note) => req.on('end', () => note('end')),
    'flow and pause': (req, note) =>
      req
        .on('end', () => note('end'))
        .resume()
        .pause(),
  };

  for (const [when, wait] of Object.entries(later)) {
    for (const [way, read] of Object.entries(ways)) {
      test(`late listeners: ${way} after ${when} observes the same as in Node`, async () => {
        const run = async (
          make: (handler: (req: never, res: never) => void) => Server,
        ): Promise<string[]> => {
          const notes: string[] = [];
          const server = make((req: IncomingMessage, res: ServerResponse) => {
            wait(() => {
              read(req, what => notes.push(what));
              setTimeout(() => {
                notes.push(`${String(req.readableEnded)} ${String(req.complete)} ${String(req.readable)}`);
                res.end('answer');
              }, 10);
            });
          });
          await withServer(server, async port => {
            await askPort(port, '/first');
            await askPort(port, '/');
          });
          return notes;
        };
        const ours = await run(handler => createServer(web().use(handler as never)));
        assert.deepEqual(ours, await run(handler => createServer(handler as never)));
      });
    }
  }

  test('late listeners: stream.finished and on-finished detect that the request is over', async () => {
    let seen: Request | undefined;
    const app = web();
    app.get('/', (req, res) => {
      seen = req;
      res.send('answer');
    });
    await withServer(createServer(app), async port => {
      await askPort(port, '/');
      await askPort(port, '/');
    });
    assert.equal(onFinished.isFinished(seen as never), true);
    await new Promise<void>((resolve, reject) => {
      finished(seen!, error => (error ? reject(error) : resolve()));
    });
    assert.equal(seen!.read(), null);
  });

  test('bodies: an unread body is discarded, and the connection serves the next request', async () => {
    const app = web();
    app.post('/', (_req, res) => res.send('first'));
    app.get('/', (_req, res) => res.send('second'));
    await withServer(createServer(app), async port => {
      const post = 'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 200000\r\n\r\n' + 'x'.repeat(200_000);
      const bytes = await exchangeRaw(port, post + 'GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n');
      assert.match(bytes.toString(), /^HTTP\/1\.1 200[^]*first[^]*HTTP\/1\.1 200[^]*second$/);
    });
  });

  test('patches: a replaced _dump is called', async t => {
    const runtime = IncomingMessage.prototype as unknown as { _dump(): void };
    const dump = t.mock.method(runtime, '_dump');
    const app = web();
    app.get('/', (_req, res) => res.send('answer'));
    await withServer(createServer(app), async port => {
      await askPort(port, '/');
      await askPort(port, '/');
    });
    assert.equal(dump.mock.callCount(), 2);
  });
});
