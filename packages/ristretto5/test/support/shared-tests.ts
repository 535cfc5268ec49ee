/** Runs test files of the engine with `ristretto5` and Express 5 in place of `ristretto` and Express 4. */
import fs from 'node:fs';
import Module from 'node:module';
import path from 'node:path';

type Load = (request: string, parent?: { filename?: string | null }, ...rest: unknown[]) => unknown;
type Test = (title: string, ...rest: unknown[]) => unknown;

const HOME = path.join(__dirname, '../../../engine/test');
const INSTEAD: Record<string, string> = { ristretto: 'ristretto5', express: 'express5' };

/**
 * Loads test files of the engine, whose tests then run as if they were in the calling file.
 *
 * @param names without `.test.ts`
 * @param isWanted whether to run the test with this title; others are left out
 */
export function loadSharedTests(names: readonly string[], isWanted: (title: string) => boolean): void {
  const loader = Module as unknown as { _load: Load };
  const load = loader._load;
  loader._load = function loadShared(this: unknown, request, parent, ...rest) {
    const isShared = parent?.filename?.startsWith(HOME + path.sep) === true;
    const loaded = Reflect.apply(load, this, [(isShared && INSTEAD[request]) || request, parent, ...rest]);
    return isShared && request === 'node:test' ? choosing(loaded as { test: Test }, isWanted) : loaded;
  };
  // Restored afterwards, in case these files were loaded for `ristretto`
  const kept = takeFromCache();
  try {
    const files = fs.readdirSync(HOME, { recursive: true, encoding: 'utf8' });
    for (const name of names) {
      const file = files.find(each => path.basename(each) === `${name}.test.ts`);
      require(path.join(HOME, file!));
    }
  } finally {
    takeFromCache();
    Object.assign(require.cache, kept);
    loader._load = load;
  }
}

function takeFromCache(): Record<string, NodeModule | undefined> {
  const taken: Record<string, NodeModule | undefined> = {};
  for (const file of Object.keys(require.cache).filter(name => name.startsWith(HOME + path.sep))) {
    taken[file] = require.cache[file];
    Reflect.deleteProperty(require.cache, file);
  }
  return taken;
}

/** `node:test` with a `test` that registers only the wanted tests. */
function choosing<T extends { test: Test }>(module: T, isWanted: (title: string) => boolean): T {
  const test: Test = (title, ...rest) => (isWanted(title) ? module.test(title, ...rest) : undefined);
  return { ...module, test: Object.assign(test, module.test) };
}
