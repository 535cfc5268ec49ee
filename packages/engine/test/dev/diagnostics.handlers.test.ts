/** The tracing channel `express.router.request`: emits the same events as the `router` package, which defines it. */
import assert from 'node:assert/strict';
import { AsyncLocalStorage } from 'node:async_hooks';
import { tracingChannel } from 'node:diagnostics_channel';
import http from 'node:http';
import { describe, test } from 'node:test';
import web from 'ristretto';
import { ask } from '../support/http.js';

const tracing = tracingChannel('express.router.request');
const EVENTS = ['start', 'end', 'asyncStart', 'asyncEnd', 'error'] as const;

type Tracing = Record<(typeof EVENTS)[number], (message: unknown) => void>;
type Listener = (message: web.HandlerTrace) => void;
type Next = (err?: unknown) => void;
interface AnyRouter {
  (req: http.IncomingMessage, res: http.ServerResponse, next: Next): void;
  use(...args: unknown[]): void;
  get(...args: unknown[]): void;
  all(...args: unknown[]): void;
  param(...args: unknown[]): void;
}
type MakeRouter = (options?: object) => AnyRouter;

const makers = {
  ristretto: web.Router as unknown as MakeRouter,
  ristretto5: (require('ristretto5') as { Router: MakeRouter }).Router,
  router: require('router') as MakeRouter,
};

/** Runs `use` with listeners for all five events. */
async function traced<T>(on: (event: string) => Listener, use: () => Promise<T>): Promise<T> {
  const listeners = Object.fromEntries(EVENTS.map(event => [event, on(event)])) as unknown as Tracing;
  tracing.subscribe(listeners as never);
  try {
    return await use();
  } finally {
    tracing.unsubscribe(listeners as never);
  }
}

const text = (value: unknown): unknown =>
  value instanceof Error ? value.message : typeof value === 'object' ? String(value) : value;

/** Returns everything that a subscriber sees of an event. */
function noted(event: string, { req, res, layer, handler, ...rest }: web.HandlerTrace): unknown[] {
  assert.ok(req instanceof http.IncomingMessage && res instanceof http.ServerResponse);
  const names = [handler.name, 'param' in rest ? typeof layer.name : layer.name];
  return [event, ...names, req.url, ...Object.entries(rest).map(([key, value]) => [key, text(value)])];
}

const soon = (ms = 1): Promise<void> => new Promise(resolve => setTimeout(resolve, ms));

/** Returns the events that a subscriber sees for one request to a router. */
async function events(make: MakeRouter, build: Build, path: string): Promise<unknown[][]> {
  const router = make();
  build(router, make);
  const seen: unknown[][] = [];
  await traced(
    event => message => seen.push(noted(event, message)),
    async () => {
      await ask((req, res) => {
        router(req, res, () => res.end());
      }, path);
      await soon(5);
    },
  );
  return seen;
}

/** Asserts that all routers emit the same events, and resolves with them. */
async function alike(build: Build, path = '/'): Promise<unknown[][]> {
  const ours = await events(makers.ristretto, build, path);
  const theirs = await events(makers.router, build, path);
  assert.deepEqual(ours, theirs);
  assert.deepEqual(await events(makers.ristretto5, build, path), theirs);
  return ours;
}

type Build = (router: AnyRouter, make: MakeRouter) => void;
type Handle = (req: unknown, res: http.ServerResponse, next: Next) => unknown;
const pass: Handle = function passes(_req, _res, next) {
  next();
};
const end: Handle = function ends(_req, res) {
  res.end();
  return 7;
};
const fail: Handle = function fails(_req, _res, next) {
  next(new Error('failed'));
};
const recover = function recover(_err: unknown, _req: unknown, res: http.ServerResponse, _next: Next): void {
  res.end();
};
const hand = function hand(err: unknown, _req: unknown, _res: unknown, next: Next): void {
  next(err);
};

describe('express.router.request', () => {
  test('start, end: are emitted for middleware and route handlers, but not for the layer of a route', async () => {
    const seen = await alike(router => {
      router.use(pass);
      router.get('/', pass, end);
    });
    assert.deepEqual(seen.at(3), ['end', 'ends', 'ends', '/', ['route', '/'], ['result', 7]]);
    assert.equal(seen.length, 6);
  });

  test('start, end: are emitted separately for handlers called later', async () => {
    await alike(router => {
      router.use((_req: unknown, _res: unknown, next: Next) => {
        setTimeout(next, 2);
      });
      router.all('/', end);
    });
  });

  test('start, end: are not emitted for skipped error handlers, or for handlers skipped by an error', async () => {
    await alike(router => {
      router.use(recover);
      router.use(fail, pass);
      router.get('/', end);
      router.use(recover);
    });
  });

  test('route: is the path of the layer in its router', async () => {
    const seen = await alike((router, make) => {
      const inner = make({ mergeParams: true });
      inner.use(pass);
      inner.get('/:id', pass, end);
      router.use('/m/:a', inner);
    }, '/m/1/5');
    assert.deepEqual(seen[0], ['start', 'router', 'router', '/5', ['route', '/m/:a']]);
  });

  test('route: is the element of an array that matched', async () => {
    const seen = await alike(router => {
      router.use(['/a', ['/b', /x/]], pass);
      router.use([['/q', '/:b'], /x/], pass);
      router.get(['/x', '/b/:y'], end);
    }, '/b/1');
    assert.deepEqual(
      seen.slice(0, 3).map(event => event.at(4)),
      [['route', '/b'], ['route', '/:b'], ['route', '/b/:y']], // prettier-ignore
    );
  });

  test('route: is the expression itself for regular expressions', async () => {
    await alike(router => {
      router.use(/^\/b/, pass);
      router.get(/b\/(\d+)/, end);
    }, '/b/1');
  });

  test('route: is the matching element of an array, also after an asynchronous param callback', async () => {
    const router = makers.ristretto();
    const waiting = new Map<string, Next>();
    router.param('id', (_req: unknown, _res: unknown, next: Next, id: string) => {
      waiting.set(id, next);
      // Continues once both requests wait, with the second one.
      if (waiting.size === 2) for (const each of ['2', '1']) setImmediate(waiting.get(each)!);
    });
    router.use(['/a/:id', '/b/:id'], end);
    const seen: unknown[] = [];
    await traced(
      event => message => {
        if (event === 'start' && !('param' in message)) seen.push([message.req.originalUrl, message.route]);
      },
      () =>
        Promise.all(
          ['/a/1', '/b/2'].map(path => {
            return ask((req, res) => {
              router(req, res, () => res.end());
            }, path);
          }),
        ),
    );
    assert.deepEqual(seen, [
      ['/b/2', '/b/:id'],
      ['/a/1', '/a/:id'],
    ]);
  });

  test('route: is read from the expression if a tool has copied a layer', async () => {
    const { Layer, app } = toolMade();
    const seen: unknown[] = [];
    await traced(
      event => message => {
        if (event === 'start' && message.layer instanceof Layer) seen.push(message.route);
      },
      () => ask(app),
    );
    assert.deepEqual(seen, ['/', '/', '/']);
  });

  test('route: is undefined if a tool calls a layer outside any router', async () => {
    const { Layer } = toolMade();
    const seen: unknown[] = [];
    await traced(
      event => message => seen.push([event, message.route]),
      () => {
        Layer.prototype.handle_request.call(new Layer('/x', {}, fail), {}, {}, () => undefined);
        return Promise.resolve();
      },
    );
    assert.deepEqual(seen, [
      ['start', undefined],
      ['error', undefined],
      ['end', undefined],
    ]);
  });

  test('error: is emitted once, where the error occurred', async () => {
    const seen = await alike((router, make) => {
      const inner = make();
      inner.get('/:id', fail);
      inner.use(hand);
      router.use('/m', inner);
      router.use(hand, recover);
    }, '/m/5');
    const failed = ['error', 'fails', 'fails', '/5', ['route', '/:id'], ['error', 'failed']];
    assert.deepEqual(
      seen.filter(([event]) => event === 'error'),
      [failed],
    );
  });

  test('error: is also emitted for a different error passed on by an error handler', async () => {
    await alike(router => {
      router.use(fail);
      router.use((_err: unknown, _req: unknown, _res: unknown, next: Next) => {
        next(new Error('other'));
      });
      router.use((_err: unknown, _req: unknown, _res: unknown, _next: Next) => {
        throw new Error('third');
      });
      router.use(recover);
    });
  });

  test('error: is emitted again for the same error if it was handled in between', async () => {
    const error = new Error('shared');
    const again: Handle = (_req, _res, next) => {
      next(error);
    };
    await alike(router => {
      router.use(again);
      router.use((_err: unknown, _req: unknown, _res: unknown, next: Next) => {
        next();
      });
      router.use(again, recover);
    });
  });

  test('error: is emitted for thrown values, including falsy ones', async () => {
    for (const thrown of [new Error('thrown'), 'text', null, 'route']) {
      await alike(router => {
        router.get('/', () => {
          throw thrown as Error;
        });
        router.use(hand, recover);
        router.use(end);
      });
    }
  });

  test("error: is not emitted for 'route' and 'router'", async () => {
    for (const signal of ['route', 'router']) {
      await alike(router => {
        router.get('/', (_req: unknown, _res: unknown, next: Next) => {
          next(signal);
        });
        router.get('/', end);
      });
    }
  });

  test('error: is not emitted by a nested router for a parameter that cannot be decoded', async () => {
    await alike((router, make) => {
      const inner = make();
      inner.get('/:id', end);
      router.use('/m', inner);
      router.use(recover);
    }, '/m/%zz');
  });

  test('asyncStart, asyncEnd: are emitted when the promise of a handler settles', async () => {
    const seen = await alike(router => {
      router.use(async function waits(_req: unknown, _res: unknown, next: Next) {
        await soon();
        next();
      });
      router.get('/', async function waits(_req: unknown, res: http.ServerResponse) {
        await soon();
        res.end();
        return 3;
      });
    });
    assert.deepEqual(
      seen.map(([event]) => event),
      ['start', 'end', 'start', 'end', 'asyncStart', 'asyncEnd', 'asyncStart', 'asyncEnd'],
    );
  });

  test('asyncStart, asyncEnd: follow the error of a rejected promise, with error handlers in between', async () => {
    for (const reason of [new Error('rejected'), 'text', 'route']) {
      await alike(router => {
        router.get('/', async () => {
          await soon();
          throw reason as Error;
        });
        router.use(async (err: unknown) => {
          await soon();
          throw err as Error;
        });
        router.use(recover);
        router.use(end);
      });
    }
  });

  test('asyncStart, asyncEnd: are emitted for a promise that was pending when an error was passed on', async () => {
    await alike(router => {
      router.use(async (_req: unknown, _res: unknown, next: Next) => {
        next(new Error('passed on'));
        await soon();
      });
      router.use(recover);
    });
  });

  test('param: is the name of the parameter in calls of param callbacks', async () => {
    const seen = await alike(router => {
      router.param('id', function slowly(_req: unknown, _res: unknown, next: Next) {
        setTimeout(next, 1);
      });
      router.param('id', async function later(_req: unknown, _res: unknown, next: Next) {
        await soon();
        next();
      });
      router.get('/:id', pass);
      router.get('/:id', end);
    }, '/5');
    assert.deepEqual(seen[0], ['start', 'slowly', 'string', '/5', ['route', '/:id'], ['param', 'id']]);
  });

  test('param: errors of param callbacks are emitted', async () => {
    const failures = [
      fail,
      async () => {
        await soon();
        throw new Error('rejected');
      },
      () => {
        throw new Error('thrown');
      },
    ];
    for (const callback of failures) {
      await alike(router => {
        router.param('id', callback);
        router.get('/:id', end);
        router.use(recover);
      }, '/5');
    }
  });

  test('bindStore: a handler and everything it passes control to run in the store of its call', async () => {
    for (const make of Object.values(makers)) {
      const store = new AsyncLocalStorage<string>();
      tracing.start.bindStore(store, message => {
        return `${store.getStore() ?? ''}>${(message as web.HandlerTrace).handler.name}`;
      });
      try {
        const router = make();
        const seen: unknown[] = [];
        const see = (handler: Handle): Handle =>
          Object.defineProperty(
            (...args: Parameters<Handle>) => {
              seen.push(store.getStore());
              return handler(...args);
            },
            'name',
            { value: handler.name },
          );
        router.use(see(pass));
        router.get('/', see(async function rejects() {
          await soon();
          throw new Error('rejected');
        })); // prettier-ignore
        router.use(function last(_err: unknown, _req: unknown, res: http.ServerResponse, _next: Next) {
          seen.push(store.getStore());
          res.end();
        });
        await ask((req, res) => {
          router(req, res, () => undefined);
        });
        assert.deepEqual(seen, ['>passes', '>passes>rejects', '>passes>rejects>last']);
      } finally {
        tracing.start.unbindStore(store);
      }
    }
  });

  test('tools: replacements of layer.handle and Layer.prototype.handle_request are called', async () => {
    const { Layer } = toolMade();
    const { handle_request: original } = Layer.prototype;
    const calls: string[] = [];
    Layer.prototype.handle_request = function (this: Layer, ...args: unknown[]) {
      calls.push(this.name);
      return original.apply(this, args);
    };
    try {
      const app = web();
      app.get('/', end as never);
      const route = (app as unknown as { _router: { stack: Layer[] } })._router.stack.at(-1)!.route!;
      route.stack[0]!.handle = function replaced(_req: unknown, res: http.ServerResponse) {
        res.end('replaced');
      };
      const handlers: string[] = [];
      const { text: body } = await traced(
        event =>
          ({ handler }) => {
            if (event === 'start') handlers.push(handler.name);
          },
        () => ask(app),
      );
      assert.deepEqual([body, handlers], ['replaced', ['query', 'expressInit', 'replaced']]);
      assert.deepEqual(calls, ['query', 'expressInit', 'bound dispatch', 'ends']);
    } finally {
      Layer.prototype.handle_request = original;
    }
  });

  test('subscribers: one event is enough, and none is called after unsubscribing', async () => {
    const seen: unknown[] = [];
    const listen = (message: unknown): void => void seen.push((message as web.HandlerTrace).error);
    const app = web().set('env', 'test');
    app.get('/', fail as never);
    tracing.error.subscribe(listen);
    await ask(app);
    tracing.error.unsubscribe(listen);
    await ask(app);
    assert.deepEqual(seen.map(text), ['failed']);
  });
});

interface Layer {
  name: string;
  handle: unknown;
  route?: { stack: Layer[] };
}
interface LayerConstructor {
  new (path: string, options: object, handle: unknown): Layer;
  prototype: { handle_request: (this: Layer, ...args: unknown[]) => unknown };
}

/** Returns the layer constructor, and an application whose layers are copies without the symbol properties. */
function toolMade(): { Layer: LayerConstructor; app: ReturnType<typeof web> } {
  const Layer = require('ristretto/lib/router/layer') as LayerConstructor;
  const app = web();
  app.get('/', end as never);
  const { stack } = (app as unknown as { _router: { stack: Layer[] } })._router;
  stack.forEach((layer, i) => {
    const copy = Object.assign(Object.create(Layer.prototype) as Layer, layer);
    for (const symbol of Object.getOwnPropertySymbols(copy)) Reflect.deleteProperty(copy, symbol);
    stack[i] = copy;
  });
  return { Layer, app };
}
