/** Path parameters: runs their callbacks, and merges a child router's with its parent's. */
import type { Next } from '../types/next';
import type { StackLayer } from './stack-layer';
import type { ParamCallback } from './param-callback';
import { recordError, watchResult } from './rejection';
import type { Run } from './rejection';
import { tracer, watcher } from './observers';

export type Params = Record<string, unknown>;
type ParameterKeys = readonly { name: string | number }[];

/** The part of a router that is used here. */
export interface ParamsRouter {
  /** The callbacks of each parameter name, in the order of registration. */
  params: Record<string, ParamCallback[] | undefined>;
}

/** The outcome of a parameter's callbacks in this request: they run once for each value. */
export interface CalledParam {
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
    watcher()?.noteParam(layer, req, name);
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
