/** `web.health`: what it reports to load balancers, and when. */
import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, test } from 'node:test';
import web from 'ristretto';
import type { Application, HealthOptions } from 'ristretto';
import { ask } from '../support/http.js';
import { started } from '../support/stopping.js';
import { until } from '../support/until.js';

interface Entry {
  message: string;
  error: unknown;
}

const appOf = (options?: HealthOptions): { app: Application; log: Entry[] } => {
  const log: Entry[] = [];
  const app = web().set('env', 'test');
  app.set('error logger', (entry: Entry) => void log.push(entry));
  app.use(web.health(options));
  return { app, log };
};

const statusAt = async (app: Application, path: string, method = 'GET'): Promise<number> =>
  (await ask(app, { path, method })).status;

describe('web.health', () => {
  test('live: returns 200 without running checks, and is not stored', async () => {
    const { app } = appOf({ checks: { never: () => assert.fail('not for this') } });
    const { status, headers, text } = await ask(app, { path: '/livez' });
    assert.equal(status, 200);
    assert.equal(headers['cache-control'], 'no-store');
    assert.equal(text, '{"status":"ok"}');
  });

  test('ready: returns 200 while all checks succeed, and names them', async () => {
    const { app } = appOf({ checks: { database: () => 'fine', cache: async () => sleep(1) } });
    const { status, text } = await ask(app, { path: '/readyz' });
    assert.equal(status, 200);
    assert.equal(text, '{"status":"ok","checks":{"database":"ok","cache":"ok"}}');
    assert.equal(await statusAt(appOf().app, '/readyz'), 200);
  });

  test('ready: returns 503 when a check throws, rejects or returns false, without the reason', async () => {
    const checks = {
      fine: () => true,
      thrown: () => {
        throw new Error('password=hunter2');
      },
      rejected: () => Promise.reject(new Error('10.0.0.7 refused')),
      refused: () => Promise.resolve(false),
    };
    const { app, log } = appOf({ checks });
    const { status, text } = await ask(app, { path: '/readyz' });
    assert.equal(status, 503);
    assert.deepEqual(JSON.parse(text), {
      status: 'unavailable',
      checks: { fine: 'ok', thrown: 'failed', rejected: 'failed', refused: 'failed' },
    });
    assert.deepEqual(
      log.map(({ message, error }) => `${message}: ${String(error)}`),
      [
        "health check 'thrown' fails: Error: password=hunter2",
        "health check 'rejected' fails: Error: 10.0.0.7 refused",
        "health check 'refused' fails: Error: The health check 'refused' returned false",
      ],
    );
  });

  test('ready: null, 0, an error and a response that is not ok count as failures, and no result as success', async () => {
    const checks = {
      missing: () => null,
      none: () => 0,
      returned: () => new Error('down'),
      response: async () => Promise.resolve(new Response('', { status: 500 })),
      nothing: () => undefined,
      rows: () => [],
      ok: () => new Response(''),
    };
    const { app } = appOf({ checks });
    const { text } = await ask(app, { path: '/readyz' });
    const failed = { missing: 'failed', none: 'failed', returned: 'failed', response: 'failed' };
    assert.deepEqual((JSON.parse(text) as { checks: object }).checks, {
      ...failed,
      nothing: 'ok',
      rows: 'ok',
      ok: 'ok',
    });
  });

  test('ready: an error of a member that was replaced, or of a setting, goes to the error handlers', async () => {
    const broken = (): never => {
      throw new Error('broken');
    };
    const breaks: Record<string, (app: Application) => unknown> = {
      'res.json': app =>
        app.use((_req, res, next) => {
          res.json = broken;
          next();
        }),
      'res.json, without a reason': app =>
        app.use((_req, res, next) => {
          res.json = () => {
            throw undefined as unknown as Error;
          };
          next();
        }),
      'json replacer': app => app.set('json replacer', broken),
      etag: app => app.set('etag', broken),
    };
    for (const [name, act] of Object.entries(breaks)) {
      const app = web().set('env', 'test');
      act(app);
      app.use(web.health({ checks: { database: async () => sleep(1) } }));
      assert.equal(await statusAt(app, '/readyz'), 500, name);
    }
  });

  test('timeout: a check that takes longer is aborted, and 503 is returned', async () => {
    let reason: unknown;
    const slow = (signal: AbortSignal): Promise<never> =>
      new Promise((_resolve, reject) => {
        signal.addEventListener('abort', () => {
          reason = signal.reason;
          reject(new Error('late'));
        });
      });
    const { app } = appOf({ checks: { slow, silent: () => new Promise(() => {}) }, timeout: 20 });
    const { status, text } = await ask(app, { path: '/readyz' });
    assert.equal(status, 503);
    assert.deepEqual(JSON.parse(text), {
      status: 'unavailable',
      checks: { slow: 'timed out', silent: 'timed out' },
    });
    assert.match(String(reason), /check 'slow' took more than 20 ms/);
  });

  test('a failure: is logged once when it begins, until the check succeeds again', async () => {
    let isUp = false;
    const { app, log } = appOf({ checks: { database: () => isUp }, maxAge: 0 });
    const statuses = [await statusAt(app, '/readyz'), await statusAt(app, '/readyz')];
    assert.equal(log.length, 1);
    isUp = true;
    statuses.push(await statusAt(app, '/readyz'));
    isUp = false;
    statuses.push(await statusAt(app, '/readyz'));
    assert.deepEqual(statuses, [503, 503, 200, 503]);
    assert.equal(log.length, 2);
  });

  test('a failure: is written to standard error without a logger, except in tests', async t => {
    const written = t.mock.method(console, 'error', () => {});
    const app = web().set('env', 'test');
    app.use(web.health({ checks: { database: () => false }, maxAge: 0 }));
    await ask(app, { path: '/readyz' });
    assert.equal(written.mock.callCount(), 0);
    const loud = web().set('env', 'production');
    loud.use(web.health({ checks: { database: () => false } }));
    await ask(loud, { path: '/readyz' });
    assert.match(String(written.mock.calls[0]?.arguments[0]), /^health check 'database' fails: Error: /);
  });

  test('maxAge: requests at the same time or soon after share one run of the checks', async () => {
    const counting = (maxAge: number) => {
      const seen = { runs: 0 };
      const count = async (): Promise<void> => {
        seen.runs++;
        await sleep(5);
      };
      return { ...appOf({ checks: { count }, maxAge }), seen };
    };
    const long = counting(60_000);
    await Promise.all([1, 2, 3].map(() => statusAt(long.app, '/readyz')));
    await statusAt(long.app, '/readyz');
    assert.equal(long.seen.runs, 1);
    const short = counting(20);
    await statusAt(short.app, '/readyz');
    await sleep(40);
    await statusAt(short.app, '/readyz');
    assert.equal(short.seen.runs, 2);
  });

  test('details: false omits the checks', async () => {
    const { app } = appOf({ checks: { database: () => false }, details: false });
    assert.equal((await ask(app, { path: '/readyz' })).text, '{"status":"unavailable"}');
  });

  test('paths: other paths and methods call next(), and HEAD sends no body', async () => {
    const { app } = appOf({ live: '/health/live', ready: false });
    app.use((_req, res) => void res.sendStatus(418));
    assert.equal(await statusAt(app, '/health/live'), 200);
    const head = await ask(app, { path: '/health/live', method: 'HEAD' });
    assert.deepEqual([head.status, head.text], [200, '']);
    assert.equal(await statusAt(app, '/health/live', 'POST'), 418);
    for (const path of ['/readyz', '/livez', '/health/live/', '/'])
      assert.equal(await statusAt(app, path), 418, path);
  });

  test('mounted: the paths are below the mount', async () => {
    const app = web().use('/internal', web.health());
    assert.equal(await statusAt(app, '/internal/readyz'), 200);
    assert.equal(await statusAt(app, '/readyz'), 404);
  });

  test('a response that has already been sent: is not replaced', async () => {
    const app = web().set('env', 'test');
    let release!: () => void;
    const isReleased = new Promise<void>(resolve => (release = resolve));
    app.use(web.deadline(5), web.health({ checks: { slow: () => isReleased }, timeout: 60_000 }));
    const { status, text } = await ask(app, { path: '/readyz' });
    assert.equal(status, 503);
    assert.doesNotMatch(text, /"checks"/);
    release();
    await sleep(1);
  });

  test('arguments: invalid values throw', () => {
    const health = web.health as (options: unknown) => unknown;
    assert.throws(
      () => health({ checks: { database: 'up' } }),
      /^TypeError: .* check 'database' must be a function, got 'up'$/,
    );
    assert.throws(
      () => health({ checks: 'database' }),
      /^TypeError: web\.health\(\): checks must be an object of functions, got 'database'$/,
    );
    assert.throws(() => health({ checks: null }), /^TypeError: .* checks .*, got null$/);
    assert.throws(() => health({ live: 'livez' }), /^TypeError: .*: live must be a path .*, got 'livez'$/);
    assert.throws(() => health({ ready: true }), /^TypeError: .*: ready must be .*, got true$/);
    assert.throws(() => health({ timeout: 0 }), /^RangeError: .*the timeout.*got 0$/);
    assert.throws(
      () => health({ timeout: 'soon' }),
      /^TypeError: .* for the timeout of web\.health\(\), got 'soon'$/,
    );
    assert.throws(() => health({ maxAge: -1 }), /^RangeError: .*got -1$/);
    assert.throws(() => health('/livez'), /^TypeError: .*expected an object with options, got '\/livez'$/);
  });

  test('web.stop: ready returns 503 during delay, and live still returns 200', async () => {
    let resolve!: () => void;
    const isDone = new Promise<void>(done => (resolve = done));
    let isBegun = false;
    const slow = (): Promise<void> => {
      isBegun = true;
      return isDone;
    };
    const { app } = appOf({ checks: { slow }, timeout: 60_000 });
    const other = appOf().app;
    const { server, port } = await started(app);
    const at = async (path: string): Promise<[number, string]> => {
      const response = await fetch(`http://127.0.0.1:${port}${path}`);
      return [response.status, await response.text()];
    };
    const begunBefore = at('/readyz');
    await until(() => isBegun);
    const stopped = web.stop(server, { delay: 2000, drain: 10 });
    const stopping = [503, '{"status":"unavailable","reason":"stopping"}'];
    assert.deepEqual(await at('/readyz'), stopping);
    assert.deepEqual(await at('/livez'), [200, '{"status":"ok"}']);
    resolve();
    assert.deepEqual(await begunBefore, stopping);
    assert.equal(await statusAt(other, '/readyz'), 503);
    await stopped;
    assert.equal(await statusAt(other, '/readyz'), 200);
  });

  test('web.stopOnSignals: ready returns 503 from then on', async () => {
    const { app } = appOf();
    const { server } = await started(app);
    const stopped = web.stopOnSignals(server, { signals: ['SIGTERM'] });
    assert.equal(await statusAt(appOf().app, '/readyz'), 200);
    // On Windows, a real signal would end the process.
    process.emit('SIGTERM', 'SIGTERM');
    await stopped;
    assert.equal(await statusAt(appOf().app, '/readyz'), 503);
  });
});
