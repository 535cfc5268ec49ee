/** Views: finds the file for a name, and the template engine for its extension. */
import fs = require('node:fs');
import path = require('node:path');
import { requireWith, packageRoot } from './modules';
import { debug } from './report/debug';
import type { EngineFunction } from './types/application-members';
import type * as internals from './types/internals';

interface ViewOptions {
  /** The extension of names without one. */
  defaultEngine?: string | undefined;
  /** Engines by extension, with the dot; engines loaded on demand are added. */
  engines: Record<string, EngineFunction>;
  /** The directory or directories to search. */
  root: string | string[];
}

interface View extends internals.View {
  lookup(name: string): string | undefined;
  resolve(directory: string, file: string): string | undefined;
}

interface ViewConstructor {
  new (name: string, options: ViewOptions): View;
  (this: View, name: string, options: ViewOptions): void;
  prototype: View;
}

/**
 * Finds the file and the engine of a view. A plain constructor function, because frameworks call it on their own
 * objects (`View.call(this, …)`) and inherit from it.
 * @param name relative to the roots, or absolute; with or without extension
 * @throws Error if there is neither an extension nor a default engine, or if the engine's module is missing or has no
 * `__web` or `__express` function
 * @example new View('index', { defaultEngine: 'ejs', engines: {}, root: '/app/views' });
 */
const View = function View(this: View, name: string, options?: ViewOptions) {
  const { defaultEngine, engines, root } = options ?? ({} as ViewOptions);
  this.defaultEngine = defaultEngine;
  this.ext = path.extname(name);
  this.name = name;
  this.root = root;
  let fileName = name;

  if (!this.ext) {
    if (!defaultEngine) throw new Error('No default engine was specified and no extension was provided.');
    this.ext = defaultEngine.startsWith('.') ? defaultEngine : '.' + defaultEngine;
    fileName += this.ext;
  }

  this.engine = engines[this.ext] ??= loadEngine(this.ext.slice(1));
  this.path = this.lookup(fileName);
} as ViewConstructor;

/** Returns the path in the first root that has the file, or undefined. */
View.prototype.lookup = function lookup(this: View, name: string): string | undefined {
  debug.view?.('lookup "%s"', name);
  const roots = ([] as string[]).concat(this.root);
  for (const root of roots) {
    const location = path.resolve(root, name);
    const found = this.resolve(path.dirname(location), path.basename(location));
    if (found) return found;
  }
  return undefined;
};

/** Renders the file with the engine. */
View.prototype.render = function render(
  this: View,
  options: object,
  callback: Parameters<View['render']>[1],
): void {
  debug.view?.('render "%s"', this.path);
  this.engine(this.path!, options, callback);
};

/** Returns the path of `file`, or of the `index` file in a directory of that name; undefined if neither exists. */
View.prototype.resolve = function resolve(this: View, directory: string, file: string): string | undefined {
  const named = path.join(directory, file);
  if (isFile(named)) return named;
  const index = path.join(directory, path.basename(file, this.ext), 'index' + this.ext);
  return isFile(index) ? index : undefined;
};

function isFile(location: string): boolean {
  debug.view?.('stat "%s"', location);
  try {
    return fs.statSync(location, { throwIfNoEntry: false })?.isFile() === true;
  } catch {
    return false;
  }
}

/** Returns the engine function that a module exports for Express-compatible frameworks. */
function loadEngine(name: string): EngineFunction {
  debug.view?.('require "%s"', name);
  const loaded = loadModule(name) as { __web?: unknown; __express?: unknown };
  const engine = loaded.__web ?? loaded.__express;
  if (typeof engine !== 'function') throw new Error(`Module "${name}" does not provide a view engine.`);
  return engine as EngineFunction;
}

function loadModule(name: string): unknown {
  let load;
  try {
    load = requireWith(name);
  } catch (missing) {
    throw withHint(name, missing as NodeJS.ErrnoException);
  }
  return load(name);
}

/**
 * Adds a hint to the error in a bundle, after the first line of Node's message. Otherwise the error is Node's, as in
 * Express.
 */
function withHint(name: string, error: NodeJS.ErrnoException): Error {
  if (error.code !== 'MODULE_NOT_FOUND' || !isBundled()) return error;
  const hint = `Register the engine in the bundled program: app.engine('${name}', require('${name}').__express)`;
  return Object.assign(new Error(error.message.replace(/\n|$/, end => `\n${hint}${end}`)), error);
}

/** Whether this file does not have the name with which it is published, or has none. */
function isBundled(): boolean {
  try {
    return packageRoot(__filename, 'view') === undefined;
  } catch {
    return true;
  }
}

export = View;
