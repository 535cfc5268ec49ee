/**
 * The functions of `lib/utils` that programs use, under their names in Express 3. The package itself does not use them.
 */
import { isAbsolute } from 'node:path';
import {
  compileETag,
  compileTrust,
  normalizeType,
  normalizeTypes,
  setCharset,
  strongETag as etag,
  weakETag as wetag,
} from '@ristretto/private-engine/lib/protocol';
import { flatten } from '@ristretto/private-engine/lib/router';
import { makeLocals } from './locals';
import Route = require('./router/route');
import type { Locals } from './types/core';
import type { RouteKey } from './types/routing';

/** An offered media type, as `normalizeType` returns it. */
type Offer = ReturnType<typeof normalizeType>;

/** An element of an `Accept` header or one of its family, such as `Accept-Charset`. */
interface Ranked {
  value: string;
  quality: number;
  params: Record<string, string | undefined>;
  originalIndex: number;
}

/** An element of an `Accept` header. */
interface Range extends Ranked {
  type: string;
  subtype: string | undefined;
}

/** Creates locals: a function that copies variables to itself. */
function locals(): Locals {
  return makeLocals('app');
}

/** Whether a range of an `Accept` header, as `parseAccept` returns it, includes a media type. */
function accept({ value, params }: Offer, range: Range): boolean {
  const [type, subtype] = value.split('/');
  return (
    (range.type === '*' || range.type === type) &&
    (range.subtype === '*' || range.subtype === subtype) &&
    Object.keys(params).every(name => params[name] === range.params[name])
  );
}

/** Returns the preferred type for an `Accept` header: the first without a header, `undefined` if none is acceptable. */
function acceptsArray(types: readonly string[], header?: string): string | undefined {
  if (!header) return types[0];
  for (const range of parseAccept(header)) {
    const found = types.find(type => accept(normalizeType(type), range));
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Does the same for one type, a list, or a comma-separated list. */
function accepts(types: string | readonly string[], header?: string): string | undefined {
  const list = typeof types === 'string' ? types.split(',').map(type => type.trim()) : types;
  return acceptsArray(list, header);
}

/** Returns the media ranges of an `Accept` header, best first. */
function parseAccept(header: string): Range[] {
  return parseParams(header).map(element => {
    const [type = '', subtype] = element.value.split('/');
    return { ...element, type, subtype };
  });
}

/** Returns the elements of an `Accept-*` header, best first, without those that it rejects. */
function parseParams(header: string): Ranked[] {
  return header
    .split(',')
    .map(parseElement)
    .filter(({ quality }) => quality > 0)
    .sort((left, right) => right.quality - left.quality || left.originalIndex - right.originalIndex);
}

function parseElement(text: string, originalIndex: number): Ranked {
  const [value = '', ...parameters] = text.split(';').map(part => part.trim());
  const element: Ranked = { value, quality: 1, params: {}, originalIndex };
  for (const parameter of parameters) {
    const [name = '', setting] = parameter.split('=').map(part => part.trim());
    if (name === 'q') element.quality = Number.parseFloat(setting ?? '');
    else element.params[name] = setting;
  }
  return element;
}

/**
 * Returns the regular expression of a route's path.
 * @param keys the parameters of the path are added to it
 */
function pathRegexp(path: unknown, keys: RouteKey[] = [], sensitive?: boolean, strict?: boolean): RegExp {
  const route = new Route('get', path, [], { sensitive, strict });
  keys.push(...route.keys);
  return route.regexp;
}

// A plain object, because programs replace its functions
const utils = {
  etag,
  wetag,
  locals,
  isAbsolute,
  flatten,
  normalizeType,
  normalizeTypes,
  acceptsArray,
  accepts,
  accept,
  parseAccept,
  parseParams,
  pathRegexp,
  compileETag,
  compileTrust,
  setCharset,
};

export = utils;
