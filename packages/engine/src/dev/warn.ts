/** Messages to the programmer: process warnings, once for each place in the program, and lines below those of errors. */
import { callerPlace } from './place';
import type { Place } from './place';

/** The maximum number of warnings shown for one code: a mistake that a program repeats would bury all others. */
const MOST = 5;
/** Milliseconds after which the number of suppressed warnings is reported, in programs that keep running. */
const DELAY = 1000;

const warned = new Set<string>();
/** How many warnings were emitted, by code. */
const emitted = new Map<string, number>();
/** How many warnings were not shown since this was last reported, by code. */
const hidden = new Map<string, number>();
let isCounting = false;

/**
 * Emits a process warning named `RistrettoWarning`, unless this code was already emitted for this place, or
 * `RISTRETTO_WARNINGS=off` is set. From the sixth on, warnings with the same code are only counted, and the count is
 * reported.
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
  const count = (emitted.get(code) ?? 0) + 1;
  emitted.set(code, count);
  if (count > MOST) {
    countHidden(code);
    return;
  }
  const detail = at === undefined ? {} : { detail: `    at ${at}` };
  process.emitWarning(message, { type: 'RistrettoWarning', code, ...detail });
}

function countHidden(code: string): void {
  hidden.set(code, (hidden.get(code) ?? 0) + 1);
  if (isCounting) return;
  isCounting = true;
  process.on('exit', reportHidden);
  try {
    setTimeout(reportHidden, DELAY).unref();
  } catch {
    // Workers allow timers only during a request.
  }
}

function reportHidden(): void {
  for (const [code, count] of hidden) {
    const message = `${count} more of these ${count === 1 ? 'is' : 'are'} not shown: fix those above first.`;
    // `process.emitWarning` would wait for a tick that does not come when the process exits
    process.emit('warning', Object.assign(new Error(message), { name: 'RistrettoWarning', code }));
  }
  hidden.clear();
}

/** Adds lines below an error's message. The first line stays unchanged, because programs and tools may compare it. */
export function explainError(error: Error, lines: readonly string[]): void {
  const { message, stack } = error;
  const said = [message, ...lines].join('\n  ');
  if (typeof stack === 'string') error.stack = stack.replace(message, () => said);
  error.message = said;
}
