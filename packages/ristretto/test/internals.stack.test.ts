// runs: slow, http1, each
/** `router.stack` is a live array: edited before requests and while they run, in small routers and in indexed ones. */
import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import { describe, test } from 'node:test';
import { askPort, withServer } from '../../engine/test/support/http.js';
import { layerClass, loose, stackOf } from '../../engine/test/support/internals.js';
import type { LayerClass, LooseLayer } from '../../engine/test/support/internals.js';
import { frameworks } from '../../engine/test/support/oracle.js';
import type { Web } from '../../engine/test/support/oracle.js';
import { answer, mark, tracing } from '../../engine/test/support/routing.js';

type App = ReturnType<Web>;
type Edit = (stack: LooseLayer[], Layer: LayerClass, app: App) => void;

/** Stacks of fewer than eight layers are not indexed. */
const sizes = { small: 2, large: 30 };
const paths = ['/', '/page/1', '/page/7', '/new', '/page/0/x', '/Page/1'];

/** A handler that can run before the first two layers, because it uses only Node's own members. */
const early = (req: { url: string }, res: ServerResponse, next: () => void): void => {
  res.setHeader('X-Early', req.url);
  next();
};

const named = (stack: LooseLayer[], path: string): number =>
  stack.findIndex(layer => layer.route?.path === path);
const isRoute = (layer: LooseLayer): boolean => layer.route !== undefined;

const edits: Record<string, Edit> = {
  push: (stack, Layer) => void stack.push(new Layer('/new', { end: true }, mark('pushed'))),
  'push of middleware': (stack, Layer) => void stack.push(new Layer('/', { end: false }, mark('pushed'))),
  unshift: (stack, Layer) => void stack.unshift(new Layer('/page', { end: false }, early)),
  'move to the front, as Node-RED does': (stack, Layer) => {
    stack.push(new Layer('/page/:n', { end: true }, early));
    stack.unshift(stack.splice(stack.length - 1, 1)[0]!);
  },
  'move of a route': stack => void stack.splice(2, 0, stack.splice(named(stack, '/page/1'), 1)[0]!),
  'splice in behind a named layer': (stack, Layer) => {
    const position = stack.findIndex(({ name }) => name === 'expressInit');
    stack.splice(position + 1, 0, new Layer('/', { strict: false, end: false }, mark('spliced in')));
  },
  'splice out': stack => void stack.splice(named(stack, '/page/1'), 1),
  'splice out by path and method': stack => {
    stack.forEach((layer, position) => {
      if (layer.route?.path === '/page/1' && layer.route.methods.get) stack.splice(position, 1);
    });
  },
  sort: stack => void stack.sort((a, b) => Number(isRoute(a)) - Number(isRoute(b)) || 0),
  'reverse of the routes': stack => {
    const routes = stack.filter(isRoute).reverse();
    stack.splice(2, routes.length, ...routes);
  },
  'assignment by index': (stack, Layer) => {
    stack[named(stack, '/page/1')] = new Layer('/page/:any', { end: true }, mark('assigned'));
  },
  'exchange of two': stack => {
    const [a, b] = [named(stack, '/page/0'), named(stack, '/page/1')];
    [stack[a], stack[b]] = [stack[b]!, stack[a]!];
  },
  length: stack => void (stack.length -= 1),
  'nothing left': stack => void (stack.length = 2),
  'replaced by a copy': (stack, Layer, app) => {
    loose(app)._router.stack = [...stack, new Layer('/new', { end: true }, mark('in the copy'))];
  },
  'replaced by a filtered one': (stack, _Layer, app) => {
    loose(app)._router.stack = stack.filter(layer => layer.route?.path !== '/page/1');
  },
  copyWithin: stack => void stack.copyWithin(2, 3),
  fill: stack => void stack.fill(stack[named(stack, '/page/1')]!, 2),
  'method added to a route': stack => {
    (stack[named(stack, '/page/1')]!.route as unknown as { get(handler: unknown): void }).get(mark('added'));
  },
  'route stack emptied': stack => void (stack[named(stack, '/page/1')]!.route!.stack.length = 0),
  'route replaced': (stack, _Layer, app) => {
    const Route = (
      app.route('/other') as unknown as { constructor: unknown; get(h: unknown): LooseLayer['route'] }
    ).get(mark('other route'));
    stack[named(stack, '/page/1')]!.route = Route!;
  },
  'more registered': (_stack, _Layer, app) =>
    void app.get('/new', mark('registered')).use('/page', mark('mounted')),
  'wrapped handles': stack => {
    for (const layer of stack) {
      const { handle } = layer;
      if (handle.length === 4) continue;
      layer.handle = ((req: never, res: never, next: never) =>
        (handle as (...args: unknown[]) => unknown)(req, res, next)) as never;
    }
  },
};

/** Builds an application with `size` routes and edits it. */
function pages(size: number, edit: (app: App, framework: Web) => void): (web: Web) => App {
  return tracing((app, web) => {
    for (let i = 0; i < size; i++) app.get(`/page/${String(i)}`, mark(`page ${String(i)}`));
    edit(app, web);
    app.get('/page/:n', mark('any page'));
  });
}

const classOf = (web: Web): LayerClass => layerClass(web === frameworks.express ? 'express' : 'ristretto');

/** Returns the responses to each path before and after the edit. */
async function answers(app: App, edit: () => void): Promise<string[][]> {
  return withServer(app, async port => {
    const ask = async (): Promise<string[]> => {
      const texts: string[] = [];
      for (const path of paths) {
        const { status, headers, text } = await askPort(port, path);
        texts.push(`${path} ${status} ${headers['x-early'] ?? ''} ${text}`);
      }
      return texts;
    };
    const before = await ask();
    edit();
    return [before, await ask(), await ask()];
  });
}

type Observe = (web: Web, size: number, edit: Edit) => Promise<string[][]>;

/** Edits the stack within the first request, in middleware that calls what it does next through `wait`. */
const within =
  (wait: (next: () => void) => unknown): Observe =>
  (web, size, edit) => {
    let edited = false;
    const app = pages(size, inner => {
      inner.use((_req, _res, next) => {
        wait(() => {
          if (!edited) edit(stackOf(inner), classOf(web), inner);
          edited = true;
          wait(next);
        });
      });
    })(web);
    return answers(app, () => undefined);
  };

/** When a stack is edited: returns the responses of an application of one framework. */
const moments: Record<string, Observe> = {
  'before the first request': (web, size, edit) =>
    answers(pages(size, app => edit(stackOf(app), classOf(web), app))(web), () => undefined),
  'between requests': (web, size, edit) => {
    const app = pages(size, () => undefined)(web);
    return answers(app, () => edit(stackOf(app), classOf(web), app));
  },
  'in the middle of a request': within(next => {
    next();
  }),
  'while a request waits': within(setImmediate),
};

describe('internals: router.stack', () => {
  for (const [what, size] of Object.entries(sizes)) {
    for (const [name, edit] of Object.entries(edits)) {
      for (const [moment, observe] of Object.entries(moments)) {
        test(`${name}: takes effect ${moment} (${what})`, async () => {
          const both = Object.values(frameworks).map(web => observe(web, size, edit));
          assert.deepEqual(...((await Promise.all(both)) as [unknown, unknown]));
        });
      }
    }
  }

  for (const [framework, web] of Object.entries(frameworks) as [string, Web][]) {
    const Layer = layerClass(framework);
    test(`route.stack: can be modified while serving, too (${framework})`, async () => {
      const app = web();
      const route = app.route('/x') as unknown as { stack: LooseLayer[]; methods: Record<string, boolean> };
      (route as unknown as { get(h: unknown): void }).get((_req: unknown, _res: unknown, next: () => void) =>
        next(),
      );
      await withServer(app, async port => {
        assert.equal((await askPort(port, '/x')).status, 404);
        const added = new Layer('/', {}, (_req: unknown, res: { send(text: string): void }) =>
          res.send('added'),
        );
        route.stack.push(added);
        assert.equal((await askPort(port, '/x')).text, 'added');
        added.method = 'post';
        assert.equal((await askPort(port, '/x')).status, 404);
        route.stack.shift();
        assert.equal((await askPort(port, '/x')).status, 404);
        route.stack.length = 0;
        assert.equal((await askPort(port, '/x')).status, 404);
      });
    });
    test(`layer.route: turns middleware into a route when assigned (${framework})`, async () => {
      const app = web().use('/x', (_req, res) => void res.send('called'));
      stackOf(app)[2]!.route = (web().route('/x') as unknown as { get(h: unknown): LooseLayer['route'] }).get(
        answer,
      )!;
      await withServer(app, async port => {
        assert.equal((await askPort(port, '/x')).text, 'called');
        assert.equal((await askPort(port, { method: 'POST', path: '/x' })).status, 404);
      });
    });
    test(`per request: middleware can inspect the stack (${framework})`, async () => {
      const app = web();
      app.use((req, res) => {
        const names = (req.app as unknown as { _router: { stack: LooseLayer[] } })._router.stack.map(
          ({ name }) => name,
        );
        res.json(names);
      });
      for (let i = 0; i < 10; i++) app.get('/x', answer);
      await withServer(app, async port => {
        const first = (await askPort(port)).text;
        assert.equal((await askPort(port)).text, first);
      });
    });
    test(`phases: LoopBack can mark layers and sort them in place (${framework})`, async () => {
      const app = web();
      const phase = (name: string, position: number): void => {
        app.use((_req, res, next) => {
          ((res.locals.order ??= []) as string[]).push(name);
          next();
        });
        (stackOf(app).at(-1) as LooseLayer & { phase: number }).phase = position;
        const stack = stackOf(app) as (LooseLayer & { phase?: number })[];
        stack.sort((a, b) => (a.phase ?? 0) - (b.phase ?? 0));
      };
      phase('last', 3);
      phase('first', 1);
      for (let i = 0; i < 10; i++) phase(`middle ${String(i)}`, 2);
      app.use((_req, res) => void res.json(res.locals.order));
      const order = await withServer(app, async port => (await askPort(port)).text);
      assert.match(order, /^\["first","middle 0",.*"middle 9","last"\]$/);
    });
  }
});
