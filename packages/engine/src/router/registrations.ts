/**
 * Records where in the application layers were registered, for lists of routes. This is enabled in development, or if
 * the environment variable `RISTRETTO_PLACES` is `1`; `0` disables it. A registration then takes some microseconds
 * longer.
 */
import { deferred } from '../deferred';
import type * as diagnose from '../dev/place';
import type { Place, CapturedStack } from '../dev/place';

const traces = new WeakMap<object, CapturedStack>();
const places = deferred(() => require('../dev/place') as typeof diagnose, isRecording);

/** Records the calls that led to a registration, if this is enabled. */
export function captureRegistrationStack(): CapturedStack | undefined {
  return isRecording() ? places().captureStack() : undefined;
}

function isRecording(): boolean {
  const { RISTRETTO_PLACES: wanted, NODE_ENV: mode } = process.env;
  return wanted ? wanted !== '0' : !mode || mode === 'development';
}

/** Records where a layer was registered. */
export function noteRegistration(layer: object, trace: CapturedStack | undefined): void {
  if (trace !== undefined) traces.set(layer, trace);
}

/** Returns where a layer was registered, or undefined if that was not recorded or cannot be determined. */
export function registrationOf(layer: object): Place | undefined {
  const trace = traces.get(layer);
  return trace && places().placeOf(trace);
}
