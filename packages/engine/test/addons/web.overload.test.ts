// runs: alone
/** `web.overload`: which requests are rejected under load, with what, and that others are not. */
import assert from 'node:assert/strict';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { constants, createServer } from 'node:http2';
import { describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import web from 'ristretto';
import type { OverloadOptions, OverloadReport } from 'ristretto';
import { askPort, connectUnread, withServer, exchangeRaw } from '../support/http.js';
import { askHttp2, askSession, withSession } from '../support/http2.js';
import { until } from '../support/until.js';

type App = ReturnType<typeof web>;

/** Returns an application with one request that is not responded to, so that `maxRequests: 1` is reached. */
async function busy(options: OverloadOptions, use: (app: App) => unknown): Promise<void> {
  const app = web().set('env', 'test');
  let release = (): void => undefined;
  const arrived = new Promise<void>(resolve => {
    // On a busy machine, the event loop may be late.
    app.use(web.overload({ maxRequests: 1, maxDelay: '1m', ...options }));
    app.get('/slow', (_req, res) => {
      release = () => void res.send('slow');
      resolve();
    });
  });
  app.use(web.health());
  app.all('/', (_req, res) => void res.send('fine'));
  const slow = app.inject('/slow');
  await arrived;
  try {
    await use(app);
  } finally {
    release();
    await slow;
  }
  // The response is counted until it has closed.
  while ((await app.inject('/')).status !== 200) await sleep(1);
}

/** Keeps the event loop from doing anything else. */
const block = (milliseconds: number): void => {
  for (const end = performance.now() + milliseconds; performance.now() < end;);
};

describe('web.overload', () => {
  test('maxRequests: sends 503 with Retry-After while as many requests wait for a response', async () => {
    await busy({}, async app => {
      const { status, headers, text } = await app.inject('/');
      assert.equal(status, 503);
      assert.equal(headers['retry-after'], '1');
      assert.equal(headers['cache-control'], 'no-store');
      assert.equal(text(), 'Service Unavailable');
      assert.equal((await askHttp2(app, '/')).status, 503);
      const fetched = await app.fetch(new Request('http://localhost/', { method: 'POST', body: 'a' }));
      assert.equal(fetched.status, 503);
    });
  });

  test('retryAfter: is rounded up to seconds, or omitted', async () => {
    await busy({ retryAfter: '2500ms' }, async app => {
      assert.equal((await app.inject('/')).headers['retry-after'], '3');
    });
    await busy({ retryAfter: false }, async app => {
      assert.ok(!('retry-after' in (await app.inject('/')).headers));
    });
  });

  test('health checks: are never rejected, wherever web.health is registered', async () => {
    await busy({}, async app => {
      assert.equal((await app.inject('/livez')).status, 200);
      assert.equal((await app.inject('/readyz')).status, 200);
      assert.equal((await app.inject({ url: '/livez', method: 'POST' })).status, 503);
    });
  });

  test('priority: critical requests are never rejected, low ones are rejected sooner; other values throw', async () => {
    const priority = (req: web.Request): never => (req.get('Priority') ?? 'normal') as never;
    await busy({ priority: () => 'critical' }, async app => {
      assert.equal((await app.inject('/')).status, 200);
    });
    await busy({ priority, maxRequests: 2 }, async app => {
      const statusFor = async (value: string): Promise<number> =>
        (await app.inject({ url: '/', headers: { priority: value } })).status;
      assert.equal(await statusFor('low'), 503);
      assert.equal(await statusFor('normal'), 200);
      assert.equal(await statusFor('urgent'), 500);
    });
  });

  test('responses that have begun: no longer count', async () => {
    const app = web().use(web.overload({ maxRequests: 1, maxDelay: '1m' }));
    let end = (): void => undefined;
    const arrived = new Promise<void>(resolve => {
      app.get('/stream', (_req, res) => {
        res.write('begun');
        end = () => void res.end();
        resolve();
      });
    });
    app.get('/', (_req, res) => void res.send('fine'));
    await withServer(app, async port => {
      const streamed = askPort(port, '/stream');
      await arrived;
      // The response is found to have begun at the next measurement.
      while ((await askPort(port, '/')).status !== 200) await sleep(5);
      end();
      await streamed;
    });
  });

  test('maxDelay: rejects requests that arrive in one turn of the event loop, after the first 200 ms of work', async () => {
    const app = web().use(web.overload());
    app.get('/', (_req, res) => {
      block(60);
      res.send('done');
    });
    await withServer(app, async port => {
      const one = 'GET / HTTP/1.1\r\nHost: a\r\n\r\n';
      const last = 'GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n';
      const raw = String(await exchangeRaw(port, one.repeat(9) + last));
      const statuses = Array.from(raw.matchAll(/HTTP\/1\.1 (\d+)/g), match => match[1]);
      assert.equal(statuses.length, 10);
      assert.equal(statuses[0], '200');
      assert.deepEqual(statuses.slice(-5), ['503', '503', '503', '503', '503']);
    });
  });

  test('maxHeap, maxRss: reject requests while memory is short, except for one every 100 ms', async () => {
    for (const options of [{ maxHeap: 1e-6 }, { maxRss: 1 }]) {
      const app = web().use(web.overload(options));
      app.get('/', (_req, res) => void res.send('fine'));
      const statuses: number[] = [];
      for (let i = 0; i < 20; i++) statuses.push((await app.inject('/')).status);
      assert.equal(statuses[0], 200);
      assert.ok(statuses.includes(503), String(statuses));
      await sleep(120);
      assert.equal((await app.inject('/')).status, 200);
    }
  });

  test('ristretto.overload: reports rejected requests with the reason', async () => {
    const seen: unknown[] = [];
    const listen = (message: unknown): void => {
      const { req, res, reason } = message as OverloadReport;
      seen.push(req.url, res.statusCode, reason);
    };
    await busy({}, async app => {
      subscribe('ristretto.overload', listen);
      await app.inject('/?a');
      unsubscribe('ristretto.overload', listen);
    });
    assert.deepEqual(seen, ['/?a', 503, 'requests']);
  });

  test('clients that repeat rejected requests at once: are responded to later, not with all the time of the process', async () => {
    const app = web().use(web.overload({ maxRss: 1 }));
    app.get('/', (_req, res) => void res.send('fine'));
    await withServer(app, async port => {
      const until = performance.now() + 700;
      let rejected = 0;
      const client = async (): Promise<void> => {
        while (performance.now() < until) {
          if ((await askPort(port, '/')).status === 503) rejected++;
        }
      };
      await Promise.all(Array.from({ length: 20 }, client));
      assert.ok(rejected > 20, String(rejected));
    });
  });

  test('options: invalid values throw at registration', () => {
    const make = web.overload as (options?: unknown) => unknown;
    const wrong: [unknown, RegExp][] = [
      [
        { maxDelay: 0 },
        /^RangeError: Expected the maxDelay of web\.overload\(\) of 1 to \d+ milliseconds, got 0$/,
      ],
      [{ maxDelay: 'soon' }, /^TypeError: .*got 'soon'$/],
      [
        { maxRequests: 0.5 },
        /^TypeError: web\.overload\(\): maxRequests must be a whole number from 1, got 0\.5$/,
      ],
      [{ maxHeap: 90 }, /maxHeap must be a number above 0, up to 1, got 90$/],
      [{ maxRss: '1 gig' }, /maxRss must be a number of bytes, or text .*, got '1 gig'$/],
      [{ retryAfter: 5 }, /the retryAfter of web\.overload\(\) of 1000 to \d+ milliseconds, got 5$/],
      [{ retryAfter: 'soon' }, /the retryAfter of web\.overload\(\), got 'soon'$/],
    ];
    for (const [options, message] of wrong) {
      assert.throws(
        () => make(options),
        (error: unknown) => message.test(String(error)),
        String(message),
      );
    }
  });

  test('maxRequests: pipelined requests whose connection has closed are not counted', async () => {
    const app = web().set('env', 'test');
    app.use(web.overload({ maxRequests: 4, maxDelay: '1m' }));
    app.get('/never', () => undefined);
    app.get('/', (_req, res) => void res.send('fine'));
    await withServer(app, async port => {
      const connections = Array.from({ length: 3 }, () =>
        connectUnread(port, 'GET /never HTTP/1.1\r\nHost: a\r\n\r\n'.repeat(4)),
      );
      await sleep(50);
      for (const connection of connections) connection.destroy();
      await until(async () => (await askPort(port, '/')).status === 200);
    });
  });

  test('maxRequests: requests that reach it after their client has disconnected, or after their response, are not counted', async () => {
    const app = web().set('env', 'test');
    app.use('/left', (_req, res, next) => void res.on('close', next));
    app.use('/sent', (_req, res, next) => {
      res.on('close', next).send('sent');
    });
    app.use(web.overload({ maxRequests: 1, maxDelay: '1m' }));
    let late = 0;
    app.use('/left', () => void late++);
    app.use('/sent', () => void late++);
    app.use((_req, res) => void res.send('fine'));
    await withServer(app, async port => {
      const socket = connectUnread(port, 'GET /left HTTP/1.1\r\nHost: a\r\n\r\n');
      setTimeout(() => socket.destroy(), 20);
      await until(() => late === 1);
      assert.equal((await askPort(port)).status, 200);
      await askPort(port, '/sent');
      await until(() => late === 2);
      assert.equal((await askPort(port)).status, 200);
    });
    await withSession(createServer(app as never), async session => {
      const stream = session.request({ ':path': '/left' }).on('error', () => undefined);
      setTimeout(() => stream.close(constants.NGHTTP2_CANCEL), 20);
      await until(() => late === 3);
      assert.equal((await askSession(session, '/')).status, 200);
    });
  });

  test('maxRequests: pipelined requests in front of an upgrade or CONNECT, for which Node does not close their requests, are not counted', async () => {
    const app = web().set('env', 'test');
    app.use(web.overload({ maxRequests: 4, maxDelay: '1m' }));
    app.get('/never', () => undefined);
    app.get('/begun', (_req, res) => void res.write('a'));
    app.get('/', (_req, res) => void res.send('fine'));
    app.ws('/', () => undefined);
    const upgrade = 'Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n';
    const lasts = [
      `GET / HTTP/1.1\r\nHost: a\r\n${upgrade}Sec-WebSocket-Key: ${'A'.repeat(22)}==\r\n\r\n`,
      'CONNECT a:1 HTTP/1.1\r\nHost: a\r\n\r\n',
    ];
    for (const last of lasts) {
      await withServer(app, async port => {
        for (let i = 0; i < 5; i++) {
          const connection = connectUnread(port, 'GET /begun HTTP/1.1\r\nHost: a\r\n\r\n');
          await sleep(20);
          connection.write(`GET /never HTTP/1.1\r\nHost: a\r\n\r\n${last}`);
          await sleep(20);
          connection.destroy();
        }
        await until(async () => (await askPort(port, '/')).status === 200);
      });
    }
  });

  test('connection: requests that follow each other leave no listeners on it', async () => {
    const app = web().set('env', 'test');
    const counts = new Set<number>();
    app.use(web.overload(), web.deadline('1m'));
    app.get('/', (req, res) => {
      counts.add(req.socket.listenerCount('close'));
      setImmediate(() => res.send('a'));
    });
    await withServer(app, async port => {
      const pair = 'GET / HTTP/1.1\r\nHost: a\r\n\r\n'.repeat(2);
      const connection = connectUnread(port, '');
      let received = '';
      connection.resume().setEncoding('latin1');
      connection.on('data', text => (received += String(text)));
      for (let i = 1; i <= 20; i++) {
        connection.write(pair);
        await until(() => received.split('HTTP/1.1 200').length === 2 * i + 1);
      }
      connection.destroy();
    });
    assert.ok(counts.size <= 3, [...counts].join());
  });
});
