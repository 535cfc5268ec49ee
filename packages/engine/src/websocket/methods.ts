/** `app.ws` and `router.ws`, whose module is loaded with the first call, while an application is set up. */
import type * as websocket from './route';

const routes = (): typeof websocket => require('./route') as typeof websocket;

type RouterOf<App> = (app: App) => { route(path: unknown): unknown };

/**
 * Makes the method for an application or a router.
 * @param routerOf returns the router that gets the route
 */
export function socketMethod<App extends object>(
  routerOf: RouterOf<App>,
): (this: App, path: unknown, ...handlers: unknown[]) => App {
  return function ws(this: App, path: unknown, ...handlers: unknown[]): App {
    routes().addSocketRoute(routerOf(this), path, handlers);
    return this;
  };
}

/** Returns the handlers of a route for WebSockets, for a router of 3.x. */
export const socketHandlers: typeof websocket.socketHandlers = args => routes().socketHandlers(args);
