/** `app.param` and `router.param`: callbacks of path parameters. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { NextFunction, Request, Response, Router } from 'express';
import web from 'ristretto';
import { ask } from '../support/http.js';
import type { Ask } from '../support/http.js';
import { sameEach, sameNotices } from '../support/compare.js';
import type { Web } from '../support/oracle.js';
import { answer, mark, markError, sameTraces } from '../support/routing.js';

type RouterLike = Pick<Router, 'param' | 'get' | 'use' | 'all'>;

for (const member of ['app.param', 'router.param'] as const) {
  const routed = (requests: (Ask | string)[], build: (router: RouterLike, framework: Web) => void) =>
    sameTraces(requests, (app, framework) => {
      if (member === 'app.param') {
        build(app, framework);
      } else {
        const router = framework.Router();
        build(router, framework);
        app.use(router);
      }
    });
  const note = (router: RouterLike, name: string, pass?: unknown): void => {
    router.param(name, (req, res, next, value, key) => {
      mark(`param ${name} ${key} ${String(value)}`, pass)(req, res, next);
    });
  };

  describe(member, () => {
    test('callback: receives the decoded value and the name, before the handlers run', () =>
      routed(['/users/7', '/users/a%20b', '/users', '/users/%E0%A4%A'], router => {
        note(router, 'id');
        router.get('/users/:id', mark('handler'), answer);
      }));
    test('several callbacks: of one parameter run in registration order', () =>
      routed(['/7'], router => {
        note(router, 'id');
        note(router, 'id');
        router.get('/:id', answer);
      }));
    test('several parameters: run their callbacks in the order of the path', () =>
      routed(['/1/2'], router => {
        note(router, 'b');
        note(router, 'a');
        router.get('/:a/:b', answer);
      }));
    test('once: runs once per request and value, even if several routes match', () =>
      routed(['/7'], router => {
        note(router, 'id');
        router.get('/:id', mark('1'));
        router.get('/:id', mark('2'));
        router.use('/:id', mark('3'));
        router.get('/*', mark('4'));
        router.get('/:id', answer);
      }));
    test('another value: runs the callback again', () =>
      routed(['/7/8', '/7/7'], router => {
        note(router, 'id');
        router.get('/:id/*', mark('1'));
        router.get('/*/:id', mark('2'), answer);
      }));
    test('changed value: is kept for all routes', () =>
      routed(['/7'], router => {
        router.param('id', (req, _res, next, value) => {
          req.params.id = `changed ${String(value)}`;
          next();
        });
        router.get('/:id', mark('1'));
        router.get('/:id', mark('2'), answer);
      }));
    test('next(error): goes to error handlers, including those of later routes', () =>
      routed(['/7'], router => {
        note(router, 'id', new Error('no user'));
        router.get('/:id', mark('never'));
        router.use(markError('error', () => undefined));
        router.get('/:id', mark('never'));
      }));
    test('next(route): skips to the next route', () =>
      routed(['/7'], router => {
        note(router, 'id', 'route');
        router.get('/:id', mark('never'));
        router.get('/:other', answer);
      }));
    test('throwing: is equivalent to next(error)', () =>
      routed(['/7'], router => {
        router.param('id', () => {
          throw new Error('thrown');
        });
        router.get('/:id', mark('never'));
      }));
    test('later: waits for an asynchronous callback', () =>
      routed(['/7'], router => {
        router.param('id', (_req, _res, next) => {
          setImmediate(next);
        });
        router.get('/:id', mark('1'));
        router.get('/:id', mark('2'), answer);
      }));
    test('changed url: has the same effect as in Express if a callback changes it, in a mounted layer too', () =>
      routed(['/a/1', '/a/1/b?c'], router => {
        router.param('id', (req, _res, next) => {
          req.url = '/changed/by/callback?x=y';
          next();
        });
        router.use('/a/:id', mark('mounted'));
        router.use(mark('after'));
      }));
    test('optional: runs no callback for a parameter that is missing', () =>
      routed(['/x', '/x/1'], router => {
        note(router, 'id');
        router.get('/x/:id?', answer);
      }));
    test('local: does not apply to nested routers or to parameters of parents', () =>
      routed(['/1/2'], (router, framework) => {
        note(router, 'id');
        const inner = framework.Router({ mergeParams: true });
        note(inner, 'other');
        note(inner, 'id');
        inner.get('/:other', answer);
        router.use('/:id', inner);
      }));
    test('pending error: runs the callbacks for parameters of error handlers', () =>
      routed(['/7'], router => {
        note(router, 'id');
        router.use(mark('fails', new Error('first')));
        router.use('/:id', markError('with parameter'));
      }));
    test('bad callback: throws an error that names what was passed', () => {
      const target = member === 'app.param' ? web() : web.Router();
      assert.throws(() => target.param('id', undefined as never), {
        name: 'Error',
        message: 'invalid param() call for id, got undefined',
      });
      assert.throws(() => target.param('id', 7 as never), { message: 'invalid param() call for id, got 7' });
    });
    test('bad name: throws a TypeError', () => {
      const target = member === 'app.param' ? web() : web.Router();
      assert.throws(() => target.param(undefined as never, () => undefined), TypeError);
    });
    test('returned value: is the application or router', () => {
      const target = member === 'app.param' ? web() : web.Router();
      assert.equal(
        target.param('id', (_req, _res, next) => next()),
        target,
      );
    });
    test('names of Object.prototype: work like all other parameter names', () =>
      routed(['/a/b'], router => {
        router.get('/:toString/:constructor', answer);
      }));
  });
}

/** Registers the deprecated form: a function that creates callbacks from names and expressions. */
function functionForm(router: RouterLike): void {
  router.param(((name: string, expression: unknown) =>
    expression instanceof RegExp
      ? (req: never, res: never, next: (pass?: unknown) => void, value: string) => {
          mark(`matched ${name}`, expression.test(value) ? undefined : 'route')(req, res, next);
        }
      : undefined) as never);
  router.param('id', /^\d+$/ as never);
  router.param('other', mark('other'));
  router.get('/:id', mark('number'));
  router.get('/:other', answer);
}

describe('router.param', () => {
  test('colon: in the name is removed, with a deprecation warning', () =>
    sameNotices((framework: Web) => {
      const router = framework.Router();
      router.param(':id', mark('param'));
      router.get('/:id', answer);
      return framework().use(router);
    }, '/7'));
  test('function form: rewrites later registrations, with a deprecation warning', () =>
    sameNotices((framework: Web) => {
      const router = framework.Router();
      functionForm(router);
      return framework().use(router);
    }, '/7'));
  test('function form: creates a callback that may respond with 403', () =>
    sameEach(
      (framework: Web) => {
        const router = framework.Router();
        router.param(((_name: string, least: number) =>
          (_req: Request, res: Response, next: NextFunction, value: string) => {
            if (Number(value) < least) res.sendStatus(403);
            else next();
          }) as never);
        router.param('id', 10 as never);
        router.get('/:id', answer);
        return framework().use(router);
      },
      ['/7', '/12'],
    ));
});

describe('app.param', () => {
  test('function form: rewrites later registrations, with a deprecation warning', async () => {
    const notices: string[] = [];
    const listen = ({ message }: Error) => void notices.push(message);
    process.on('deprecation' as never, listen as never);
    await sameTraces(['/7', '/seven'], app => functionForm(app));
    process.off('deprecation', listen as never);
    // One per framework. depd emits a notice once per call site, so no other test in this file may cause it.
    assert.deepEqual(notices, Array(2).fill('router.param(fn): Refactor to use path params'));
  });
  test('array: registers the callback for each name', () =>
    sameTraces(['/1/2'], app => {
      app.param(['id', 'page'], (req, res, next, value, name) => {
        mark(`${name} ${String(value)}`)(req, res, next);
      });
      app.get('/:page/:id', answer);
    }));
  test('rejected promise: is passed to error handlers once', async () => {
    let errors = 0;
    const app = web();
    app.param('id', async () => {
      await Promise.resolve();
      throw new Error('rejected');
    });
    app.get('/:id', (_req, res) => void res.send('never'));

    app.use(((error: Error, _req: unknown, res: web.Response, _next: unknown) => {
      errors++;
      res.status(500).send(error.message);
    }) as web.ErrorRequestHandler);
    const answer = await ask(app, '/1');
    assert.equal(answer.text, 'rejected');
    assert.equal(errors, 1);
  });
  test('rejected after next: does not fail the request a second time', async () => {
    const app = web();
    app.param('id', async (_req, _res, next) => {
      next();
      await Promise.resolve();
      throw new Error('too late');
    });
    app.get('/:id', (_req, res) => void setTimeout(() => res.send('answered'), 5));
    assert.equal((await ask(app, '/1')).text, 'answered');
  });
});
