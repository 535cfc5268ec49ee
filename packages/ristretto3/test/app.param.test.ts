/** Callbacks for parameters of routes. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { frameworks, ours, same } from './support/oracle.js';
import type { App, Build } from './support/oracle.js';
import type { ParamHandler, Request } from 'ristretto3/lib/types/core';
import type web from 'ristretto3';

const log = (req: Request, text: string): void => {
  req.session = [...((req.session as string[] | undefined) ?? []), text];
};
const note: ParamHandler = (req, _res, next, value, name) => {
  log(req, `${name}=${String(value)}`);
  next();
};
const build =
  (add: (app: App) => unknown): Build =>
  web => {
    const app = web();
    add(app);
    return app.use((req: web.Request, res: web.Response) => res.send([String(req.session), 'end'].join(' ')));
  };

describe('app.param', () => {
  test('callback: gets the value and the name, before the handlers of the route run', async () => {
    const add = build(app => app.param('id', note).get('/:id', (req, res) => res.send(req.session)));
    assert.deepEqual(JSON.parse((await same(add, '/7')).text), ['id=7']);
  });

  test('callback: several callbacks for one name run in order', async () => {
    const add = build(app =>
      app
        .param('id', note)
        .param('id', note)
        .get('/:id', (req, res) => res.send(req.session)),
    );
    assert.deepEqual(JSON.parse((await same(add, '/7')).text), ['id=7', 'id=7']);
  });

  test('callback: runs for each route that matches', async () => {
    const add = build(app =>
      app
        .param('id', note)
        .get('/:id', (_req, _res, next) => next())
        .get('/:id', (_req, _res, next) => next()),
    );
    assert.equal((await same(add, '/7')).text, 'id=7,id=7 end');
  });

  test('callback: does not run for other names or if the parameter is missing', async () => {
    const add = build(app =>
      app
        .param('id', note)
        .get('/a/:other', (_q, _s, next) => next())
        .get('/b/:id?', (_q, _s, next) => next()),
    );
    assert.equal((await same(add, '/a/7')).text, 'undefined end');
    assert.equal((await same(add, '/b')).text, 'undefined end');
    assert.equal((await same(add, '/b/7')).text, 'id=7 end');
  });

  test('array: registers the callback for each name', async () => {
    const add = build(app => app.param(['a', 'b'], note).get('/:b/:a', (_req, _res, next) => next()));
    assert.equal((await same(add, '/1/2')).text, 'b=1,a=2 end');
  });

  test('name: a leading colon is ignored', async () => {
    const add = build(app => app.param(':id', note).get('/:id', (_req, _res, next) => next()));
    assert.equal((await same(add, '/7')).text, 'id=7 end');
  });

  test('changed value: is passed to the route', async () => {
    const add = build(app =>
      app
        .param('id', (req, _res, next, value) => {
          req.params.id = `user ${String(value)}`;
          next();
        })
        .get('/:id', (req, res) => res.send(req.params.id)),
    );
    assert.equal((await same(add, '/7')).text, 'user 7');
  });

  test('next(error): error handlers in the route get the error', async () => {
    const fail: ParamHandler = (_req, _res, next) => next(new Error('no such user'));
    const add = build(app =>
      app.param('id', fail).get(
        '/:id',
        (_req: web.Request, res: web.Response) => res.send('no'),
        (err: unknown, _req: web.Request, res: web.Response, _next: web.NextFunction) =>
          res.send(`in the route: ${(err as Error).message}`),
      ),
    );
    assert.equal((await same(add, '/7')).text, 'in the route: no such user');
    const behind = build(app => app.param('id', fail).get('/:id', (_req, res) => res.send('no')));
    assert.equal((await same(behind, '/7')).status, 500);
  });

  test('next(error): no callback runs while an error is pending', async () => {
    const add = build(app => {
      app.param('id', note);
      app.get('/7', (_req, _res, next) => next(new Error('x')));
      app.get('/:id', (err: unknown, req: web.Request, res: web.Response, _next: web.NextFunction) =>
        res.send(`${(err as Error).message} ${String(req.session)}`),
      );
    });
    assert.equal((await same(add, '/7')).text, 'x undefined');
  });

  test('throwing: is handled as next(error)', async () => {
    const add = build(app =>
      app
        .param('id', () => {
          throw new Error('thrown');
        })
        .get('/:id', (err: unknown, _req: web.Request, res: web.Response, _next: web.NextFunction) =>
          res.send((err as Error).message),
        ),
    );
    assert.equal((await same(add, '/7')).text, 'thrown');
  });

  test('next(route): continues after the route', async () => {
    const add = build(app =>
      app
        .param('id', (_req, _res, next, value) => next(value === '7' ? 'route' : undefined))
        .get('/:id', (_req, res) => res.send('id'))
        .get('/*', (_req, res) => res.send('star')),
    );
    assert.equal((await same(add, '/7')).text, 'star');
    assert.equal((await same(add, '/8')).text, 'id');
  });

  test('function form: defines the meaning of a regular expression passed as callback', async () => {
    const add = build(app => {
      app.param((name, expression) => {
        if (!(expression instanceof RegExp)) return undefined;
        return (req, _res, next, value) => {
          const match = expression.exec(String(value));
          if (match === null) return next('route');
          req.params[name] = match as never;
          next();
        };
      });
      app.param('id', /^(\d+)-(\w+)$/);
      app.get('/users/:id', (req, res) => res.send(Array.from(req.params.id!).join()));
    });
    assert.equal((await same(add, '/users/7-ada')).text, '7-ada,7,ada');
    assert.equal((await same(add, '/users/x')).text, 'undefined end');
  });

  test('bad callback: throws an error that names the parameter and the value', () => {
    for (const web of Object.values(frameworks)) {
      assert.throws(() => web().param('id', 'x'), /invalid param\(\) call for id, got x/);
    }
  });

  test('rejected promise: is handled as an error', async () => {
    const add = build(app =>
      app
        .param('id', () => Promise.reject(new Error('late')))
        .get('/:id', (err: unknown, _req: web.Request, res: web.Response, _next: web.NextFunction) =>
          res.send((err as Error).message),
        ),
    );
    assert.equal((await ours(add, '/7')).text, 'late');
  });

  test('returned value: is the application', () => {
    for (const web of Object.values(frameworks)) {
      const app = web();
      assert.equal(app.param('id', note), app);
      assert.equal(app.param(['a'], note), app);
    }
  });
});
