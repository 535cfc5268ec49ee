/** `router.handle`, and the router as a function: in servers, in other frameworks, and called directly. */
import assert from 'node:assert/strict';
import type http from 'node:http';
import { describe, test } from 'node:test';
import { ask } from '../support/http.js';
import { frameworks } from '../support/oracle.js';
import type { Web } from '../support/oracle.js';

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
