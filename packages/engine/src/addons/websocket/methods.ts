/** `app.ws` and `router.ws`, whose module is loaded with the first call, while an application is set up. */
import type * as websocket from './route';

const routes = (): typeof websocket => require('./route') as typeof websocket;

type RouterOf<App> = (app: App) => { route(path: unknown): unknown };

/**
 * Creates the property for an application or a router. In a program that has loaded `express-ws`, it is undefined until
 * that package defines its own, which it does only where there is none.
 * @param routerOf returns the router that gets the route
 */
export function socketProperty<App extends object>(routerOf: RouterOf<App>): PropertyDescriptor {
  function ws(this: App, path: unknown, ...handlers: unknown[]): App {
    routes().addSocketRoute(routerOf(this), path, handlers);
    return this;
  }
  return {
    configurable: true,
    get: () => (isExpressWsLoaded() ? undefined : ws),
    set(value: unknown) {
      Object.defineProperty(this, 'ws', { configurable: true, enumerable: true, value, writable: true });
    },
  };
}

function isExpressWsLoaded(): boolean {
  // Bundles for workerd have no cache.
  return Object.keys({ ...require.cache }).some(file => /[\\/]node_modules[\\/]express-ws[\\/]/.test(file));
}

/** Returns the handlers of a route for WebSockets, for a router of 3.x. */
export const socketHandlers: typeof websocket.socketHandlers = args => routes().socketHandlers(args);
