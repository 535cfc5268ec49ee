/** `req.route`: the route that matched. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { RequestHandler } from 'express';
import { same } from '../../support/oracle.js';

interface Route {
  path: unknown;
  methods: Record<string, boolean>;
  stack: {
    name: string;
    method?: string;
    handle: { name: string };
    keys: unknown[];
    regexp: RegExp;
    path?: string;
    params?: unknown;
  }[];
}
const routeOf = (req: { route?: unknown }): Route => req.route as Route;
const show: RequestHandler = function show(req, res) {
  const { path, methods, stack } = routeOf(req);
  res.json({
    path: String(path),
    methods,
    stack: stack.map(({ name, method, handle, keys, regexp, path: layerPath, params }) => ({
      name,
      method,
      handle: handle.name,
      keys,
      regexp: String(regexp),
      layerPath,
      params,
    })),
  });
};

describe('req.route', () => {
  test('fields: has path, stack and methods', () =>
    same(web => web().get('/users/:id', (_req, _res, next) => next(), show), '/users/7'));
  test('path: may be a regular expression or an array', async () => {
    await same(web => web().get(/^\/x/, show), '/x');
    await same(web => web().get(['/x', '/y'], show), '/y');
  });
  test('methods: lists the methods of the route, and _all if a handler is for all', () =>
    same(web => {
      const app = web();
      app.route('/x').get(show).post(show).all(show);
      return app;
    }, '/x'));
  test('methods: lists every method for app.all', () => same(web => web().all('/x', show), '/x'));
  test('JSON: serializes the whole route', () =>
    same(web => web().get('/x/:y', (req, res) => void res.json(req.route)), '/x/1'));
  test('before a route: is undefined', async () => {
    const answer = await same(web => web().use((req, res) => void res.json([typeof req.route])), '/');
    assert.equal(answer.text, '["undefined"]');
  });
  test('after a route: stays until another route matches', () =>
    same(web => {
      const seen: unknown[] = [];
      const note: RequestHandler = (req, _res, next) => {
        seen.push(routeOf(req).path);
        next();
      };
      return web()
        .get('/x', note)
        .use(note)
        .get('/:any', note)
        .post('/x', note)
        .use((_req, res) => void res.json(seen));
    }, '/x'));
  test('error handlers: see the route that failed', () =>
    same(web => {
      const app = web();
      app.get('/x', () => {
        throw new Error('no');
      });
      app.use(
        ((_err: unknown, req: { route: Route }, res: { json(v: unknown): void }, _next: unknown) =>
          void res.json(req.route.path)) as never,
      );
      return app;
    }, '/x'));
  test('param callbacks: see the route', () =>
    same(
      web =>
        web()
          .param('id', (req, _res, next) => {
            assert.equal(routeOf(req).path, '/:id');
            next();
          })
          .get('/:id', (_req, res) => void res.send('x')),
      '/7',
    ));
  test('mounted router: sets its own route, which stays afterwards', () =>
    same(web => {
      const router = web.Router();
      router.get('/y', (_req, _res, next) => next());
      return web()
        .use('/x', router)
        .use((req, res) => void res.json(routeOf(req).path));
    }, '/x/y'));
  test('HEAD: enters a route of another method, which becomes req.route', () =>
    same(
      web =>
        web()
          .post('/x', () => undefined)
          .use((req, res) => void res.set('X-Route', String(routeOf(req).path)).end()),
      { method: 'HEAD', path: '/x' },
    ));
});
