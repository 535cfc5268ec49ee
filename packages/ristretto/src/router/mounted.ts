/** Routers and applications that are mounted: what is behind the functions in the stacks of their parents. */
import type Layer = require('./layer');
import { STATE } from './symbols';

/** Something that may be a router, or lead to one. */
interface Handler {
  [STATE]?: { stack: Layer[] };
  stack?: unknown;
  _router?: object | undefined;
  lazyrouter?: unknown;
  /** Of applications of Express 5. */
  router?: object | undefined;
  handle?: unknown;
  set?: unknown;
}

const mounted = new WeakMap<object, object>();

/** Notes that a middleware function leads to an application. */
export function noteMounted(middleware: object, app: object): void {
  mounted.set(middleware, app);
}

/** The application that a middleware function leads to, if it leads to one. */
export function applicationMountedBy(middleware: object): object | undefined {
  return mounted.get(middleware);
}

/**
 * The router that a function is, or that it leads to: that of the application that it is or stands for. Routers of other
 * copies of the framework and of Express are known by their stack.
 */
export function routerBehind(handler: object): object | undefined {
  const app = (mounted.get(handler) ?? handler) as Handler;
  if (typeof app.lazyrouter === 'function') return app._router ?? { stack: [] };
  if (Array.isArray(stackOf(app))) return app;
  return typeof app.handle === 'function' && typeof app.set === 'function' ? app.router : undefined;
}

/** The layers of a router, or of what leads to one. */
export function layersOf(handler: object): readonly Layer[] {
  const router = routerBehind(handler);
  return router === undefined ? [] : (stackOf(router) as Layer[]);
}

function stackOf(router: Handler): unknown {
  // reading the `stack` of one of this package would tell it that somebody else has it
  return router[STATE]?.stack ?? router.stack;
}
