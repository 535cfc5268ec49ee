/**
 * `app.fetch` and `app.inject`, which run an application without a server. Their modules are loaded after startup.
 */
import { deferred, loadDeferred } from '../deferred';
import type { inject as injectType } from '../serving/fetch/inject';
import type * as server from '../serving/fetch/handle-fetch';
import type {
  BunSocketHandlers,
  Fetch,
  FetchRequest,
  FetchResponse,
  Inject,
  InjectResponse,
} from '../types/fetch';
import type { Application } from '../types/internals';
import type * as injectSockets from '../addons/websocket/inject';
import { logError } from './final-handler';

const serving = deferred(() => require('../serving/fetch/handle-fetch') as typeof server);
const injecting = deferred(() => require('../serving/fetch/inject') as { inject: typeof injectType });

const injectingSockets = (): typeof injectSockets =>
  require('../addons/websocket/inject') as typeof injectSockets;

/** `app.fetch`. @example export default { fetch: app.fetch }; */
function makeFetch(app: Application): Fetch {
  const fetch = (request: FetchRequest, info?: object): Promise<FetchResponse> => {
    loadDeferred();
    return serving().handleFetch(app, request, info, error => {
      logError(app, error);
    });
  };
  const websocket = {
    enumerable: true,
    get(): BunSocketHandlers {
      loadDeferred();
      return serving().bunHandlers;
    },
  };
  return Object.defineProperties(fetch, { websocket }) as Fetch;
}

/**
 * `app.inject`, which sends requests to the application without a socket, for tests, and `app.inject.ws`.
 * @example const { status, json } = await app.inject('/users', { body: { name: 'Ada' } });
 */
function makeInject(app: Application): Inject {
  const inject = (...args: Parameters<typeof injectType>[1]): Promise<InjectResponse> => {
    loadDeferred();
    return injecting().inject(app, args, error => {
      logError(app, error);
    });
  };
  const ws: Inject['ws'] = (url, options) => {
    loadDeferred();
    return injectingSockets().injectSocket(app, url, options);
  };
  return Object.assign(inject, { ws });
}

/** Makes the descriptor of a function that is bound to the application on first read, so that it can be passed around. */
function bound(
  name: string,
  make: (app: Application) => unknown,
): PropertyDescriptor & ThisType<Application> {
  const keep = (app: object, value: unknown): void => {
    Object.defineProperty(app, name, { value, configurable: true, writable: true });
  };
  return {
    configurable: true,
    get() {
      // The prototype of applications is an object and cannot handle requests.
      if (typeof this !== 'function') return undefined;
      const value = make(this);
      keep(this, value);
      return value;
    },
    set(value: unknown) {
      keep(this, value);
    },
  };
}

/**
 * Bun serves what the main file exports if it has a function `fetch` and none `stop`: a program that listens, and exports its
 * application for tests, would listen on a second port, or end because its own is in use.
 * @throws always
 */
function stop(): never {
  throw new Error('app.stop: applications are not servers. Pass the server to web.stop: web.stop(server)');
}

/** The property descriptors of `fetch` and `inject`. */
export const fetching: PropertyDescriptorMap = {
  fetch: bound('fetch', makeFetch),
  inject: bound('inject', makeInject),
  ...(process.versions.bun === undefined
    ? {}
    : { stop: { value: stop, configurable: true, writable: true } }),
};
