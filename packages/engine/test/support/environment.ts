/** What a process has once, replaced for a while: variables of its environment, and `console.error`. */
import { mock } from 'node:test';

type Variables = Record<string, string | undefined>;

function setVariables(variables: Variables): void {
  for (const [name, value] of Object.entries(variables)) {
    if (value === undefined) Reflect.deleteProperty(process.env, name);
    else process.env[name] = value;
  }
}

/** Runs `use` with other variables of the environment, until the promise settles if it returns one. */
export function inEnvironment<T>(variables: Variables, use: () => T): T {
  const before = Object.fromEntries(Object.keys(variables).map(name => [name, process.env[name]]));
  let result: T | undefined;
  setVariables(variables);
  try {
    result = use();
    return result instanceof Promise ? (result.finally(() => setVariables(before)) as T) : result;
  } finally {
    if (!(result instanceof Promise)) setVariables(before);
  }
}

/** Returns what is logged with `console.error` while `use` runs. */
export async function logged(use: () => PromiseLike<unknown>): Promise<unknown[]> {
  const lines: unknown[] = [];
  const log = mock.method(console, 'error', (...args: unknown[]) => void lines.push(...args));
  try {
    await use();
  } finally {
    log.mock.restore();
  }
  return lines;
}
