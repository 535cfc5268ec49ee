/** Runs a route's stack: its handlers for one method, `next`, and errors. */
import { setImmediate } from 'node:timers';
import type { Next } from '../types/next';
import type { Version } from '../version';
import type { StackLayer } from './stack-layer';
import { isPromise } from '../realms';
import { forwardRejection, recordError } from './rejection';
import type { Run } from './rejection';

type RunOfStack = Run & { res: unknown; next: Next };

/** How many handlers may call each other before yielding, to avoid overflowing the call stack. */
const MAX_DEPTH = 100;

/** The part of a version's record that is used here. */
type RouteVersion = Pick<Version['router'], 'callInRoute' | 'countsSkippedLayers'>;

/** Calls the layers for a method one after another, and then `done`. */
export function runStack(
  stack: StackLayer[],
  method: string,
  req: object,
  res: unknown,
  done: Next,
  version: RouteVersion,
): void {
  let at = 0;
  let depth = 0;
  const run: RunOfStack = { steps: 0, errors: undefined, req, res, next };
  next();

  function next(err?: unknown): void {
    run.steps++;
    if (err) {
      recordError(run, err);
      if (err === 'route') {
        done();
        return;
      }
      if (err === 'router') {
        done(err);
        return;
      }
    }
    if (++depth > MAX_DEPTH) {
      setImmediate(next, err);
      return;
    }
    let layer = stack[at++];
    if (!version.countsSkippedLayers) while (layer?.method && layer.method !== method) layer = stack[at++];
    if (!layer) {
      done(err);
      return;
    }
    if (layer.method && layer.method !== method) {
      next(err);
    } else {
      const { steps } = run;
      const result = version.callInRoute(run, layer, err);
      if (result !== undefined && isPromise(result)) forwardRejection(result, run, steps, next);
    }
    depth = 0;
  }
}
