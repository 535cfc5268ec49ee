/** Callbacks for parameters of routes. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { caught, failing, frameworks, note, noted, ours, pass, respond, serves } from './support/oracle.js';
import type { ParamHandler } from 'ristretto3/lib/types/core';

const noteValue: ParamHandler = (req, res, next, value, name) =>
  void note(`${name}=${String(value)}`)(req, res, next);
const noSuchUser: ParamHandler = (_req, _res, next) => next(new Error('no such user'));

describe('app.param', () => {
  serves(
    'callback: gets the value and the name, before the handlers of the route run',
    app => app.param('id', noteValue).get('/:id', noted),
    { '/7': 'id=7' },
  );

  serves(
    'callback: several callbacks for one name run in order',
    app => app.param('id', noteValue).param('id', noteValue).get('/:id', noted),
    { '/7': 'id=7,id=7' },
  );

  serves(
    'callback: runs for each route that matches',
    app => app.param('id', noteValue).get('/:id', pass).get('/:id', pass).use(noted),
    { '/7': 'id=7,id=7' },
  );

  serves(
    'callback: does not run for other names or if the parameter is missing',
    app => app.param('id', noteValue).get('/a/:other', noted).get('/b/:id?', noted),
    { '/a/7': 'undefined', '/b': 'undefined', '/b/7': 'id=7' },
  );

  serves(
    'array: registers the callback for each name',
    app => app.param(['a', 'b'], noteValue).get('/:b/:a', noted),
    { '/1/2': 'b=1,a=2' },
  );

  serves('name: a leading colon is ignored', app => app.param(':id', noteValue).get('/:id', noted), {
    '/7': 'id=7',
  });

  serves(
    'changed value: is passed to the route',
    app =>
      app
        .param('id', (req, _res, next, value) => {
          req.params.id = `user ${String(value)}`;
          next();
        })
        .get('/:id', (req, res) => res.send(req.params.id)),
    { '/7': 'user 7' },
  );

  serves(
    'next(error): error handlers in the route get the error',
    app => app.param('id', noSuchUser).get('/:id', respond('no'), caught('in the route')),
    { '/7': 'in the route: no such user' },
  );
  serves(
    'next(error): sends 500 without an error handler',
    app => app.param('id', noSuchUser).get('/:id', respond('no')),
    { '/7': 500 },
  );

  serves(
    'next(error): no callback runs while an error is pending',
    app => app.param('id', noSuchUser).get('/7', failing).get('/:id', caught('first')),
    { '/7': 'first: broken' },
  );

  serves(
    'throwing: is handled as next(error)',
    app =>
      app
        .param('id', () => {
          throw new Error('thrown');
        })
        .get('/:id', caught('took')),
    { '/7': 'took: thrown' },
  );

  serves(
    'next(route): continues after the route',
    app =>
      app
        .param('id', (_req, _res, next, value) => next(value === '7' ? 'route' : undefined))
        .get('/:id', respond('id'))
        .get('/*', respond('star')),
    { '/7': 'star', '/8': 'id' },
  );

  serves(
    'function form: defines the meaning of a regular expression passed as callback',
    app => {
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
    },
    { '/users/7-ada': '7-ada,7,ada', '/users/x': 404 },
  );

  test('bad callback: throws an error that names the parameter and the value', () => {
    for (const web of Object.values(frameworks)) {
      assert.throws(() => web().param('id', 'x'), /invalid param\(\) call for id, got x/);
    }
  });

  serves(
    'rejected promise: is handled as an error',
    app => app.param('id', () => Promise.reject(new Error('late'))).get('/:id', caught('took')),
    { '/7': 'took: late' },
    ours,
  );

  test('returned value: is the application', () => {
    for (const web of Object.values(frameworks)) {
      const app = web();
      assert.equal(app.param('id', noteValue), app);
      assert.equal(app.param(['a'], noteValue), app);
    }
  });
});
