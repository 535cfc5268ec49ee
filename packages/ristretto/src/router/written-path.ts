/** Paths as the program has written them: read back from layers, told apart, and put together. */
import { flatten } from './flatten';
import { parsePath } from './path-pattern';
import type { PathPattern, PatternKey, PatternOptions } from './path-pattern';
import { NAMES, PATTERN } from './symbols';
import type { PREFIX } from './symbols';

/** What of a layer says what it was made of. */
export interface WrittenLayer {
  /** Layers of Express 5 keep what they were registered with. */
  rawPath?: unknown;
  route?: unknown;
  keys: PatternKey[];
  regexp: RegExp;
  [PATTERN]: PathPattern;
  [PREFIX]: boolean;
}

/** The end of an expression that Express makes of text. */
const TAIL = /\\\/\?(?:\(\?=\\\/\|\$\)|\$)$/;
/** A whole segment as a parameter, or a star. */
const GROUPS = /\(\?:\\\/\(\[\^\\?\/\]\+\?\)\)(\??)|\(\.\*\)/g;
/** What no text has that Express takes over into the expression as it is. */
const NO_TEXT = /\(\?|[\\^$[\]{}|]/;

/** The paths of layers with several, each ready to match alone. */
const alternatives = new WeakMap<WrittenLayer, PathPattern[]>();

/**
 * The path of a layer: text, a regular expression, or an array of these. Layers of Express, of other copies of the
 * framework, and copies of layers have an expression, and a route may know what it was made of.
 * @example writtenPath(router.stack[0]) // '/users/:id'
 */
export function writtenPath(layer: WrittenLayer): unknown {
  if ('rawPath' in layer) return layer.rawPath;
  const pattern = layer[PATTERN] as PathPattern | undefined;
  if (pattern !== undefined) return pattern.path;
  return (layer.route as { path?: unknown } | undefined)?.path ?? readExpression(layer);
}

/** The paths of a layer, one by one. */
export function writtenPaths(layer: WrittenLayer): unknown[] {
  const paths = flatten([writtenPath(layer)]);
  // An empty array matches every path, in Express 5 none.
  return paths.length > 0 || 'rawPath' in layer ? paths : ['*'];
}

/** The names of the parameters in a path of a layer; numbers where they have none. */
export function namesIn(layer: object, path: unknown): string[] {
  const { [NAMES]: tellNames } = layer as { [NAMES]?: (path: unknown) => string[] };
  if (tellNames !== undefined) return tellNames(path);
  return parsePath(path as string, {}).keys.map(({ name }) => String(name));
}

/**
 * Of a layer's paths the one that matches: text or a regular expression.
 * @param path of a request, which the layer has matched
 * @param options by which the layer's path was read
 */
export function matchingPath(layer: WrittenLayer, path: string, options: PatternOptions): unknown {
  const written = writtenPath(layer);
  if (!Array.isArray(written)) return written;
  if ('rawPath' in layer) return patternOf5(layer, path);
  let patterns = alternatives.get(layer);
  if (patterns === undefined) {
    patterns = flatten(written).map(one => parsePath(one as string, options));
    alternatives.set(layer, patterns);
  }
  // An empty array matches every path, and so may a layer whose `match` was replaced.
  const found = patterns.find(pattern => pattern.match(path, []) >= 0);
  return found === undefined ? '*' : found.path;
}

/** Layers of Express 5 say what has matched. */
function patternOf5(layer: WrittenLayer, path: string): unknown {
  const found = (layer as { match?: (path: string) => unknown }).match?.(path);
  return (Object(found) as { pattern?: unknown }).pattern;
}

/**
 * Puts a path behind the path of its mount.
 * @example joinPaths('/api/', '/users') // '/api/users'
 */
export function joinPaths(outer: string, inner: string): string {
  const mount = outer.endsWith('/') ? outer.slice(0, -1) : outer;
  if (mount === '') return inner;
  if (inner === '/') return mount;
  return inner.startsWith('/') ? mount + inner : `${mount}/${inner}`;
}

/** The text of which Express has made a layer's expression, or else the expression. */
function readExpression({ regexp, keys }: WrittenLayer): string | RegExp {
  const { source } = regexp;
  if (!TAIL.test(source)) return regexp;
  let key = 0;
  const text = source
    .slice(1)
    .replace(TAIL, '')
    .replace(GROUPS, (group, optional = '') => {
      const { name } = keys[key++]!;
      return group === '(.*)' ? '*' : `/:${name}${optional}`;
    })
    .replace(/\\([/.])/g, '$1');
  return NO_TEXT.test(text) ? regexp : text || '/';
}
