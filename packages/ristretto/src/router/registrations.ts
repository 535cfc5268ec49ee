/**
 * Where in the program layers were registered, for lists of routes. It is noted in development, or where the environment
 * variable `RISTRETTO_PLACES` is `1`; `0` has it left out. A registration then takes some microseconds longer.
 */
import type * as diagnose from '../diagnose/place';
import type { Place, Trace } from '../diagnose/place';

const traces = new WeakMap<object, Trace>();
let loaded: typeof diagnose | undefined;

/** Notes the calls that led to a registration, where that is wanted. */
export function traceRegistration(): Trace | undefined {
  const { RISTRETTO_PLACES: wanted, NODE_ENV: mode } = process.env;
  if (wanted ? wanted === '0' : mode && mode !== 'development') return undefined;
  return load().captureTrace();
}

/** Notes where a layer was registered. */
export function noteRegistration(layer: object, trace: Trace | undefined): void {
  if (trace !== undefined) traces.set(layer, trace);
}

/** Where a layer was registered; undefined where that was not noted, or can't be told. */
export function registrationOf(layer: object): Place | undefined {
  const trace = traces.get(layer);
  return trace && load().placeOf(trace);
}

/** Not needed in production. */
function load(): typeof diagnose {
  return (loaded ??= require('../diagnose/place') as typeof diagnose);
}
