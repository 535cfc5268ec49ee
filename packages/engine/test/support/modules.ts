/** Loads modules otherwise: as if one were missing, and the package a second time. */
import fs from 'node:fs';
import Module, { createRequire } from 'node:module';
import path from 'node:path';
import type { Web } from './oracle.js';

// Runs a function as if a module were missing, or another one were installed in its place.

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

// Loads the package a second time, as if it were installed in two places.

/** Copies the files of the package and of its engine to another folder that resolves the same dependencies, and loads them there. */
export function secondCopy(): Web {
  const load = createRequire(__filename);
  const home = path.dirname(load.resolve('ristretto/package.json'));
  const modules = path.dirname(path.dirname(load.resolve('finalhandler', { paths: [home] })));
  const folder = fs.mkdtempSync(path.join(modules, '.second-copy-'));
  process.on('exit', () => {
    fs.rmSync(folder, { recursive: true, force: true });
  });
  const engine = 'node_modules/@ristretto/private-engine';
  for (const [from, to] of [
    [home, folder],
    [path.join(home, '../engine'), path.join(folder, engine)],
  ] as const) {
    for (const name of ['package.json', 'index.js', 'lib']) {
      const isWanted = (file: string): boolean => !file.endsWith('.d.ts');
      if (fs.existsSync(path.join(from, name)))
        fs.cpSync(path.join(from, name), path.join(to, name), { recursive: true, filter: isWanted });
    }
  }
  return load(folder) as Web;
}
