/**
 * Compiles a layer's path to a function that matches it in time linear in the length of the request's path, unless it is
 * a regular expression, and reads its names and variants for lists of routes.
 */
import {
  PARAMETER,
  REST,
  SegmentPattern,
  Tail,
  characterStep,
  decodeParam as decode,
  makeExpression,
} from '@ristretto/private-engine/lib/router';
import type { PathPattern, PatternShape } from '@ristretto/private-engine/lib/router';
import { types } from 'node:util';
import { parse } from './syntax';
import type { Token } from './syntax';
import { writeSource } from './source';
import { variantsOf } from './variants';
import type { FlatToken } from './variants';

/** The values of the parameters; that of a wildcard is the list of its segments. */
type Params = Record<string, string | string[]>;

/** The match of a layer's path; the layer itself does not store it. */
export interface LayerMatch {
  params: Params;
  /** The part of the path that matched. */
  path: string;
  keys: string[];
  /** The path as it was registered; if there are several, the one that matched. */
  pattern: unknown;
}

/** The match of a path, to which the layer adds its pattern; a tool's own matcher may omit the keys. */
type PathMatch = Pick<LayerMatch, 'params' | 'path'> & Partial<LayerMatch>;

export type Matcher = (path: string) => PathMatch | false;

export interface PathOptions {
  sensitive?: boolean | undefined;
  strict?: boolean | undefined;
  /** Whether the whole path must match (the default) or only its beginning. */
  end?: boolean | undefined;
}

/** A variant of a path, with each of its groups either included or left out. */
interface Variant {
  pattern: PathPattern;
  names: string[];
  isWildcard: boolean[];
  keys: string[];
}

// Reading an export of the engine for each request would call a getter
const decodeParam = decode;

/** Filled by each match and read immediately, because matching is synchronous. */
const captures: (string | undefined)[] = [];

/** ASCII text, whose case mapping is simple. */
const ASCII = /^[\0-\x7f]*$/;

/** A matcher, and the shape of its path if it has only one variant, for the index over routes. */
export interface CompiledPath {
  match: Matcher;
  pattern: { shape: PatternShape | undefined };
}

/**
 * @param path its trailing slashes are ignored unless `strict` is set
 * @throws PathError if it cannot be parsed
 * @example compilePath('/users/:id', {}).match('/users/7') // { path: '/users/7', params: { id: '7' }, keys: ['id'] }
 */
export function compilePath(path: string, options: PathOptions): CompiledPath {
  const text = options.strict || path === '/' ? path : withoutSlashes(path);
  const variants = variantsOf(parse(text), text, tokens => makeVariant(tokens, text, options));
  const [only] = variants;
  if (variants.length === 1) return { match: matcherOf(only!), pattern: only!.pattern };
  const matchers = variants.map(matcherOf);
  const match = (input: string): PathMatch | false => {
    for (const one of matchers) {
      const found = one(input);
      if (found) return found;
    }
    return false;
  };
  return { match, pattern: { shape: undefined } };
}

function withoutSlashes(path: string): string {
  let end = path.length;
  while (path[end - 1] === '/') end--;
  return path.slice(0, end);
}

function matcherOf({ pattern, names, isWildcard, keys }: Variant): Matcher {
  return function match(path) {
    const length = pattern.match(path, captures);
    if (length < 0) return false;
    const params = Object.create(null) as Params;
    for (let i = 0; i < names.length; i++) {
      const value = captures[i]!;
      params[names[i]!] = isWildcard[i] ? value.split('/').map(decodeParam) : decodeParam(value);
    }
    const taken = length === path.length ? path : path.slice(0, length);
    return { params, path: taken, keys, pattern: undefined };
  };
}

function makeVariant(tokens: readonly FlatToken[], path: string, options: PathOptions): Variant {
  const source = `^${writeSource(tokens, path)}${tailSource(options)}`;
  const found = tokens.filter(token => token.type !== 'text');
  const names = found.map(({ name }) => name);
  const sensitive = options.sensitive ?? false;
  const written = { source, keys: names.map(name => ({ name, optional: false })) };
  const steps = stepsOf(tokens, sensitive);
  const pattern =
    steps === undefined
      ? makeExpression(source, sensitive ? '' : 'i', written.keys)
      : SegmentPattern.planned({ steps, tail: tailOf(options), shape: shapeOf(tokens) }, written, sensitive);
  return {
    pattern,
    names,
    isWildcard: found.map(({ type }) => type === 'wildcard'),
    // Uses the order of an object's keys: numbers first
    keys: Object.keys(Object.fromEntries(names.map(name => [name, true]))),
  };
}

function tailSource({ strict, end }: PathOptions): string {
  return (strict ? '' : '(?:\\/$)?') + (end === false ? '(?=\\/|$)' : '$');
}

function tailOf({ strict, end }: PathOptions): Tail {
  if (end === false) return strict ? Tail.prefix : Tail.lastSlashPrefix;
  return strict ? Tail.exact : Tail.slash;
}

/**
 * Returns the steps for text, parameters of whole segments, and perhaps a wildcard at the end; `undefined` if the path
 * needs more.
 */
function stepsOf(tokens: readonly FlatToken[], sensitive: boolean): number[] | undefined {
  const steps: number[] = [];
  for (const [i, token] of tokens.entries()) {
    const next = tokens[i + 1];
    if (token.type === 'text') {
      if (!ASCII.test(token.value)) return undefined;
      // The step of a parameter includes the slash before it
      const text = next?.type === 'param' ? token.value.slice(0, -1) : token.value;
      for (const character of text) steps.push(characterStep(character, sensitive));
    } else if (token.type === 'wildcard') {
      if (next !== undefined) return undefined;
      steps.push(REST);
    } else {
      if (!isWholeSegment(tokens[i - 1], next)) return undefined;
      steps.push(PARAMETER);
    }
  }
  return tokens.filter(({ type }) => type === 'wildcard').length > 1 ? undefined : steps;
}

function isWholeSegment(previous: FlatToken | undefined, next: FlatToken | undefined): boolean {
  if (previous?.type !== 'text' || !previous.value.endsWith('/')) return false;
  return next === undefined || (next.type === 'text' && next.value.startsWith('/'));
}

function shapeOf(tokens: readonly FlatToken[]): PatternShape | undefined {
  const segments: (string | null)[] = [''];
  for (const token of tokens) {
    if (token.type === 'wildcard') return undefined;
    if (token.type !== 'text') {
      segments[segments.length - 1] = null;
      continue;
    }
    const [first = '', ...others] = token.value.split('/');
    if (first !== '') segments[segments.length - 1] = first;
    segments.push(...others);
  }
  const [beforeSlash] = segments.splice(0, 1);
  const trailingSlash = segments.at(-1) === '';
  if (trailingSlash) segments.pop();
  if (beforeSlash !== '' || segments.includes('')) return undefined;
  return { segments, trailingSlash };
}

/** The starts of groups as Express counts them, which includes escaped parentheses. */
const GROUPS = /\((?:\?<(.*?)>)?(?!\?)/g;

/** Returns the names of an expression's groups; groups without one are numbered. */
function namesOfGroups(regexp: RegExp): string[] {
  let number = 0;
  return Array.from(regexp.source.matchAll(GROUPS), ([, name]) => name || String(number++));
}

/** Returns a function that matches a path with the expression's own `exec`. */
export function regexpMatcher(regexp: RegExp): Matcher {
  const names = namesOfGroups(regexp);
  return function regexpMatcher(path) {
    const match = regexp.exec(path);
    if (!match) return false;
    const params: Record<string, string> = {};
    for (let i = 1; i < match.length; i++) {
      const value = match[i];
      const name = names[i - 1];
      // A string assigned to `__proto__` is lost, as in Express
      if (value !== undefined && name !== undefined) params[name] = decodeParam(value);
    }
    return { params, path: match[0], keys: Object.keys(params), pattern: undefined };
  };
}

/**
 * Returns the distinct names of the parameters in a path as it was registered, in order.
 * @example namesIn('/users/:id{/*rest}') // ['id', 'rest']
 */
export function namesIn(path: unknown): string[] {
  if (types.isRegExp(path)) return namesOfGroups(path);
  return [...new Set(namesOf(parse(String(path))))];
}

/**
 * Returns the variants of a path, with and without its optional parts.
 * @throws PathError if it cannot be parsed
 */
export function readVariants(path: string): (readonly FlatToken[])[] {
  return variantsOf(parse(path), path, tokens => tokens);
}

function namesOf(tokens: readonly Token[]): string[] {
  return tokens.flatMap(token => {
    if (token.type === 'group') return namesOf(token.tokens);
    return token.type === 'text' ? [] : [token.name];
  });
}
