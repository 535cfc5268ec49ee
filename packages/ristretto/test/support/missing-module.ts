/** Runs as where a module is missing, or another one. */
import Module from 'node:module';

/** What Node resolves every name by, whoever asks. */
const resolver = Module as unknown as { _resolveFilename(name: string, ...rest: unknown[]): string };

/** @param replacement the file that is found instead; none is found by default */
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
