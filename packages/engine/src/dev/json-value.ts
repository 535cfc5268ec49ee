/** Finds the part of a value that JSON cannot express. */
import { types } from 'node:util';
import { explainError } from './warn';

/** Adds the path of that part to the error thrown by `JSON.stringify`. */
export function explainUnserializable(error: unknown, value: unknown): void {
  const { name } = Object(error) as Partial<Error>;
  const problem = name === 'TypeError' ? problemIn(value, 'value', new Map()) : undefined;
  if (problem !== undefined) explainError(error as TypeError, [problem]);
}

/** The most values that are examined in one response. */
const MOST_VALUES = 10_000;

/**
 * Returns the first member that JSON turns into `{}`, its type, and what to send instead; undefined if there is none.
 */
export function lostIn(value: unknown): string | undefined {
  const seen = new Set<unknown>();
  const find = (part: unknown, path: string): string | undefined => {
    if (typeof part !== 'object' || part === null || seen.has(part) || seen.size >= MOST_VALUES)
      return undefined;
    seen.add(part);
    const lost = remedyFor(part, path);
    const where = path === 'value' ? '' : ` in ${path}`;
    if (lost !== undefined) return `${lost[0]}${where}, of which JSON has only {}. Send ${lost[1]}.`;
    // What `toJSON` returns is not examined, because calling it may have side effects
    if (typeof (part as { toJSON?: unknown }).toJSON === 'function') return undefined;
    for (const [key, member] of Object.entries(part)) {
      const found = find(member, path + access(key, Array.isArray(part)));
      if (found !== undefined) return found;
    }
    return undefined;
  };
  return find(value, 'value');
}

/** Returns the type of a value that JSON turns into `{}`, and what to send in its place. */
function remedyFor(part: object, path: string): [what: string, remedy: string] | undefined {
  if (types.isPromise(part)) return ['a promise', `what it resolves to: await ${path}`];
  if (types.isMap(part)) return ['a Map', `Object.fromEntries(${path})`];
  if (types.isSet(part)) return ['a Set', `[...${path}]`];
  const isBare = types.isNativeError(part) && Object.keys(part).length === 0 && !('toJSON' in part);
  return isBare ? ['an Error', `what clients may see of it, such as ${path}.message`] : undefined;
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
