/** The live list of middleware. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { frameworks, ours, same } from './support/oracle.js';
import type { Build } from './support/oracle.js';
import type legacy from 'ristretto3';

const { ristretto3: web } = frameworks;

describe('app.stack', () => {
  test('entries: have route and handle for each middleware, with the router where the first route is', () => {
    const seen = Object.values(frameworks).map(framework => {
      const app = framework();
      app.use('/a', function first() {});
      app.get('/', () => {});
      app.use('/', function last() {});
      return app.stack.map(entry => [Object.keys(entry), entry.route, entry.handle.name]);
    });
    assert.deepEqual(seen[0], seen[1]);
    assert.deepEqual(
      seen[0]!.map(([, , name]) => name),
      ['query', 'expressInit', 'first', 'router', 'last'],
    );
  });

  test('edits: take effect, even while the application serves', async () => {
    const build: Build = web => {
      const app = web();
      app.use('/a', (_req: legacy.Request, res: legacy.Response) => res.send('first'));
      app.use('/a', (_req: legacy.Request, res: legacy.Response) => res.send('second'));
      app.stack.splice(2, 1);
      app.stack.unshift({
        route: '/b',
        handle: ((_req: unknown, res: { end(text: string): void }) => res.end('b')) as never,
      });
      return app;
    };
    assert.equal((await same(build, '/a')).text, 'second');
    assert.equal((await same(build, '/b/c')).text, 'b');

    const app = web();
    app.use('/', (_req: legacy.Request, res: legacy.Response, next: legacy.NextFunction) => {
      app.stack[3]!.route = '/moved';
      next();
      void res;
    });
    app.use('/a', (_req: legacy.Request, res: legacy.Response) => res.send('here'));
    assert.equal((await ours(() => app, '/a')).text, 'here');
    assert.equal((await ours(() => app, '/a')).status, 404);
    assert.equal((await ours(() => app, '/moved')).text, 'here');
  });

  test('handle: is looked up at each request', async () => {
    const build: Build = web => {
      const app = web();
      app.use('/a', (_req: legacy.Request, res: legacy.Response) => res.send('first'));
      app.stack[2]!.handle = ((_req: unknown, res: { end(text: string): void }) =>
        res.end('replaced')) as never;
      return app;
    };
    assert.equal((await same(build, '/a')).text, 'replaced');
  });

  test('bad entry: throws an error that says what an entry is', () => {
    const app = web();
    app.stack.push({ route: '/x' } as never);
    assert.throws(
      () => app.handle({ url: '/' } as never, {} as never),
      /expected entries \{ route: .* handle: undefined/,
    );
  });
});
