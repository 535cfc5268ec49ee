/** Handles paths as they were registered: reads them back from layers, finds the one that matched, and joins them. */
import { flatten } from './arguments';
import { parsePath } from './path-pattern';
import type { PathPattern, PatternOptions } from './path-pattern';
import type { StackLayer } from './stack-layer';
import { NAMES, PATTERN, VARIANTS } from './symbols';

/** A layer of Express, which has only a regular expression. */
type ExpressLayer = Required<Pick<StackLayer, 'keys' | 'regexp'>>;

/** The end of a regular expression that Express creates from a string. */
const TAIL = /\\\/\?(?:\(\?=\\\/\|\$\)|\$)$/;
/** A parameter that is a whole segment, or a star. */
const GROUPS = /\(\?:\\\/\(\[\^\\?\/\]\+\?\)\)(\??)|\(\.\*\)/g;
/** Syntax that does not occur in a string path that Express copies into the regular expression unchanged. */
const NO_TEXT = /\(\?|[\\^$[\]{}|]/;

/** The paths of layers with several paths, each compiled separately. */
const alternatives = new WeakMap<StackLayer, PathPattern[]>();

/**
 * Returns the path of a layer: a string, a regular expression, or an array of these. Layers of Express, of other copies
 * of the framework, and copies of layers only have a regular expression, but their route may know its path.
 * @example writtenPath(router.stack[0]) // '/users/:id'
 */
export function writtenPath(layer: StackLayer): unknown {
  if ('rawPath' in layer) return layer.rawPath;
  const pattern = layer[PATTERN] as PathPattern | undefined;
  if (pattern !== undefined) return pattern.path;
  return (layer.route as { path?: unknown } | undefined)?.path ?? readExpression(layer as ExpressLayer);
}

/** Returns the paths of a layer as a list. */
export function writtenPaths(layer: StackLayer): unknown[] {
  const paths = flatten([writtenPath(layer)]);
  // An empty array matches every path; in Express 5, it matches none.
  return paths.length > 0 || 'rawPath' in layer ? paths : ['*'];
}

/** Returns the parameter names in a path of a layer; numbers for unnamed parameters. */
export function namesIn(layer: object, path: unknown): string[] {
  const { [NAMES]: readNames } = layer as { [NAMES]?: (path: unknown) => string[] };
  if (readNames !== undefined) return readNames(path);
  return parsePath(path as string, {}).keys.map(({ name }) => String(name));
}

/** A part of a path: text, or a parameter; a wildcard matches several segments. */
export type PathPart =
  | { readonly type: 'text'; readonly value: string }
  | { readonly type: 'param' | 'wildcard'; readonly name: string };

/**
 * Returns the variants of a path, with and without its optional parts.
 * @throws TypeError for a path that can't be parsed
 */
export type ReadVariants = (path: string) => readonly (readonly PathPart[])[];

/** Returns the function that reads the paths of a layer; undefined if they have the engine's own grammar. */
export function variantsReaderOf(layer: object): ReadVariants | undefined {
  return (layer as { [VARIANTS]?: ReadVariants })[VARIANTS];
}

/**
 * Returns which of a layer's paths matches: a string or a regular expression.
 * @param path path of a request that the layer has matched
 * @param options options with which the layer's path was parsed
 */
export function matchingPath(layer: StackLayer, path: string, options: PatternOptions): unknown {
  const written = writtenPath(layer);
  if (!Array.isArray(written)) return written;
  if ('rawPath' in layer) return reportedPattern(layer, path);
  let patterns = alternatives.get(layer);
  if (patterns === undefined) {
    patterns = flatten(written).map(one => parsePath(one as string, options));
    alternatives.set(layer, patterns);
  }
  // An empty array matches every path, and so may a layer with a replaced `match`.
  const found = patterns.find(pattern => pattern.match(path, []) >= 0);
  return found === undefined ? '*' : found.path;
}

/** Layers of Express 5 report which path matched. */
function reportedPattern(layer: StackLayer, path: string): unknown {
  const found = (layer as { match?: (path: string) => unknown }).match?.(path);
  return (Object(found) as { pattern?: unknown }).pattern;
}

/**
 * Appends a path to the path of its mount.
 * @example joinPaths('/api/', '/users') // '/api/users'
 */
export function joinPaths(outer: string, inner: string): string {
  const mount = outer.endsWith('/') ? outer.slice(0, -1) : outer;
  if (mount === '') return inner;
  if (inner === '/') return mount;
  // In Express 5, `{/:id}` is optional with its slash
  return /^\{?\//.test(inner) ? mount + inner : `${mount}/${inner}`;
}

/** Returns the string from which Express created a layer's regular expression, or else the expression. */
function readExpression({ regexp, keys }: ExpressLayer): string | RegExp {
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
