/** Mounting: middleware and applications under a path. */
import { adopt } from '../http/adopt';
import { debug } from '../report/debug';
import { mountArguments } from '../router/mount-arguments';
import { noteMounted } from '../router/mounted';
import type { Application, Request, Response } from '../types/internals';
import { inheritSettings } from './settings';

type Next = (err?: unknown) => void;

/** Anything that takes middleware under a path. */
interface Mounting {
  use(path: unknown, handler: unknown): void;
}

/**
 * Mounts middleware, routers or applications at a path.
 *
 * @param path a path, a pattern, a regular expression or an array of these; `/` where it is left out
 * @param handlers functions, routers, applications, and arrays of them
 * @returns the application, for chaining
 * @throws TypeError where there is no function, or one of them is not a function
 * @example app.use('/static', web.static('public'));
 */
export function use(this: Application, _fn: unknown): Application {
  // eslint-disable-next-line prefer-rest-params -- the function's length is part of the interface
  const mounted = mountArguments(arguments, 'app.use()');
  this.lazyrouter();
  mountAll(this, mounted, this._router!);
  return this;
}

/** Mounts middleware and applications. @param router where their requests come from */
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

/** Whether what is mounted is an application, of whatever copy or version of the framework. */
export function isApplication(handler: unknown): handler is Application {
  const candidate = handler as Partial<Application> | null | undefined;
  return Boolean(candidate && (candidate as { handle?: unknown }).handle && candidate.set);
}

/**
 * Mounts an application.
 * @param router where its requests come from
 */
export function mountApplication(
  parent: Application,
  path: unknown,
  app: Application,
  router: Mounting,
): void {
  debug.application?.('.use app under %s', path);
  app.mountpath = path as string;
  app.parent = parent;
  const mountedApp = function mounted_app(req: Request, res: Response, next: Next) {
    const outer = req.app;
    app.handle(req, res, (err?: unknown) => {
      adopt(outer, req, res);
      next(err);
    });
  };
  noteMounted(mountedApp, app);
  router.use(path, mountedApp);
  app.emit('mount', parent);
}

/**
 * What a sub-application inherits when it is mounted in one that may be of another version of the interface: there, its
 * requests and responses keep the members that it knows.
 * @param isOfVersion whether both are of the same version
 */
export function inheritOf(app: Application, parent: Application, isOfVersion: boolean): void {
  if (isOfVersion) {
    inheritFrom(app, parent);
  } else {
    inheritSettings(app, parent);
    Object.setPrototypeOf(app.engines, parent.engines);
  }
}

/** What a sub-application inherits when it is mounted: settings, engines, and the prototypes of its messages. */
export function inheritFrom(app: Application, parent: Application): void {
  inheritSettings(app, parent);
  Object.setPrototypeOf(app.request, parent.request);
  Object.setPrototypeOf(app.response, parent.response);
  Object.setPrototypeOf(app.engines, parent.engines);
}

/**
 * The path at which the application is mounted, through all its parents; `''` for the outermost.
 * @example admin.path() // '/blog/admin'
 */
export function path(this: Application): string {
  return this.parent ? this.parent.path() + String(this.mountpath) : '';
}
