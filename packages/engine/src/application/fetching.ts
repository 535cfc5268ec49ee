/**
 * `app.fetch` and `app.inject`, which run an application without a server. Their modules are loaded after startup.
 */
import { deferred, loadDeferred } from '../deferred';
import type { inject as injectType } from '../fetch/inject';
import type { serve as serveType } from '../fetch/serve';
import type { Fetch, InjectOptions, InjectResponse } from '../types/fetch';
import type { Application } from '../types/internals';
import { logError } from './final-handler';

const serving = deferred(() => require('../fetch/serve') as { serve: typeof serveType });
const injecting = deferred(() => require('../fetch/inject') as { inject: typeof injectType });

/**
 * `app.fetch`, bound to the application on first read, so that it can be passed around on its own.
 * @example export default { fetch: app.fetch };
 */
const fetch: PropertyDescriptor & ThisType<Application> = {
  configurable: true,
  get(): Fetch | undefined {
    // The prototype of applications is an object and cannot handle requests.
    if (typeof this !== 'function') return undefined;
    const bound: Fetch = (request, info) => {
      loadDeferred();
      return serving().serve(this as never, request, info, error => {
        logError(this, error);
      });
    };
    keep(this, bound);
    return bound;
  },
  set(value: unknown) {
    keep(this, value);
  },
};

function keep(app: object, value: unknown): void {
  Object.defineProperty(app, 'fetch', { value, configurable: true, writable: true });
}

/**
 * Sends a request to the application without a socket, for tests.
 * @param options a URL, or method, URL, query, headers, cookies and body
 * @returns a promise of the complete response; it rejects only if the options are invalid
 * @example
 * const { status, json } = await app.inject({ method: 'POST', url: '/users', body: { name: 'Ada' } });
 */
function inject(this: Application, options: InjectOptions | string = '/'): Promise<InjectResponse> {
  loadDeferred();
  return injecting().inject(this as never, options, error => {
    logError(this, error);
  });
}

/** The property descriptors of `fetch` and `inject`. */
export const fetching: PropertyDescriptorMap = {
  fetch,
  inject: { value: inject, configurable: true, writable: true },
};
