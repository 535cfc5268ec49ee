/** Mounts middleware and applications under a path. */
import { adopt, prototypesOf } from '../serving/adopt';
import { debug } from '../report/debug';
import { mountArguments } from '../router/arguments';
import { noteMounted } from '../router/mounted';
import type { Application, Request, Response } from '../types/internals';
import type { Next } from '../types/next';
import { versionOf } from '../version';
import { inheritSettings } from './settings';

/** Anything that mounts middleware under a path. */
interface Mounting {
  use(path: unknown, handler: unknown): void;
}

/** Mounts middleware, routers or applications at a path. */
export function use(this: Application, _fn: unknown): Application {
  // eslint-disable-next-line prefer-rest-params -- the function's length is part of the interface
  const mounted = mountArguments(arguments, 'app.use()');
  this.lazyrouter();
  mountAll(this, mounted, this._router!);
  return this;
}

/** Mounts middleware and applications. @param router the router that dispatches requests to them */
export function mountAll(
  app: Application,
  { path, handlers }: ReturnType<typeof mountArguments>,
  router: Mounting,
): void {
  for (const handler of handlers) {
    if (isApplication(handler)) mountApplication(app, path, handler, router);
    else router.use(path, handler);
  }
}

/** Whether a handler is an application, from any copy or version of the framework. */
export function isApplication(handler: unknown): handler is Application {
  const candidate = handler as Partial<Application> | null | undefined;
  return Boolean(candidate && (candidate as { handle?: unknown }).handle && candidate.set);
}

/**
 * Mounts an application.
 * @param router the router that dispatches requests to it
 * @throws TypeError if it is mounted in itself
 */
export function mountApplication(
  parent: Application,
  path: unknown,
  app: Application,
  router: Mounting,
): void {
  debug.application?.('.use app under %s', path);
  // Applications of Express may be each other's parents
  const seen = new Set<Application>();
  for (let outer: Application | undefined = parent; outer && !seen.has(outer); outer = outer.parent) {
    seen.add(outer);
    if (outer === app) {
      throw new TypeError(
        'app.use() expected a handler or another application, got the application itself, or one in which it is mounted',
      );
    }
  }
  app.mountpath = path as string;
  app.parent = parent;
  const mountedApp = function mounted_app(req: Request, res: Response, next: Next) {
    const { app: outer } = req as { app: unknown };
    app.handle(req, res, (err?: unknown) => {
      // A program may keep a value of its own in `req.app`, such as the record of a tenant
      adopt(isApplication(outer) ? outer : parent, req, res);
      next(err);
    });
  };
  noteMounted(mountedApp, app);
  router.use(path, mountedApp);
  app.emit('mount', parent);
}

/**
 * Makes a mounted sub-application inherit its parent's settings and engines, and the prototypes of requests and
 * responses; if the parent is of another version, the sub-application keeps its own prototypes.
 */
export function inherit(app: Application, parent: Application): void {
  inheritSettings(app, parent);
  Object.setPrototypeOf(app.engines, parent.engines);
  if (!isOfSameVersion(app, parent)) return;
  const own = prototypesOf(app);
  const outer = prototypesOf(parent);
  Object.setPrototypeOf(own.request, outer.request);
  Object.setPrototypeOf(own.response, outer.response);
}

function isOfSameVersion(app: Application, parent: Application): boolean {
  const version = versionOf(app);
  // An application of Express, or of another copy of the framework, lacks this property.
  const outer = versionOf(parent) as typeof version | undefined;
  return outer === undefined ? version.application.recognizes(parent) : outer === version;
}

/** Returns the path at which the application is mounted, including its parents' paths; `''` for the outermost. */
export function path(this: Application): string {
  return this.parent ? this.parent.path() + String(this.mountpath) : '';
}
