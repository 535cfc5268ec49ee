// runs: slow, http1, each
/** Unusual statuses, values and functions: the same bytes and events as with Express. */
import assert from 'node:assert/strict';
import * as http from 'node:http';
import { connect } from 'node:net';
import type { Socket } from 'node:net';
import { describe, test } from 'node:test';
import type { Application, Request, Response } from 'ristretto';
import { exchangeRaw, withServer } from '../support/http.js';
import { frameworks } from '../support/oracle.js';
import type { Web } from '../support/oracle.js';

type Name = keyof typeof frameworks;
type Handler = (req: Request, res: Response) => void;

const names = Object.keys(frameworks) as Name[];

function application(web: Web, handler: Handler): Application {
  const app = web() as Application;
  app.set('env', 'test').disable('x-powered-by');
  app.get('/', handler as never);
  app.get('/next', (_req, res) => void res.send('next'));
  app.use(((error: Error, _req: Request, res: Response, _next: unknown) => {
    res.destroy();
    assert.ok(error instanceof Error);
  }) as never);
  return app;
}

const TWO = 'GET / HTTP/1.1\r\nHost: a\r\n\r\nGET /next HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n';

/**
 * Returns what both frameworks send on one connection for `/` and `/next`, after asserting that it is the same, as are
 * the handler's notes.
 */
async function compare(handler: (note: (what: unknown) => void) => Handler): Promise<string> {
  const seen = await Promise.all(
    names.map(name => {
      const notes: unknown[] = [];
      const app = application(
        frameworks[name],
        handler(what => notes.push(what)),
      );
      return withServer(http.createServer(app as never), async port => {
        const bytes = await exchangeRaw(port, TWO);
        const text = bytes.toString('latin1').replace(/Date: [^\r]*/g, 'Date: now');
        return { text, notes };
      });
    }),
  );
  assert.deepEqual(seen[1], seen[0]);
  return seen[0]!.text;
}

describe('unusual responses', () => {
  const statuses: Record<string, unknown> = {
    "'204'": '204',
    "'304'": '304',
    '[204]': [204],
    'new Number(204)': Object(204) as unknown,
    '200.5': 200.5,
    "'length'": 'length',
    "'map'": 'map',
    "'__proto__'": '__proto__',
    'an object': { valueOf: () => 204 },
    '1000': 1000,
    '99': 99,
    NaN: Number.NaN,
    undefined: undefined,
    null: null,
    true: true,
  };
  for (const [name, status] of Object.entries(statuses)) {
    for (const way of ['send', 'json', 'end'] as const) {
      test(`a status of ${name} is sent by ${way} as Express sends it, with the type that Node gives it`, async () => {
        await compare(note => (_req, res) => {
          res.on('finish', () => {
            note([typeof res.statusCode, res.statusCode]);
          });
          res.status(status as number);
          (res[way] as (body: string) => unknown).call(res, 'hello');
        });
      });
    }
  }

  test('a Set-Cookie that is an object is sent as Node writes it', async () => {
    const text = await compare(() => (_req, res) => {
      res.setHeader('Set-Cookie', { toString: () => 'a=1' } as never);
      res.send('x');
    });
    assert.match(text, /Set-Cookie: a=1\r\n/);
  });

  test('a response after a 204 or 304 whose header block was rejected is sent if Node checks lengths', async () => {
    for (const status of [204, 304]) {
      const text = await compare(note => (_req, res) => {
        res.strictContentLength = true;
        res.statusMessage = 'a\nb';
        try {
          res.status(status).json('text');
        } catch (error) {
          note((error as NodeJS.ErrnoException).code);
        }
        res.statusMessage = 'Failed';
        res.status(500).set('Content-Length', '14').end('another length');
      });
      assert.match(text, /^HTTP\/1\.1 500 Failed\r\n[^]*another length/);
    }
  });

  test('reason phrases that the application has changed are sent', async () => {
    const handler: Handler = (_req, res) => void res.status(418).send('x');
    const before = http.STATUS_CODES[418];
    http.STATUS_CODES[418] = 'Short and Stout';
    try {
      assert.match(await compare(() => handler), /^HTTP\/1\.1 418 Short and Stout\r/);
    } finally {
      http.STATUS_CODES[418] = before;
    }
    // Newer versions of Node go on sending the first phrase, so Express does.
    const app = application(frameworks.ristretto, handler);
    const bytes = await withServer(http.createServer(app as never), port => exchangeRaw(port, TWO));
    assert.match(bytes.toString('latin1'), /^HTTP\/1\.1 418 I'm a Teapot\r/);
  });

  test('the mocked date is sent while a test freezes the clock, and the real date afterwards', async context => {
    context.mock.timers.enable({ apis: ['Date', 'setTimeout', 'setInterval'], now: 0 });
    const app = application(frameworks.ristretto, (_req, res) => void res.send('x'));
    const dates = await withServer(http.createServer(app as never), async port => {
      const text = (await exchangeRaw(port, TWO)).toString();
      return [...text.matchAll(/Date: ([^\r]*)/g)].map(([, date]) => date!);
    });
    context.mock.timers.reset();
    assert.equal(dates.length, 2);
    for (const date of dates) assert.ok(Math.abs(Date.parse(date) - Date.now()) < 5000, date);
  });

  test('end callbacks after the response are called', async () => {
    await compare(note => (_req, res) => {
      res.send('x');
      res.end(() => {
        note('callback');
      });
      res.on('finish', () => {
        note(['finish', res.writableFinished]);
      });
    });
  });

  test('a response of 30 MB that the client does not read emits the same events as in Express', async () => {
    const seen = await Promise.all(names.map(name => aborted(frameworks[name])));
    assert.deepEqual(seen[1], seen[0]);
    assert.ok(seen[0]!.some(event => event.includes('close')));
  });

  test('close of a response is emitted after all listeners of its connection have been removed', async () => {
    for (const name of names) {
      const closed = await new Promise<boolean>(resolve => {
        const app = application(frameworks[name], (req, res) => {
          req.socket.removeAllListeners('close');
          res.send('x');
        });
        app.get('/wait', (req, res) => {
          res.on('close', () => resolve(res.writableFinished));
          req.socket.destroy();
        });
        const server = http.createServer(app as never).listen(0, '127.0.0.1', () => {
          const { port } = server.address() as { port: number };
          const client = connect(port, '127.0.0.1');
          client.on('error', () => undefined).on('close', () => server.close());
          client.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n');
          client.once('data', () => client.write('GET /wait HTTP/1.1\r\nHost: a\r\n\r\n'));
        });
      });
      assert.equal(closed, false, name);
    }
  });
});

/** Returns the events of a large response whose client disconnects after the first bytes. */
async function aborted(web: Web): Promise<string[]> {
  const events: string[] = [];
  const big = Buffer.alloc(30_000_000);
  let client: Socket;
  const app = application(web, (req, res) => {
    for (const event of ['finish', 'close', 'error'])
      res.on(event, () => events.push(`res ${event} ${String(res.writableFinished)}`));
    for (const event of ['aborted', 'close', 'error'])
      req.on(event, (error?: NodeJS.ErrnoException) => events.push(`req ${event} ${error?.code ?? ''}`));
    res.send(big);
  });
  return withServer(http.createServer(app as never), async port => {
    client = connect(port, '127.0.0.1').on('error', () => undefined);
    client.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n');
    await new Promise(resolve => client.once('data', resolve));
    client.destroy();
    await new Promise(resolve => setTimeout(resolve, 200));
    return events;
  });
}
