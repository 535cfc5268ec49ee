/** Runs a function as if a module were missing, or another one were installed in its place. */
import Module from 'node:module';

/** The function with which Node resolves every module name. */
const resolver = Module as unknown as { _resolveFilename(name: string, ...rest: unknown[]): string };

/** @param replacement the file to resolve to instead; by default the module is not found */
export function withoutModule<T>(missing: string, run: () => T, replacement?: string): T {
  const resolve = resolver._resolveFilename;
  resolver._resolveFilename = function (name, ...rest) {
    if (name !== missing) return resolve.call(this, name, ...rest);
    if (replacement !== undefined) return replacement;
    throw Object.assign(new Error(`Cannot find module '${name}'`), { code: 'MODULE_NOT_FOUND' });
  };
  try {
    return run();
  } finally {
    resolver._resolveFilename = resolve;
  }
}
