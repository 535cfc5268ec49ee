/** Paths as the program has written them: read back from layers, told apart, and put together. */
import { flatten } from './flatten';
import type Layer = require('./layer');
import { parsePath } from './path-pattern';
import type { PathPattern, PatternOptions } from './path-pattern';
import { PATTERN } from './symbols';

/** The end of an expression that Express makes of text. */
const TAIL = /\\\/\?(?:\(\?=\\\/\|\$\)|\$)$/;
/** A whole segment as a parameter, or a star. */
const GROUPS = /\(\?:\\\/\(\[\^\\?\/\]\+\?\)\)(\??)|\(\.\*\)/g;
/** What no text has that Express takes over into the expression as it is. */
const NO_TEXT = /\(\?|[\\^$[\]{}|]/;

/** The paths of layers with several, each ready to match alone. */
const alternatives = new WeakMap<Layer, PathPattern[]>();

/**
 * The path of a layer: text, a regular expression, or an array of these. Layers of Express, of other copies of the
 * framework, and copies of layers have an expression, and a route may know what it was made of.
 * @example writtenPath(router.stack[0]) // '/users/:id'
 */
export function writtenPath(layer: Layer): unknown {
  const pattern = layer[PATTERN] as PathPattern | undefined;
  if (pattern !== undefined) return pattern.path;
  return (layer.route as { path?: unknown } | undefined)?.path ?? readExpression(layer);
}

/** The paths of a layer, one by one. */
export function writtenPaths(layer: Layer): unknown[] {
  const paths = flatten([writtenPath(layer)]);
  // An empty array matches every path.
  return paths.length > 0 ? paths : ['*'];
}

/**
 * Of a layer's paths the one that matches, as text.
 * @param path of a request, which the layer has matched
 * @param options by which the layer's path was read
 */
export function matchingPath(layer: Layer, path: string, options: PatternOptions): string {
  const written = writtenPath(layer);
  if (!Array.isArray(written)) return String(written);
  let patterns = alternatives.get(layer);
  if (patterns === undefined) {
    patterns = flatten(written).map(one => parsePath(one as string, options));
    alternatives.set(layer, patterns);
  }
  // An empty array matches every path, and so may a layer whose `match` was replaced.
  const found = patterns.find(pattern => pattern.match(path, []) >= 0);
  return found === undefined ? '*' : String(found.path);
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
function readExpression({ regexp, keys }: Layer): string | RegExp {
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
