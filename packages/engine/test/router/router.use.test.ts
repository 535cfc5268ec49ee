/** `router.use`, `router.handle`, and the order in which callbacks run. */
import assert from 'node:assert/strict';
import type http from 'node:http';
import { describe, test } from 'node:test';
import type { Router } from 'express';
import web from 'ristretto';
import { ask } from '../support/http.js';
import type { Ask } from '../support/http.js';
import { frameworks, same } from '../support/oracle.js';
import type { Web } from '../support/oracle.js';
import { answer, mark, sameTraces } from '../support/routing.js';

const paths = ['/', '/a', '/a/', '/a/b', '/A/b', '/ab', '/a/b/c?x=/a', '//a', '/b', '/x/a'];

const routed = (
  requests: (Ask | string)[],
  build: (router: Router, framework: Web) => unknown,
  mount = '/',
) =>
  sameTraces(requests, (app, framework) => {
    const router = framework.Router();
    build(router, framework);
    app.use(mount, router);
  });

describe('router.use', () => {
  test('path: string is relative to the mount in a mounted router', () =>
    routed(paths, router => router.use('/b', mark('m')).use('/', mark('n')), '/a'));
  test('expression: is only stripped at the start of the path, even if it matches elsewhere', () =>
    routed([...paths, '//b', '/b/b', '/./b'], router =>
      router.use(/b$/, mark('1')).use(/a/, mark('2')).use(/\/b/, mark('3')).use(/(?:)/, mark('4')),
    ));
  test('callback: other routers on the same path all run', () =>
    routed(paths, (router, framework) => {
      router.use('/a', framework.Router().use(mark('first')));
      router.use('/a', framework.Router().get('/b', mark('second')));
      router.use('/a', mark('third'));
    }));
  test('callback: functions with more than four parameters are never called', () =>
    routed(paths, router => {
      router.use(((_a: 1, _b: 1, _c: 1, _d: 1, _e: 1) => assert.fail('called')) as never);
      router.use('/a', mark('fails', 'bad'), ((_a: 1, _b: 1, _c: 1, _d: 1, _e: 1) =>
        assert.fail('called')) as never);
    }));
  test('callback: functions with fewer than three parameters are called', () =>
    sameTraces(['/a'], app => {
      app.use('/a', ((req: { res: { send(text: string): void } }) => void req.res.send('one')) as never);
      app.use((() => undefined) as never);
    }));
  test('returns: returns the router', () => {
    const router = web.Router();
    assert.equal(
      router.use(() => undefined),
      router,
    );
  });
  const bad: [string, unknown[]][] = [
    ['nothing', []],
    ['a path alone', ['/a']],
    ['a number', ['/a', 1]],
    ['null', ['/a', null]],
    ['undefined', ['/a', undefined]],
    ['a string', [() => undefined, 'x']],
    ['an object', ['/a', {}]],
    ['an expression', ['/a', /x/]],
    ['an empty array', ['/a', []]],
    ['an empty array alone', [[]]],
    ['a number as path', [1, () => undefined]],
    ['an object as path', [{}, () => undefined]],
  ];
  for (const [what, args] of bad) {
    test(`bad argument: ${what} throws, for an application, too`, () => {
      const failure = (make: (web: Web) => unknown, framework: Web): unknown => {
        try {
          (make(framework) as { use: (...args: unknown[]) => unknown }).use(...args);
        } catch (error) {
          return [(error as Error).name, (error as Error).message];
        }
        return 'nothing thrown';
      };
      for (const make of [(framework: Web) => framework(), (framework: Web) => framework.Router()])
        assert.deepEqual(failure(make, frameworks.ristretto), failure(make, frameworks.express));
    });
  }
});

type Out = (...args: unknown[]) => void;

type Callable = ((req: unknown, res: unknown, out: Out) => unknown) & {
  handle: (...args: unknown[]) => unknown;
};
type Plain = Record<string, unknown>;
const callable = (router: unknown): Callable => router as Callable;

/** Returns what the router passes to its final callback and what it has set on a plain request object. */
function seen(web: Web, build: (router: ReturnType<Web['Router']>) => unknown, req: Plain): Promise<unknown> {
  const router = web.Router();
  build(router);
  return new Promise(resolve => {
    // `_parsedUrl` is not set on our requests: they inherit it from the prototype
    callable(router)(req, {}, (...args) =>
      resolve([args.map(String), { ...req, _parsedUrl: undefined, route: JSON.stringify(req.route) }]),
    );
  });
}

/** Asserts that both routers change a request object in the same way. */
async function sameSeen(
  build: (router: ReturnType<Web['Router']>) => unknown,
  make: () => Plain,
): Promise<void> {
  assert.deepEqual(
    await seen(frameworks.ristretto, build, make()),
    await seen(frameworks.express, build, make()),
  );
}

/** `router.handle`, and the router as a function: in servers, in other frameworks, and called directly. */
describe('router.handle', () => {
  for (const [framework, web] of Object.entries(frameworks) as [string, Web][]) {
    test(`function: calls the current handle (${framework})`, () => {
      const router = callable(web.Router());
      const calls: unknown[] = [];
      router.handle = (...args) => calls.push(args);
      const out = (): void => undefined;
      router('req', 'res', out);
      assert.deepEqual(calls, [['req', 'res', out]]);
    });
    test(`server: a router works without an application (${framework})`, async () => {
      const router = web.Router();
      router.get('/x', (_req, res) => void (res as unknown as http.ServerResponse).end('bare'));
      const answer = await ask(
        (req, res) =>
          callable(router)(req, res, () => {
            res.statusCode = 404;
            res.end();
          }),
        '/x',
      );
      assert.equal(answer.text, 'bare');
    });
    test(`out: is called without an argument, or with the error (${framework})`, async () => {
      const outcome = (pass?: unknown): Promise<unknown> =>
        new Promise(resolve => {
          const router = web.Router();
          router.use((_req, _res, next) => next(pass));
          callable(router)({ method: 'GET', url: '/' }, {}, err => resolve(err));
        });
      assert.equal(await outcome(), undefined);
      assert.equal(await outcome('bad'), 'bad');
      assert.equal(await outcome('router'), null);
      assert.equal(await outcome('route'), null);
    });
    test(`Object.setPrototypeOf(fn, router): fn.handle is that of the router (${framework})`, async () => {
      const router = web.Router();
      function Parent(req: unknown, res: unknown, next: Out): void {
        (Parent as unknown as Callable).handle(req, res, next);
      }
      Object.setPrototypeOf(Parent, router);
      const own = Parent as unknown as typeof router;
      own.get('/x', (_req, res) => void res.send('found'));
      assert.equal(own.stack.length, 1);
      assert.equal((await ask(web().use(own), '/x')).text, 'found');
    });
    test(`Object.setPrototypeOf: the prototype of routers makes a router of a function with a stack (${framework})`, async () => {
      const own = function (req: unknown, res: unknown, next: Out): void {
        (own as unknown as Callable).handle(req, res, next);
      } as unknown as Router & { params: object; _params: unknown[] };
      // In 5.x, the prototype is a member
      const prototype = (
        'param' in web.Router ? web.Router : (web.Router as { prototype: object }).prototype
      ) as object;
      Object.setPrototypeOf(own, prototype);
      const stack: Router['stack'] = [];
      Object.assign(own, { params: {}, _params: [], stack });
      own.param('id', (_req, res, next, id) => {
        res.locals.id = id as unknown;
        next();
      });
      own.get('/x/:id', (_req, res) => void res.send(`x${String(res.locals.id)}`));
      for (let i = 0; i < 9; i++) own.get(`/y${String(i)}`, (_req, res) => void res.send(`y${String(i)}`));
      const app = web().use('/own', own);
      assert.equal((await ask(app, '/own/x/5')).text, 'x5');
      assert.equal((await ask(app, '/own/y8')).text, 'y8');
      assert.deepEqual(
        [own.stack === stack, stack.length, Object.keys(own).includes('stack')],
        [true, 10, true],
      );
      stack.reverse();
      own.get('/y:n', (_req, res) => void res.send('late'));
      assert.equal((await ask(app, '/own/y0')).text, 'y0');
      stack.splice(0, 9);
      assert.equal((await ask(app, '/own/y0')).text, 'late');
      own.stack = [];
      assert.equal((await ask(app, '/own/y0')).status, 404);
      assert.equal('stack' in prototype, false);
    });
  }
  test('request: gets next, baseUrl and originalUrl, and its own values are restored', async () => {
    await sameSeen(
      router => router.use('/a', (_req, _res, next) => next()),
      () => ({ method: 'GET', url: '/a/b' }),
    );
    await sameSeen(
      router => router.use((_req, _res, next) => next()),
      () => ({
        method: 'GET',
        url: '/b',
        baseUrl: '/a',
        originalUrl: '/kept',
        params: { a: 1 },
        next: 'kept',
      }),
    );
  });
  test('request: passes through a router without layers', () =>
    sameSeen(
      () => undefined,
      () => ({ method: 'GET', url: '/' }),
    ));
  test('request: an empty url is handled as in Express', async () => {
    await sameSeen(
      router => router.use((_req, _res, next) => next('never')),
      () => ({ method: 'GET', url: '' }),
    );
    await sameSeen(
      router => router.get('/', (_req, _res, next) => next('never')),
      () => ({ method: 'GET', url: '' }),
    );
    await sameSeen(
      router => router.get('*', (_req, _res, next) => next('never')),
      () => ({ method: 'GET', url: '?a=b' }),
    );
  });
  test('request: a missing url matches nothing', async () => {
    for (const url of [undefined, null, 7]) {
      for (const web of Object.values(frameworks)) {
        const [, req] = (await seen(web, router => router.use(() => assert.fail('called')), {
          method: 'GET',
          url,
        })) as [unknown, Plain];
        assert.equal(req.url, url);
        assert.equal(req.originalUrl, url);
      }
    }
  });
  test('request: a missing method is handled as in Express', async () => {
    await sameSeen(
      router => router.all('/x', (_req, _res, next) => next('passed')),
      () => ({ url: '/x' }),
    );
    await sameSeen(
      router => router.use((_req, _res, next) => next('passed')),
      () => ({ url: '/x' }),
    );
    await sameSeen(
      router => router.get('/x', (_req, _res, next) => next('never')),
      () => ({ url: '/x' }),
    );
  });
  test('request: a method in lower case is handled as in Express', () =>
    sameSeen(
      router => router.get('/x', (_req, _res, next) => next('passed')),
      () => ({ method: 'get', url: '/x' }),
    ));
  test('request: an unknown method is handled as in Express', () =>
    sameSeen(
      router => router.get('/x', (_req, _res, next) => next('never')),
      () => ({ method: 'BREW', url: '/x' }),
    ));
  test('OPTIONS: a response without set and send causes an error', async () => {
    const errors = await Promise.all(
      Object.values(frameworks).map(
        web =>
          new Promise(resolve => {
            const router = web.Router();
            router.get('/x', () => undefined);
            callable(router)({ method: 'OPTIONS', url: '/x' }, {}, err => resolve(err instanceof TypeError));
          }),
      ),
    );
    assert.deepEqual(errors, [true, true]);
  });
});

const traceOf = (text: string): string[] =>
  (JSON.parse(text) as { trace: string[] }).trace.map(line => line.slice(0, line.search(/ [A-Z]+ /)));

/** The order in which callbacks run, and which are never reached. */
describe('order of execution', () => {
  test('registration: determines the order, whatever is registered', async () => {
    const [first] = await sameTraces(['/x'], (app, web) => {
      app.use(mark('1'));
      app.get('/x', mark('2'));
      app.use('/x', mark('3'), web.Router().all('/', mark('4')));
      app.all('/:any', mark('5'));
      app.use(mark('6'));
      app.get('/x', answer);
    });
    assert.deepEqual(traceOf(first!.text), ['1', '2', '3', '4', '5', '6']);
  });

  test('a response without next: nothing after it runs', async () => {
    let reached = 0;
    await same(web =>
      web()
        .use((_req, res) => void res.send('first'))
        .use((_req, _res, next) => {
          reached++;
          next();
        })
        .get('/', () => void reached++),
    );
    assert.equal(reached, 0);
  });
});
