/** Mounted routers and applications: finds them from the functions in the stacks of their parents. */
import type { StackLayer } from './stack-layer';
import { STATE } from './symbols';

/** A function or object that may be a router, or lead to one. */
interface Handler {
  [STATE]?: { stack: StackLayer[] };
  stack?: unknown;
  _router?: object | undefined;
  lazyrouter?: unknown;
  /** Set on applications of Express 5. */
  router?: object | undefined;
  handle?: unknown;
  set?: unknown;
}

const mounted = new WeakMap<object, object>();

/** Records that a middleware function leads to an application. */
export function noteMounted(middleware: object, app: object): void {
  mounted.set(middleware, app);
}

/** Returns the application that a middleware function leads to, if any. */
export function applicationMountedBy(middleware: object): object | undefined {
  return mounted.get(middleware);
}

/**
 * Returns the router that a function is or leads to: for an application, or a function that represents one, its router.
 * Routers of other copies of the framework and of Express are recognized by their stack.
 */
export function routerBehind(handler: object): object | undefined {
  const app = (mounted.get(handler) ?? handler) as Handler;
  if (typeof app.lazyrouter === 'function') return app._router ?? { stack: [] };
  if (Array.isArray(stackOf(app))) return app;
  return typeof app.handle === 'function' && typeof app.set === 'function' ? app.router : undefined;
}

/** Returns the layers of a router, or of a function that leads to one. */
export function layersOf(handler: object): readonly StackLayer[] {
  const router = routerBehind(handler);
  return router === undefined ? [] : (stackOf(router) as StackLayer[]);
}

function stackOf(router: Handler): unknown {
  // Reading `stack` of one of our own routers would signal to it that other code holds it
  return router[STATE]?.stack ?? router.stack;
}
