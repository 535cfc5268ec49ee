/** Routers and applications that are mounted: what is behind the functions in the stacks of their parents. */
import type Layer = require('./layer');
import { STATE } from './symbols';

/** Something that may be a router, or lead to one. */
interface Handler {
  [STATE]?: { stack: Layer[] };
  stack?: unknown;
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
 * The layers of a router of this package, of another copy of it, or of Express, or of the router of the application that
 * a middleware function leads to; undefined where it leads to neither.
 */
export function layersBehind(handler: object): readonly Layer[] | undefined {
  const app = mounted.get(handler) as { _router?: object } | undefined;
  const router = (app === undefined ? handler : (app._router ?? { stack: [] })) as Handler;
  // reading the `stack` of one of this package would tell it that somebody else has it
  const stack = router[STATE]?.stack ?? router.stack;
  return Array.isArray(stack) ? (stack as Layer[]) : undefined;
}
