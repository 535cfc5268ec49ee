/** The applications behind the middleware functions that stand for them in the stacks of their parents. */
import type { Application } from '../types/internals';

const mounted = new WeakMap<object, Application>();

/** Notes that a middleware function leads to an application. */
export function noteMounted(middleware: object, app: Application): void {
  mounted.set(middleware, app);
}

/** The application that a middleware function leads to, if it leads to one. */
export function applicationMountedBy(middleware: object): Application | undefined {
  return mounted.get(middleware);
}
