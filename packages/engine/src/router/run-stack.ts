/** Runs a route's stack: its handlers for one method, `next`, and errors. */
import type Layer = require('./layer');
import { forwardRejection, isPromise, recordError } from './rejection';
import type { Run } from './rejection';

type Next = (err?: unknown) => void;
type RunOfStack = Run & { next: Next };

/** How many handlers may call each other before yielding, to avoid overflowing the call stack. */
const MAX_DEPTH = 100;

/** The differences between the versions of Express. */
export interface Manner {
  /** Calls a layer; if it returns a promise, its rejection is forwarded. */
  call(layer: Layer, err: unknown, req: unknown, res: unknown, run: RunOfStack): unknown;
  /** Whether skipping a layer for another method counts as a call of `next`. */
  countsOthers: boolean;
}

const OF_EXPRESS_4: Manner = {
  call: (layer, err, req, res, { next }) =>
    err ? layer.handle_error(err, req, res, next) : layer.handle_request(req, res, next),
  countsOthers: true,
};

/** Calls the layers for a method one after another, and then `done`. */
export function runStack(
  stack: Layer[],
  method: string,
  req: object,
  res: unknown,
  done: Next,
  { call, countsOthers } = OF_EXPRESS_4,
): void {
  let at = 0;
  let depth = 0;
  const run: RunOfStack = { steps: 0, errors: undefined, req, next };
  next();

  function next(err?: unknown): void {
    run.steps++;
    if (err) recordError(run, err);
    if (err === 'route') {
      done();
      return;
    }
    if (err === 'router') {
      done(err);
      return;
    }
    if (++depth > MAX_DEPTH) {
      setImmediate(next, err);
      return;
    }
    let layer = stack[at++];
    if (!countsOthers) while (layer?.method && layer.method !== method) layer = stack[at++];
    if (!layer) {
      done(err);
      return;
    }
    if (layer.method && layer.method !== method) {
      next(err);
    } else {
      const { steps } = run;
      const result = call(layer, err, req, res, run);
      if (result !== undefined && isPromise(result)) forwardRejection(result, run, steps, next);
    }
    depth = 0;
  }
}
