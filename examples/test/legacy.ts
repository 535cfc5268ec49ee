/** Loads an application of examples/legacy on Ristretto, or on Express 3, for which it was written. */
import { createRequire } from 'node:module';
import Module from 'node:module';
import os from 'node:os';
import path from 'node:path';
import type web from 'ristretto3';

export type Framework = 'ristretto3' | 'express3';

/** The order matters: Express 3 changes Node's own prototypes when it is loaded. */
export const frameworks: Framework[] = ['ristretto3', 'express3'];

type Resolve = (request: string, ...rest: unknown[]) => string;

/** A function that the oracle calls, and that Node no longer has. */
Object.assign(os, { tmpDir: os.tmpdir });
process.on('deprecation', () => undefined);

/** Returns a fresh copy of an application. */
export function load(name: string, framework: Framework): web.Application {
  const file = path.join(__dirname, '../legacy', name, 'app.js');
  const modules = Module as unknown as { _resolveFilename: Resolve };
  const resolve = modules._resolveFilename;
  const { NODE_ENV } = process.env;
  process.env.NODE_ENV = 'test';
  modules._resolveFilename = (request, ...rest) =>
    Reflect.apply(resolve, Module, [request === 'ristretto3' ? framework : request, ...rest]);
  const require = createRequire(__filename);
  try {
    Reflect.deleteProperty(require.cache, file);
    return require(file) as web.Application;
  } finally {
    modules._resolveFilename = resolve;
    if (NODE_ENV === undefined) delete process.env.NODE_ENV;
    else process.env.NODE_ENV = NODE_ENV;
  }
}

/** Returns the token in a page's form. */
export function tokenOf(html: string): string {
  return /name="_csrf" value="([^"]+)"/.exec(html)![1]!.replaceAll('&#43;', '+');
}
