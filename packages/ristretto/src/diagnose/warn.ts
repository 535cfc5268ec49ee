/** Emits the framework's warnings as process warnings, once for each place in the program. */
import { callerPlace } from './place';
import type { Place } from './place';

const warned = new Set<string>();

/**
 * Emits a process warning named `RistrettoWarning`, unless this code was already emitted for this place, or
 * `RISTRETTO_WARNINGS=off` is set.
 *
 * @param code the code with which `node --disable-warning=` silences it
 * @param message what was wrong, the value received, and what to do
 * @param place a line of the program, by default where it is calling the framework right now; null for none. Without a
 * place, each message is emitted once
 */
export function warnOnce(
  code: `RISTRETTO_${string}`,
  message: string,
  place: Place | null | undefined = callerPlace(),
): void {
  const at = place ? `${place.file}:${place.line}:${place.column}` : undefined;
  const key = `${code} ${at ?? message}`;
  if (warned.has(key) || process.env.RISTRETTO_WARNINGS === 'off') return;
  warned.add(key);
  const detail = at === undefined ? {} : { detail: `    at ${at}` };
  process.emitWarning(message, { type: 'RistrettoWarning', code, ...detail });
}
