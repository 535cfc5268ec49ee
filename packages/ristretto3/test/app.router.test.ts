/** `app.router`: where the routes run among the middleware. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { same } from './support/oracle.js';
import type { App, Build } from './support/oracle.js';
import type web from 'ristretto3';

type Step = (app: App) => unknown;

const note =
  (name: string): Step =>
  app =>
    app.use((req: web.Request, _res: web.Response, next: web.NextFunction) => {
      req.session = [...((req.session as string[] | undefined) ?? []), name];
      next();
    });
const route: Step = app =>
  app.get('/', (req, _res, next) => {
    req.session = [...((req.session as string[] | undefined) ?? []), 'route'];
    next();
  });
const router: Step = app => app.use(app.router);
const end: Step = app => app.use((req: web.Request, res: web.Response) => res.send(req.session));

async function order(...steps: Step[]): Promise<unknown> {
  const build: Build = web => {
    const app = web();
    for (const step of [...steps, end]) step(app);
    return app;
  };
  return JSON.parse((await same(build)).text);
}

describe('app.router', () => {
  test('order: without app.use(app.router), the first route sets the position', async () => {
    assert.deepEqual(await order(note('a'), route, note('b')), ['a', 'route', 'b']);
    assert.deepEqual(await order(route, note('a')), ['route', 'a']);
  });

  test('order: app.use(app.router) sets the position, before or after routes are added', async () => {
    assert.deepEqual(await order(router, note('a'), route), ['route', 'a']);
    assert.deepEqual(await order(note('a'), router, note('b'), route), ['a', 'route', 'b']);
    assert.deepEqual(await order(note('a'), route, note('b'), router), ['a', 'route', 'b', 'route']);
  });

  test('order: routes do not run if app.router is read but not used', async () => {
    assert.deepEqual(await order(app => app.router, note('a'), route), ['a']);
  });

  test('order: the router can be used in another application', async () => {
    const build: Build = web => {
      const [app, other] = [web(), web()];
      other.get('/x', (req, res) => res.send(req.url));
      app.use('/m', other.router as never);
      return app;
    };
    assert.equal((await same(build, '/m/x')).text, '/x');
  });

  test('function: has three parameters and the name router', async () => {
    const build: Build = web => {
      const app = web();
      const { name, length } = app.router;
      return app.use((_req: web.Request, res: web.Response) => res.send([name, length].join()));
    };
    assert.equal((await same(build)).text, 'router,3');
  });
});
