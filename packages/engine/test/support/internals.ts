/** The internals that tools access, loosely typed, for either framework. */
import { createRequire } from 'node:module';
import path from 'node:path';
import type { Web } from './oracle.js';

export type Callable = (...args: never[]) => unknown;
export type Handle = (
  req: { url: string; method: string },
  res: unknown,
  next: (err?: unknown) => void,
) => unknown;

export interface LooseLayer {
  handle: Callable & { stack?: LooseLayer[]; parent?: unknown };
  name: string;
  params: Record<string, string> | undefined;
  path: string | undefined;
  keys: { name: string | number; optional: boolean }[];
  regexp: RegExp & { fast_star?: boolean; fast_slash?: boolean };
  route?: { path: unknown; methods: Record<string, boolean>; stack: LooseLayer[] };
  method?: string;
  match(path: string): boolean;
  handle_request(...args: unknown[]): unknown;
  handle_error(...args: unknown[]): unknown;
}
export interface LayerClass {
  new (path: unknown, options: object | undefined, handle: unknown): LooseLayer;
  (path: unknown, options: object | undefined, handle: unknown): LooseLayer;
  call(target: unknown, path: unknown, options: object | undefined, handle: unknown): LooseLayer | undefined;
  prototype: LooseLayer;
}
export interface LooseRouter {
  (req: unknown, res: unknown, out: (err?: unknown) => void): void;
  stack: LooseLayer[];
  use(...args: unknown[]): LooseRouter;
  get(...args: unknown[]): LooseRouter;
  route(path: unknown): Record<string, (...handlers: unknown[]) => unknown>;
  param(...args: unknown[]): LooseRouter;
  handle(...args: unknown[]): void;
  process_params(...args: unknown[]): unknown;
}
export interface LooseApp {
  _router: LooseRouter;
  lazyrouter(): void;
  request: object;
  response: object;
}

/** Loads a file of a framework's package, as tools require it: `lib/router/layer`. */
export function internal(framework: string, file: string): unknown {
  const folder =
    framework === 'express' ? path.dirname(require.resolve('express/package.json')) : 'ristretto';
  return createRequire(__filename)(framework === 'express' ? path.join(folder, file) : `${folder}/${file}`);
}

export function layerClass(framework: string): LayerClass {
  return internal(framework, 'lib/router/layer') as LayerClass;
}

export function loose(app: ReturnType<Web>): LooseApp & ReturnType<Web> {
  return app as unknown as LooseApp & ReturnType<Web>;
}

/** The stack of the application's router. */
export function stackOf(app: ReturnType<Web>): LooseLayer[] {
  return loose(app)._router.stack;
}

/** Replaces a member while `use` runs. */
export async function replacing<T>(
  target: object,
  name: string,
  descriptor: PropertyDescriptor,
  use: () => T | Promise<T>,
): Promise<T> {
  const original = Object.getOwnPropertyDescriptor(target, name);
  Object.defineProperty(target, name, { configurable: true, ...descriptor });
  try {
    return await use();
  } finally {
    Reflect.deleteProperty(target, name);
    if (original) Object.defineProperty(target, name, original);
  }
}
