/**
 * A layer: one entry in the stack of a router or route, consisting of a path pattern and the function that it leads to.
 *
 * A constructor function, not a class, with methods looked up on the prototype at every call: tools construct layers,
 * call this constructor on their own objects, and replace the methods after registration.
 */
import { debug } from '../report/debug';
import type { Next } from '../types/next';
import { decodeParam, NO_PARAMS } from './params';
import { parsePath } from './path-pattern';
import type { PathPattern, PatternKey, PatternOptions } from './path-pattern';
import { notePattern, patternOf, replacedPattern } from './replaced-pattern';
import { expiryOf, refuse } from './expiry';
import { FAST, Fast, ORIGINAL_HANDLER, LAST_ARITY, LAST_HANDLE, PATTERN, PREFIX } from './symbols';
import { directCall, tracer, devWatch } from './observers';

// Stored in a variable, because each call reads it
const direct = directCall;

type Callable = (...args: unknown[]) => unknown;
type Params = Record<string, string | undefined>;

interface Layer {
  /** The function to call. A plain property, because tools replace it or define an accessor for it. */
  handle: Callable;
  name: string;
  /** Decoded parameters of the last match. */
  params: Params | undefined;
  /** The part of the path that the last match consumed. */
  path: string | undefined;
  keys: PatternKey[];
  regexp: RegExp & { fast_star?: boolean; fast_slash?: boolean };
  /** On a router's layer: the route that it leads to, if any. */
  route?: unknown;
  /** On a route's layer: its method, or undefined for all. */
  method?: string | undefined;
  match(path: string | undefined): boolean;
  handle_request(req: unknown, res: unknown, next: Next): unknown;
  handle_error(error: unknown, req: unknown, res: unknown, next: Next): unknown;
  [ORIGINAL_HANDLER]: Callable;
  [PATTERN]: PathPattern;
  [FAST]: Fast;
  [PREFIX]: boolean;
  [LAST_HANDLE]: Callable | undefined;
  [LAST_ARITY]: number;
}

interface LayerConstructor {
  new (path: unknown, options: PatternOptions | undefined, fn: unknown): Layer;
  (path: unknown, options: PatternOptions | undefined, fn: unknown): Layer;
  prototype: Layer;
}

/** Filled by each match and read immediately, because matching is synchronous. */
const captures: (string | undefined)[] = [];

/**
 * The regular expression is for tools: matching does not use it, so it is built on first access. If a tool assigns
 * another one, that one is used for matching from then on.
 */
const regexpProperty: PropertyDescriptor & ThisType<Layer> = {
  configurable: true,
  enumerable: true,
  get() {
    const regexp: Layer['regexp'] = this[PATTERN].toRegExp();
    regexp.fast_star ??= this[FAST] === Fast.star;
    regexp.fast_slash ??= this[FAST] === Fast.slash;
    notePattern(regexp, this[PATTERN]);
    return regexp;
  },
  set(regexp: Layer['regexp']) {
    this[PATTERN] = replacedPattern(regexp, this.keys);
    this[FAST] = fastOf(regexp);
  },
};

const Layer = function (this: unknown, path: unknown, options: PatternOptions | undefined, fn: Callable) {
  if (!(this instanceof Layer)) return new Layer(path, options, fn);
  debug.layer?.('new %o', path);
  const pattern = parsePath(path as string, options ?? {});
  this.handle = fn;
  this[ORIGINAL_HANDLER] = fn;
  this.name = fn.name || '<anonymous>';
  this.params = undefined;
  this.path = undefined;
  this.keys = pattern.keys;
  Object.defineProperty(this, 'regexp', regexpProperty);
  // Not enumerable, so that a tool's copy of a layer matches by its `regexp` and `keys`
  Object.defineProperty(this, PATTERN, { value: pattern, writable: true });
  this[PREFIX] = options?.end === false;
  this[LAST_HANDLE] = undefined;
  this[LAST_ARITY] = 0;
  this[FAST] = path === '*' ? Fast.star : path === '/' && this[PREFIX] ? Fast.slash : Fast.none;
  return undefined;
} as LayerConstructor;

Object.defineProperty(Layer, 'name', { value: 'Layer' });

Layer.prototype.handle_error = function handle_error(error, req, res, next) {
  const fn = this.handle;
  if (fn.length !== 4 || expiryOf(req)?.hasResponded() === true) {
    // It is not an error handler, or the response has already been sent
    next(error);
    return undefined;
  }
  try {
    const traced = tracer();
    if (traced !== undefined) return traced.traceError(this, fn, error, req, res, next);
    devWatch()?.noteErrorHandler(this, error, req);
    return fn(error, req, res, next);
  } catch (thrown) {
    next(thrown);
    return undefined;
  }
};

// Named `handle`: tools look for `Layer.handle [as handle_request]` in stack traces.
Layer.prototype.handle_request = function handle(req, res, next) {
  const fn = this.handle;
  if ((fn === this[LAST_HANDLE] ? this[LAST_ARITY] : arityOf(this, fn)) > direct.maxArity) {
    return handleSpecially(this, fn, req, res, next);
  }
  try {
    return fn(req, res, next);
  } catch (thrown) {
    next(thrown);
    return undefined;
  }
};

function handleSpecially(layer: Layer, fn: Callable, req: unknown, res: unknown, next: Next): unknown {
  const traced = tracer();
  if (layer[LAST_ARITY] > 3) {
    // This layer is an error handler
    next();
    return undefined;
  }
  const expiry = expiryOf(req);
  if (expiry !== undefined) {
    refuse(expiry, next);
    return undefined;
  }
  try {
    if (traced !== undefined) return traced.traceRequest(layer, fn, req, res, next);
    const watching = devWatch();
    return watching === undefined ? fn(req, res, next) : watching.callWatched(layer, fn, req, res, next);
  } catch (thrown) {
    next(thrown);
    return undefined;
  }
}

/**
 * Whether the path matches; if so, sets `params` and `path`.
 * @throws an error with status 400 if a parameter has a malformed percent-encoding
 */
Layer.prototype.match = function match(path) {
  if (path == null) {
    this.params = undefined;
    this.path = undefined;
    return false;
  }
  const own = this[PATTERN] as PathPattern | undefined;
  const fast = own === undefined ? fastOf(this.regexp) : this[FAST];
  if (fast === Fast.slash) {
    // Layers live long, so unnecessary writes are avoided: the garbage collector would have to track each write
    if (this.params !== NO_PARAMS) this.params = NO_PARAMS;
    if (this.path !== '') this.path = '';
    return true;
  }
  if (fast === Fast.star) {
    this.params = { 0: decodeParam(path) };
    this.path = path;
    return true;
  }
  const pattern = own ?? patternOf(this.regexp, this.keys);
  const length = pattern.match(path, captures);
  if (length < 0) {
    this.params = undefined;
    this.path = undefined;
    return false;
  }
  // A regular expression may match anywhere in the path
  const begin = length === path.length ? 0 : pattern.index;
  if (length === path.length) this.path = path;
  else if (this.path?.length !== length || !path.startsWith(this.path, begin))
    this.path = path.slice(begin, begin + length);
  this.params = this.keys.length === 0 ? NO_PARAMS : readParams(this.keys);
  return true;
};

function fastOf(regexp: Layer['regexp']): Fast {
  return regexp.fast_star ? Fast.star : regexp.fast_slash ? Fast.slash : Fast.none;
}

/** Caches the arity: reading a function's length costs as much as calling it, and `handle` is seldom replaced. */
function arityOf(layer: Layer, fn: Callable): number {
  layer[LAST_HANDLE] = fn;
  return (layer[LAST_ARITY] = fn.length);
}

function readParams(keys: PatternKey[]): Params {
  const params: Params = {};
  for (let i = 0; i < keys.length; i++) {
    const { name } = keys[i]!;
    const value = decodeParam(captures[i]);
    // If two parameters have the same name, the later one replaces the first one only if it has a value
    if (value !== undefined || !Object.hasOwn(params, name)) params[name] = value;
  }
  return params;
}

export = Layer;
