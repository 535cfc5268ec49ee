/**
 * The members of layers: entries in the stack of a router or route, with a path and the function that it leads to. The
 * constructor is in traced/node_modules/router, where tracers look for it.
 */
import { types } from 'node:util';
import type { PathPattern } from '@ristretto/private-engine/lib/router';
import {
  ORIGINAL_HANDLER,
  NAMES,
  PATTERN,
  PREFIX,
  VARIANTS,
  expiryOf,
  flatten,
  directCall,
  refuse,
  tracer,
  devWatch,
} from '@ristretto/private-engine/lib/router';
import type { Next } from '@ristretto/private-engine/lib/types/next';
import { debug } from './debug';
import { compilePath, namesIn, readVariants, regexpMatcher } from './pattern/path';
import type { CompiledPath, LayerMatch, Matcher, PathOptions } from './pattern/path';
import { PathError } from './pattern/syntax';
import { takeRun, toError, watchHandler } from './promises';

type Callable = (...args: unknown[]) => unknown;
// Stored in a variable, because each call reads it
const direct = directCall;

const COMPILED: unique symbol = Symbol('compiled path');

export interface Layer {
  /** The function to call, an ordinary property because tools replace it. */
  handle: Callable;
  name: string;
  /** The path as it was registered. */
  rawPath: unknown;
  /** Whether it is mounted at the root and matches every path. */
  slash: boolean;
  /** One matcher for each path. */
  matchers: Matcher[];
  /** On a router's layer: the route that it leads to, if any. */
  route?: unknown;
  /** On a route's layer: its method, or undefined for all. */
  method?: string | undefined;
  match(path: string): LayerMatch | false;
  handleRequest(req: unknown, res: unknown, next: Next): void;
  handleError(error: unknown, req: unknown, res: unknown, next: Next): void;
  /** For the index over routes: the pattern, if there is only one path. */
  readonly [PATTERN]: Pick<PathPattern, 'shape'> | undefined;
  readonly [PREFIX]: boolean;
  readonly [ORIGINAL_HANDLER]: Callable;
  [NAMES](path: unknown): string[];
  readonly [COMPILED]: {
    matchers: Matcher[];
    /** The matcher, if there is only one path. */
    match: Matcher | undefined;
    pattern: CompiledPath['pattern'] | undefined;
    /** The handler that was called last, and its number of parameters. */
    handle: Callable | undefined;
    arity: number;
  };
}

export interface LayerConstructor {
  new (path: unknown, options: PathOptions | undefined, fn: unknown): Layer;
  (path: unknown, options: PathOptions | undefined, fn: unknown): Layer;
  prototype: Layer;
}

/** Initializes a layer. */
export function initialize(
  layer: Layer,
  path: unknown,
  options: PathOptions | undefined,
  fn: Callable,
): void {
  debug.layer?.('new %o', path);
  const paths = compileAll(path, options ?? {});
  layer.handle = fn;
  layer.name = fn.name || '<anonymous>';
  layer.rawPath = path;
  layer.slash = path === '/' && options?.end === false;
  layer.matchers = paths.map(({ match }) => match);
  const [only] = paths.length === 1 ? paths : [];
  const { matchers } = layer;
  const { match, pattern } = only ?? {};
  const compiled = { matchers, match, pattern, handle: undefined, arity: 0 };
  Object.defineProperty(layer, COMPILED, { value: compiled });
  Object.defineProperty(layer, PREFIX, { value: options?.end === false });
  Object.defineProperty(layer, ORIGINAL_HANDLER, { value: fn });
}

function compileAll(path: unknown, options: PathOptions): CompiledPath[] {
  try {
    return (Array.isArray(path) ? flatten(path) : [path]).map(each => compile(each, options));
  } catch (error) {
    // The ten frames that V8 records must reach the line of the program that has the path
    if (error instanceof PathError) Error.captureStackTrace(error, initialize);
    throw error;
  }
}

function compile(path: unknown, options: PathOptions): CompiledPath {
  if (types.isRegExp(path)) return { match: regexpMatcher(path), pattern: { shape: undefined } };
  return compilePath(typeof path === 'string' ? path : String(path), options);
}

/** Calls an error handler; passes the error on if the layer has none. */
export function handleError(layer: Layer, error: unknown, req: unknown, res: unknown, next: Next): void {
  const fn = layer.handle;
  if (fn.length !== 4 || expiryOf(req)?.hasResponded() === true) {
    // It is not an error handler, or the response has already been sent
    next(error);
    return;
  }
  const run = takeRun(next, req);
  const steps = run === undefined ? 0 : run.steps;
  const traced = tracer();
  let result: unknown;
  try {
    if (traced === undefined) {
      devWatch()?.noteErrorHandler(layer, error, req);
      result = fn(error, req, res, next);
    } else {
      result = traced.traceError(layer, fn, error, req, res, next, toError);
    }
  } catch (thrown) {
    next(thrown);
    return;
  }
  if (result !== undefined) watchHandler(result, run, steps, next);
}

/** Calls a request handler; passes the request on if the layer has an error handler. */
export function handleRequest(layer: Layer, req: unknown, res: unknown, next: Next): void {
  const fn = layer.handle;
  const arity = arityOf(layer, fn);
  const isPlain = arity <= direct.maxArity;
  if (arity > 3) {
    // An error handler
    next();
    return;
  }
  const expiry = isPlain ? undefined : expiryOf(req);
  if (expiry !== undefined) {
    refuse(expiry, next);
    return;
  }
  const run = takeRun(next, req);
  const steps = run === undefined ? 0 : run.steps;
  let result: unknown;
  try {
    result = isPlain ? fn(req, res, next) : handleTraced(layer, fn, req, res, next);
  } catch (thrown) {
    next(thrown);
    return;
  }
  if (result !== undefined) watchHandler(result, run, steps, next);
}

/** Caches the arity: reading a function's length costs as much as calling it, and `handle` is seldom replaced. */
function arityOf(layer: Layer, fn: Callable): number {
  // A tool may call the prototype's methods on its own object
  const compiled = layer[COMPILED] as Layer[typeof COMPILED] | undefined;
  if (compiled === undefined) return fn.length;
  if (compiled.handle !== fn) {
    compiled.handle = fn;
    compiled.arity = fn.length;
  }
  return compiled.arity;
}

function handleTraced(layer: Layer, fn: Callable, req: unknown, res: unknown, next: Next): unknown {
  const traced = tracer();
  if (traced !== undefined) return traced.traceRequest(layer, fn, req, res, next, toError);
  const watching = devWatch();
  return watching === undefined ? fn(req, res, next) : watching.callWatched(layer, fn, req, res, next);
}

/**
 * Returns the part of a path that the layer's path matches, and its parameters; false if it does not match.
 * @throws URIError with status 400 if a parameter has a malformed percent-encoding
 */
export function match(layer: Layer, path: unknown): LayerMatch | false {
  if (layer.slash) return { params: {}, path: '', keys: [], pattern: layer.rawPath };
  if (typeof path !== 'string') return false;
  const { matchers } = layer;
  for (let i = 0; i < matchers.length; i++) {
    const found = matchers[i]!(path);
    if (!found) continue;
    // The object was created for layer match, so it can be modified
    found.keys ??= Object.keys(found.params);
    // Uses no private members: a tool's copy of a layer only has `rawPath` and `matchers`
    found.pattern = Array.isArray(layer.rawPath) ? flatten(layer.rawPath)[i] : layer.rawPath;
    return found as LayerMatch;
  }
  return false;
}

/** Defines the members that lists of routes and the index over routes read from layers. */
export function defineForIndex(prototype: Layer): void {
  Object.defineProperty(prototype, NAMES, { value: namesIn });
  Object.defineProperty(prototype, VARIANTS, { value: readVariants });
  // Undefined if a tool has replaced a matcher, or copied the layer: then every path must be tried.
  Object.defineProperty(prototype, PATTERN, {
    get(this: Layer) {
      const compiled = this[COMPILED] as Layer[typeof COMPILED] | undefined;
      if (compiled === undefined) return undefined;
      const { matchers } = compiled;
      const isAsMade = this.matchers === matchers && matchers.length === 1 && matchers[0] === compiled.match;
      return isAsMade && !this.slash ? compiled.pattern : undefined;
    },
  });
}
