/** `app.router`, `app.route` and `app.use` in Express 5, also with applications of 4 and 5 in each other. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import web from 'ristretto5';
import web4 from 'ristretto';
import { ask } from '../../engine/test/support/http.js';
import { alike, same } from './support/oracle.js';

describe('app.router', () => {
  test('app.router: is an own accessor without a setter', () => {
    alike(web => {
      const { get, set, ...flags } = Object.getOwnPropertyDescriptor(web(), 'router')!;
      return [typeof get, set, flags];
    });
    assert.throws(() => Object.assign(web(), { router: 1 }), TypeError);
  });

  test('app.router: is created on first access, with the settings at that time', () => {
    alike(web => {
      const app = web();
      app.enable('strict routing');
      const { router } = app;
      app.enable('case sensitive routing');
      return [router.strict, router.caseSensitive, app.router === router, router.stack.length];
    });
  });

  test('app.router: has an empty stack at first, which may be edited while the application serves', async () => {
    await same(web => {
      const app = web();
      app.get('/a', (_req, res) => void res.send('a'));
      app.get('/b', (_req, res) => void res.send('b'));
      app.router.stack.reverse();
      app.router.stack.shift();
      return app;
    }, '/b');
  });

  test('app.route: is called by the methods of the application', () => {
    alike(web => {
      const app = web();
      const paths: unknown[] = [];
      const { route } = app;
      app.route = function (this: unknown, path: string) {
        paths.push(path);
        return Reflect.apply(route, this, [path]) as never;
      } as typeof app.route;
      app.get('/x', () => undefined).all('/y', () => undefined);
      return paths;
    });
  });

  test('app.route: checks handlers when they are registered', () => {
    const refused: ((app: web.Application) => unknown)[] = [
      app => app.post('/x'),
      app => app.all('/x'),
      app => app.get('/x', 5 as never),
      app => app.use(),
      app => app.use('/x'),
      app => app.use('/x', 5 as never),
      app => app.use([]),
      app => app.param('x', undefined as never),
      app => app.param('x', 5 as never),
      app => app.param(5 as never, () => undefined),
      app => app.param(undefined as never, () => undefined),
      app => app.route('/x').get(),
      app => app.use({} as never, () => undefined),
      app => app.engine('x', undefined as never),
    ];
    for (const register of refused) alike(web => typeof register(web()));
  });

  test('app.use: applications of ristretto 4 and 5 mounted in each other keep their own members', async () => {
    const inner4 = web4();
    inner4.get('/', (req, res) => res.send(typeof (req as { param?: unknown }).param));
    const outer5 = web().use('/four', inner4 as never);
    assert.equal((await ask(outer5, '/four')).text, 'function');
    const inner5 = web();
    inner5.get('/', (req, res) => void res.send(`${typeof (req as { param?: unknown }).param} ${req.host}`));
    const outer4 = web4().use('/five', inner5 as never);
    assert.equal((await ask(outer4, { path: '/five', headers: { Host: 'a:81' } })).text, 'undefined a:81');
  });

  test('patches: members set on web.response of one version do not affect the other', () => {
    const four = web4.response as unknown as Record<string, unknown>;
    four.ofFour = 1;
    assert.equal('ofFour' in web.response, false);
    delete four.ofFour;
  });
});
