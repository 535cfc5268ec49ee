// runs: each
/**
 * What tools do to the layers of an application after it was built. Whatever was mended for one version is a row of this table,
 * and runs on all of them, each compared with its Express.
 */
import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import type { RequestListener } from 'node:http';
import { describe, test } from 'node:test';
import { ask } from '../../engine/test/support/http.js';

type Handler = (...args: unknown[]) => unknown;
interface Layer {
  handle: Handler;
  route?: { stack: Layer[] };
  match?: Handler;
}
interface Response {
  end(text: string): void;
  setHeader(name: string, value: string): void;
}
type Application = RequestListener & {
  set(name: string, value: unknown): Application;
  use(...args: unknown[]): Application;
  get(path: string, handler: (req: { params: object }, res: Response) => void): Application;
  stack?: Layer[];
  router?: { stack: Layer[] };
  _router?: { stack: Layer[] };
};
type Web = (() => Application) & { Router?: () => Application };

const load = createRequire(__filename) as (name: string) => Web;
/** The pairs of packages, and where their layers are. */
const VERSIONS: [ours: string, theirs: string, stackOf: (app: Application) => Layer[]][] = [
  ['ristretto', 'express', app => app._router!.stack],
  ['ristretto5', 'express5', app => app.router!.stack],
  ['ristretto3', 'express3', app => app.stack!],
];

const prototypeOf = (layer: Layer) => Object.getPrototypeOf(layer) as object;
const each = (change: (layer: Layer) => Layer) => (stack: Layer[]) => {
  for (const [at, layer] of stack.entries()) {
    const routed = layer.route?.stack;
    for (const [position, one] of routed?.entries() ?? []) routed![position] = change(one);
    stack[at] = change(layer);
  }
};
const listed = (layer: Layer) => {
  const copy: Record<string, unknown> = {};
  for (const name in layer) copy[name] = layer[name as keyof Layer];
  return copy as unknown as Layer;
};

const MENDS: Record<string, (stack: Layer[]) => unknown> = {
  'copied with its prototype': each(
    layer => Object.setPrototypeOf({ ...layer }, prototypeOf(layer)) as Layer,
  ),
  'copied by Object.assign': each(layer => Object.assign(Object.create(prototypeOf(layer)) as Layer, layer)),
  'copied with what for…in lists': each(listed),
  'copied with the functions of its prototype': each(layer => ({ ...layer, ...prototypeOf(layer) })),
  'replaced by an object that inherits from it': each(layer => Object.create(layer) as Layer),
  'replaced by a proxy': each(layer => new Proxy(layer, {})),
  'with another handler': stack => {
    const layer = stack.find(({ handle }) => handle.name === 'marks')!;
    layer.handle = (_req, res, next) => {
      (res as Response).setHeader('X-Marked', 'again');
      (next as () => void)();
    };
  },
  'with a handler that an accessor returns': each(layer => {
    const { handle } = layer;
    return Object.defineProperty(layer, 'handle', { get: () => handle, set: () => undefined });
  }),
  removed: stack =>
    stack.splice(
      stack.findIndex(({ handle }) => handle.name === 'marks'),
      1,
    ),
  moved: stack => stack.unshift(...stack.splice(stack.length - 1)),
};
const PATHS = ['/users/7', '/users/%zz', '/sub/1/x', '/plain', '/none'];

function build(web: Web): Application {
  const app = web().set('env', 'test');
  app.use(function marks(_req: unknown, res: Response, next: () => void) {
    res.setHeader('X-Marked', 'once');
    next();
  });
  app.get('/users/:id', ({ params }, res) => res.end(JSON.stringify(Object.entries(params))));
  app.get('/plain', (_req, res) => res.end('plain'));
  app.use('/sub', ({ url }: { url: string }, res: Response) => res.end(url));
  app.use((error: Error, _req: unknown, res: Response, _next: unknown) =>
    res.end(`failed: ${error.message}`),
  );
  return app;
}

describe('internals: layers', () => {
  for (const [ours, theirs, stackOf] of VERSIONS) {
    for (const [what, change] of Object.entries(MENDS)) {
      test(`${what}: ${ours} does what ${theirs} does`, async () => {
        const [here, there] = await Promise.all(
          [ours, theirs].map(async name => {
            const app = build(load(name));
            change(stackOf(app));
            const seen = [];
            for (const path of PATHS) {
              const { status, headers, text } = await ask(app, path);
              seen.push([path, status, headers['x-marked'], status < 400 ? text : '']);
            }
            return seen;
          }),
        );
        assert.deepEqual(here, there);
      });
    }
  }
});
