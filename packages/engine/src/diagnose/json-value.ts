/** Finds the part of a value that JSON cannot express. */
import { explainError } from './explain';

/** Adds the path of that part to the error thrown by `JSON.stringify`. */
export function explainUnserializable(error: unknown, value: unknown): void {
  const problem = error instanceof TypeError ? problemIn(value, 'value', new Map()) : undefined;
  if (problem !== undefined) explainError(error as TypeError, [problem]);
}

/** @param ancestors the objects around the value, each with its path */
function problemIn(value: unknown, path: string, ancestors: Map<unknown, string>): string | undefined {
  if (typeof value === 'bigint')
    return `${path} is the BigInt ${value}n: send String(${path}) or Number(${path}).`;
  if (typeof value !== 'object' || value === null) return undefined;
  const earlier = ancestors.get(value);
  if (earlier !== undefined)
    return `${path} refers back to ${earlier}: leave it out, or send a copy without it.`;
  // The result of `toJSON` is not checked, because calling it may have side effects
  if (typeof (value as { toJSON?: unknown }).toJSON === 'function') return undefined;
  ancestors.set(value, path);
  for (const [key, member] of Object.entries(value)) {
    const problem = problemIn(member, path + access(key, Array.isArray(value)), ancestors);
    if (problem !== undefined) return problem;
  }
  ancestors.delete(value);
  return undefined;
}

/** The property access as written in a program. */
function access(key: string, isIndex: boolean): string {
  if (isIndex) return `[${key}]`;
  return /^[A-Za-z_$][\w$]*$/.test(key) ? `.${key}` : `[${JSON.stringify(key)}]`;
}
