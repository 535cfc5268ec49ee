/** Settings and their defaults in Express 5, and `app.render`, `app.listen` and `app.handle`. */
import assert from 'node:assert/strict';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, test } from 'node:test';
import web from 'ristretto5';
import { alike, frameworks, quiet, same, serving } from './support/oracle.js';

describe('app.settings', () => {
  test('defaults: have the values of Express 5, in objects without a prototype', () => {
    alike(web => {
      const app = web() as unknown as Record<string, object>;
      return ['settings', 'cache', 'engines', 'locals'].map(
        name => Object.getPrototypeOf(app[name]) as unknown,
      );
    });
    const plain = (web: typeof frameworks.ristretto5) => {
      const { settings } = web() as unknown as { settings: Record<string, unknown> };
      return Object.entries(settings).map(([name, value]) => [name, typeof value === 'function' || value]);
    };
    alike(plain);
  });

  test('app.get: with only a name, reads a setting; throws without a name', () => {
    alike(web => [web().get('etag'), web().get('hasOwnProperty'), web().set('a', 1).get('a')]);
    alike(web => (web().get as () => unknown)());
  });

  test('query parser: is simple by default, and each value selects the parser of Express 5', () => {
    for (const value of ['simple', 'extended', true] as const) {
      alike(web =>
        (web().set('query parser', value).get('query parser fn') as (text: string) => unknown)(
          'a[b]=1&a[b]=2&c',
        ),
      );
    }
    alike(web => web().set('query parser', false).get('query parser fn'));
    alike(web => web().set('query parser', 'x' as never));
  });

  test('app.render: takes null as options, and calls back asynchronously', async () => {
    for (const framework of Object.values(frameworks)) {
      const app = framework();
      app.engine('tpl', (_file, _options, done) => done(null, 'html'));
      app.set('view', function View(this: Record<string, unknown>) {
        Object.setPrototypeOf(
          this,
          (require(framework === web ? 'ristretto5/lib/view' : 'express5/lib/view') as { prototype: object })
            .prototype,
        );
        Object.assign(this, {
          path: '/x',
          engine: (_path: string, _options: object, done: (...args: unknown[]) => void) => done(null, 'html'),
        });
      });
      const order: unknown[] = [];
      await new Promise<void>(resolve => {
        app.render('x', null as never, (error: unknown, html: string) => {
          order.push(error, html);
          resolve();
        });
        order.push('sync');
      });
      assert.deepEqual(order, ['sync', null, 'html']);
    }
  });

  test('app.listen: calls the callback once, on listening', async () => {
    for (const framework of Object.values(frameworks)) {
      const calls: unknown[] = [];
      const server = await new Promise<http.Server>(resolve => {
        const server = framework().listen(0, function (this: unknown, ...args: unknown[]) {
          calls.push(this === server, args);
          resolve(server);
        });
      });
      server.emit('error', new Error('late'));
      server.close();
      assert.deepEqual(calls, [true, []]);
    }
  });

  test('app.listen: passes the error to the callback if the port is in use', async () => {
    const taken = http.createServer().listen(0);
    const { port } = taken.address() as AddressInfo;
    for (const framework of Object.values(frameworks)) {
      const error = await new Promise<NodeJS.ErrnoException>(resolve => {
        framework().listen(port, resolve);
      });
      assert.equal(error.code, 'EADDRINUSE');
    }
    taken.close();
  });

  test('app.handle: adds the properties of Express 5 to a request, in their order', async () => {
    await same(
      serving((req, res) => {
        const before = new Set(Object.keys(new http.IncomingMessage(null as never)));
        res.json(Object.keys(req).filter(name => !before.has(name) && name !== '_parsedUrl'));
      }),
    );
  });

  test('app.handle: sends X-Powered-By unless it is disabled', async () => {
    const { headers } = await same(serving((_req, res) => void res.end()));
    assert.equal(headers['x-powered-by'], 'Ristretto');
    const without = await same(serving((_req, res) => void res.end(), { 'x-powered-by': false }));
    assert.equal(without.headers['x-powered-by'], undefined);
  });

  test('final handler: logs the whole error; in development, its folded stack and its properties', async () => {
    const log = console.error;
    const error = Object.assign(new Error('broken'), { detail: 1 });
    for (const framework of Object.values(frameworks)) {
      const logged: unknown[] = [];
      console.error = (...args: unknown[]) => void logged.push(...args);
      try {
        const app = framework();
        app.use(() => {
          throw error;
        });
        const server = app.listen(0);
        await fetch(`http://127.0.0.1:${String((server.address() as AddressInfo).port)}/`);
        await new Promise(resolve => setTimeout(resolve, 20));
        server.close();
      } finally {
        console.error = log;
      }
      if (framework === web && process.env.RISTRETTO_ERROR_PAGE !== 'off') {
        assert.match(
          String(logged[0]),
          /^Error: broken\n {4}at .*app\.settings\.test\.ts[^]*\n {4}detail: 1$/,
        );
      } else {
        assert.deepEqual(logged, [error]);
      }
    }
    await same(web => quiet(web()), '/none');
  });
});
