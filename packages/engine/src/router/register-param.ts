/** `router.param`: registers a callback for a path parameter. */
import type { ParamCallback } from './param-callback';
import { noteRegistration, traceRegistration } from './registrations';

type ParamHook = (name: string, callback: unknown) => unknown;

/** The members of a router that the registration reads and changes. */
export interface ParamRegistry {
  params: Record<string, ParamCallback[] | undefined>;
  /** Functions that replace callbacks at their registration. */
  _params: unknown[];
}

/**
 * Registers a callback; with only a function, a hook for such registrations (deprecated).
 *
 * @param deprecate prints a deprecation; that of the calling file, so that the notice names the program's line
 * @throws TypeError if the name is not a string; Error if the callback is not a function
 */
export function registerParam(
  router: ParamRegistry,
  name: unknown,
  callback: unknown,
  deprecate: (message: string) => void,
): void {
  if (typeof name === 'function') {
    deprecate('router.param(fn): Refactor to use path params');
    router._params.push(name);
    return;
  }
  if (typeof name !== 'string') {
    throw new TypeError(`invalid param() call: the name must be a string but got ${String(name)}`);
  }
  let key = name;
  if (key.startsWith(':')) {
    deprecate(
      `router.param(${JSON.stringify(key)}, fn): Use router.param(${JSON.stringify(key.slice(1))}, fn) instead`,
    );
    key = key.slice(1);
  }
  let registered = callback;
  for (const hook of router._params) {
    const result = (hook as ParamHook)(key, registered);
    if (result) registered = result;
  }
  if (typeof registered !== 'function') {
    throw new Error(`invalid param() call for ${key}, got ${String(callback)}`);
  }
  const callbacks = (router.params[key] ??= []);
  callbacks.push(registered as ParamCallback);
  noteRegistration(callbacks, traceRegistration());
}
