/** Path parameters: decodes them, registers and runs their callbacks, and merges a child router's with its parent's. */
import type { Next } from '../types/next';
import type { ParamCallback, StackLayer } from './stack-layer';
import { recordError, watchResult } from './rejection';
import type { Run } from './rejection';
import { tracer, devWatch } from './observers';
import { noteRegistration, captureRegistrationStack } from './registrations';

/** @throws URIError with status 400 for a malformed percent-encoding */
export function decodeParam<Value extends string | undefined>(value: Value): Value {
  if (!value?.includes('%')) return value;
  try {
    return decodeURIComponent(value) as Value;
  } catch (error) {
    const failure = error as Error;
    if (failure.name === 'URIError') {
      failure.message = `Failed to decode param '${value}'`;
      Object.assign(failure, { statusCode: 400, status: 400 });
    }
    throw error;
  }
}

/** Shared and frozen, so that matching writes nothing: `Walk` replaces it before handlers see it. */
export const NO_PARAMS: Record<string, never> = Object.freeze({});

/** Creates the `{}` that handlers see instead. A literal would reserve space for four members: 56 bytes, not 24. */
export const NoParams = function () {
  /* empty at first */
} as unknown as new () => Record<string, unknown>;
NoParams.prototype = Object.prototype as Record<string, unknown>;

export type Params = Record<string, unknown>;
type ParameterKeys = readonly { name: string | number }[];

/** The part of a router that is used here. */
export interface ParamsRouter {
  /** The callbacks of each parameter name, in the order of registration. */
  params: Record<string, ParamCallback[] | undefined>;
}

/** The outcome of a parameter's callbacks in this request: they run once for each value. */
interface CalledParam {
  error: unknown;
  match: unknown;
  value: unknown;
}
export type CalledParams = Record<string, CalledParam | undefined>;

/**
 * Runs the callbacks of the layer's parameters, one after the other, and then `done`.
 * @param called the outcomes of callbacks in this request so far; new ones are added
 * @param watch checks the result of a callback
 * @param keys the layer's parameters, if the layer does not have them
 */
export function processParams(
  router: ParamsRouter,
  layer: StackLayer,
  called: CalledParams,
  req: { params: Params },
  res: unknown,
  done: Next,
  watch = watchResult,
  keys: ParameterKeys = layer.keys ?? [],
): void {
  let keyAt = 0;
  nextParam();

  function nextParam(err?: unknown): void {
    if (err) {
      done(err);
      return;
    }
    const key = keys[keyAt++];
    if (key === undefined) {
      done();
      return;
    }
    const { name } = key;
    const value = req.params[name];
    const callbacks = router.params[name];
    const earlier = called[name];
    if (value === undefined || !callbacks) {
      nextParam();
      return;
    }
    if (earlier && (earlier.match === value || (earlier.error && earlier.error !== 'route'))) {
      req.params[name] = earlier.value;
      nextParam(earlier.error);
      return;
    }
    const current: CalledParam = { error: null, match: value, value };
    called[name] = current;
    devWatch()?.noteParam(layer, req, name);
    const traced = tracer()?.traceParam(layer, req, callbacks) ?? callbacks;
    runCallbacks(traced, name, current, req, res, nextParam, watch);
  }
}

function runCallbacks(
  callbacks: ParamCallback[],
  name: string | number,
  current: CalledParam,
  req: { params: Params },
  res: unknown,
  done: Next,
  watch: typeof watchResult,
): void {
  const value = current.match;
  let at = 0;
  const run: Run = { steps: 0, errors: undefined, req };
  nextCallback();

  function nextCallback(err?: unknown): void {
    run.steps++;
    if (err) recordError(run, err);
    const { steps } = run;
    const callback = callbacks[at++];
    // The callback may have replaced the value
    current.value = req.params[name];
    if (err) {
      current.error = err;
      done(err);
      return;
    }
    if (!callback) {
      done();
      return;
    }
    try {
      const result = callback(req, res, nextCallback, value, name);
      watch(result, run, steps, nextCallback);
    } catch (thrown) {
      nextCallback(thrown);
    }
  }
}

/**
 * Merges the parameters of a router with `mergeParams`: its own take precedence over its parent's. Numbered ones
 * (capture groups) are renumbered to follow the parent's.
 */
export function mergeParams(own: Params | undefined, parent: unknown): Params {
  if (typeof parent !== 'object' || parent === null) return own!;
  const merged: Params = { ...parent };
  if (!own) return merged;
  if (!(0 in own) || !(0 in parent)) return Object.assign(merged, own);

  const ownCount = countNumbered(own);
  const parentCount = countNumbered(parent);
  const shifted: Params = { ...own };
  for (let i = ownCount - 1; i >= 0; i--) {
    shifted[i + parentCount] = shifted[i];
    if (i < parentCount) Reflect.deleteProperty(shifted, i);
  }
  return Object.assign(merged, shifted);
}

function countNumbered(params: Params): number {
  let count = 0;
  while (count in params) count++;
  return count;
}

type ParamHook = (name: string, callback: unknown) => unknown;

/** The members of a router that the registration reads and changes. */
interface ParamRegistry {
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
  noteRegistration(callbacks, captureRegistrationStack());
}
