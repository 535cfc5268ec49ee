/** The parts of the walk that handle this package's layers and routes, which store no matches, and OPTIONS requests. */
import type { ServerResponse } from 'node:http';
import { processParams as runParams } from '@ristretto/private-engine/lib/router';
import type { CallingWalk } from '@ristretto/private-engine/lib/router';
import type { Next } from '@ristretto/private-engine/lib/types/next';
import Layer = require('./layer');
import type { LayerMatch } from './pattern/path';
import { noteRun, watchParam } from './promises';
import type { Running } from './promises';

const SLASH = 0x2f;
const QUESTION_MARK = 0x3f;

type ParamsRequest = Parameters<typeof runParams>[3];

const originalMatch = Layer.prototype.match;

export function matchesAll(layer: Layer): boolean {
  return layer.slash && layer.route === undefined && layer.match === originalMatch;
}

export function matchOf(layer: Layer, path: string): LayerMatch | undefined {
  return layer.match(path) || undefined;
}

export function callWithRequest({ req, res, next }: CallingWalk, layer: Layer): void {
  layer.handleRequest(req, res, next);
}

export function callWithError(walk: CallingWalk, layer: Layer, error: unknown): void {
  noteRun(walk);
  layer.handleError(error, walk.req, walk.res, walk.next);
}

export function callInRoute(run: Running & { res: unknown }, layer: Layer, error: unknown): void {
  noteRun(run);
  if (error) layer.handleError(error, run.req, run.res, run.next);
  else layer.handleRequest(run.req, run.res, run.next);
}

export function hasParamCallbacks({ params }: CallingWalk['router'], match: LayerMatch): boolean {
  for (const name of match.keys) if (Object.hasOwn(params, name)) return true;
  return false;
}

export function processParams(
  { router, req, res }: CallingWalk,
  layer: Layer,
  match: LayerMatch,
  called: Parameters<typeof runParams>[2],
  done: Next,
): void {
  const keys = match.keys.map(name => ({ name }));
  runParams(router, layer, called, req as ParamsRequest, res, done, watchParam, keys);
}

/** Removes the slash only if the walk has added it: in a URL that a handler has written, it belongs to the URL. */
export function withoutAddedSlash(url: string, removed: string): string {
  if (url.charCodeAt(0) !== SLASH) return url;
  const isAdded = url.length === 1 || url.charCodeAt(1) === QUESTION_MARK || removed.endsWith('/');
  return isAdded ? url.slice(1) : url;
}

/**
 * Sends the methods of all routes that the path matched, as `Allow` header and as body, without the framework's
 * response members, because routers also work without them.
 */
export function sendOptions(
  res: ServerResponse,
  methods: readonly string[],
  next: (err?: unknown) => void,
): void {
  try {
    const list = [...methods].sort().join(', ');
    res.setHeader('Allow', list);
    res.setHeader('Content-Length', Buffer.byteLength(list));
    res.setHeader('Content-Type', 'text/plain');
    res.setHeader('X-Content-Type-Options', 'nosniff');
    res.end(list);
  } catch (error) {
    next(error);
  }
}
