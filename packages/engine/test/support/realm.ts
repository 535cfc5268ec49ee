/**
 * A realm like the one Jest creates for each test file: a vm context in which every module is loaded anew, while Node's
 * own modules, and with them `Buffer`, `Uint8Array` and all errors of the file system and of zlib, belong to the outer
 * realm.
 */
import fs from 'node:fs';
import { createRequire, isBuiltin } from 'node:module';
import path from 'node:path';
import vm from 'node:vm';

type Load = (file: string) => unknown;

/** The globals of the outer realm that Jest 24, the oldest version that is supported, gives to tests. */
const SHARED = [
  ...['ArrayBuffer', 'Uint8Array', 'Buffer', 'TextDecoder', 'TextEncoder', 'URL', 'URLSearchParams'],
  ...['clearImmediate', 'clearInterval', 'clearTimeout', 'setImmediate', 'setInterval', 'setTimeout'],
  ...['console', 'process'],
];

/** Creates a realm; returns a loader of CommonJS files, which takes absolute paths. */
export function makeRealm(): Load {
  const context = vm.createContext();
  const inner = vm.runInContext('globalThis', context) as Record<string, unknown>;
  for (const name of SHARED) {
    Object.defineProperty(inner, name, Object.getOwnPropertyDescriptor(globalThis, name)!);
  }
  inner.global = inner;
  const modules = new Map<string, { exports: unknown }>();
  const load: Load = file => {
    const known = modules.get(file);
    if (known) return known.exports;
    const module = { exports: {} as unknown };
    modules.set(file, module);
    const text = fs.readFileSync(file, 'utf8');
    if (file.endsWith('.json')) {
      inner.text = text;
      return (module.exports = vm.runInContext('JSON.parse(text)', context));
    }
    const outer = createRequire(file);
    const require = (name: string): unknown => {
      const found = isBuiltin(name) ? name : outer.resolve(name);
      // Some packages provide an ES module even for `require`.
      return isBuiltin(name) || found.endsWith('.mjs') ? outer(name) : load(found);
    };
    // Does not wrap the text: offsets would differ from those of Node's loader, and the coverage of this process could
    // not be merged with that of the others.
    const run = vm.compileFunction(text, ['exports', 'require', 'module', '__filename', '__dirname'], {
      filename: file,
      parsingContext: context,
    }) as (...args: unknown[]) => void;
    run.call(module.exports, module.exports, require, module, file, path.dirname(file));
    return module.exports;
  };
  return load;
}
