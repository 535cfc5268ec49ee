/**
 * `req.matchedPath`: the pattern that a request has matched, from the first mount to the route.
 *
 * Nothing is computed until it is read. A walk through a router notes the layer that it is at, and the request its
 * innermost walk; the walks around it are found from there. When a walk ends with an error, the request keeps what it
 * has matched for the error handlers; when it ends without one, the walk has matched nothing.
 */
import { pathnameOf } from '../protocol/url';
import { PREFIX, WALK } from './symbols';
import { joinPaths, matchingPath } from './written-path';
import type { WrittenLayer } from './written-path';
import { setOwn } from '../protocol/own-property';

/** What a walk has to be for this. */
export interface Walked {
  readonly router: { caseSensitive?: boolean | undefined; strict?: boolean | undefined };
  /** The walk that led to this router, if one did. */
  readonly parent: Walked | Left | undefined;
  /** The layer that was called last, error handlers aside. */
  readonly current: WrittenLayer | undefined;
  /** The path that this layer was matched with. */
  readonly path: string | undefined;
}

/** Stands for a walk that has ended with an error. */
class Left {
  constructor(
    /** The innermost walk that the error has left. */
    readonly walk: Walked,
    /** The walk that the error came to, and the layer that it was at. */
    readonly parent: Walked | undefined,
    readonly at: WrittenLayer | undefined,
  ) {}
}

export interface MatchedRequest {
  [WALK]?: Walked | Left | undefined;
}

/** What a request has to be to have a name. */
interface NamedRequest {
  method?: string | undefined;
  originalUrl?: string | undefined;
  route?: unknown;
  matchedPath?: string | undefined;
}

/** Keeps the walk out of sight, on a request that is no application's: whoever made it may list what it has. */
export function hideWalk(req: MatchedRequest): void {
  Object.defineProperty(req, WALK, { value: undefined, configurable: true, writable: true });
}

/** What stands for a walk that ends with an error. */
export function leave(walk: Walked, req: MatchedRequest): Left {
  const last = req[WALK];
  const parent = goingOn(walk.parent);
  const hasLeft = isLeft(last) && last.parent === walk && last.at === walk.current;
  return new Left(hasLeft ? last.walk : walk, parent, parent?.current);
}

function isLeft(walk: Walked | Left | undefined): walk is Left {
  return walk !== undefined && 'walk' in walk;
}

function goingOn(walk: Walked | Left | undefined): Walked | undefined {
  return isLeft(walk) ? walk.parent : walk;
}

/** The innermost walk that counts: one that an error has left counts until another layer is called. */
function innermost({ [WALK]: last }: MatchedRequest): Walked | undefined {
  return isLeft(last) && last.parent?.current === last.at ? last.walk : goingOn(last);
}

/** The walks that a request is in, or that its error has left, from the innermost out. */
export function* walksOf(req: MatchedRequest): Generator<Walked> {
  for (let walk = innermost(req); walk !== undefined; walk = goingOn(walk.parent)) yield walk;
}

/** Whether a layer takes nothing off the URL: a route, or a layer that was made like one. */
function isEnd({ route, [PREFIX]: isPrefix }: Partial<WrittenLayer>): boolean {
  return route !== undefined || isPrefix === false;
}

/** The path of a layer of the walk's router as it was registered; of several, the one that has matched. */
export function patternAt({ path, router }: Walked, layer: WrittenLayer): unknown {
  const { caseSensitive: sensitive, strict } = router;
  const end = isEnd(layer);
  return matchingPath(layer, path!, { sensitive, strict: end && strict, end });
}

/**
 * The registered path that has led a request to a handler, without those of the mounts; undefined where no router has.
 * @param layer of a router, or undefined for the layer that its router is at
 */
export function pathOfHandler(req: MatchedRequest, layer?: WrittenLayer): unknown {
  const walk = goingOn(req[WALK]);
  const at = layer ?? walk?.current;
  return walk && at && patternAt(walk, at);
}

function matchedPath(this: MatchedRequest): string | undefined {
  let matched: string | undefined;
  let isRoute = false;
  for (const walk of walksOf(this)) {
    const { current } = walk;
    if (current === undefined) continue;
    const end = isEnd(current);
    if (matched === undefined) isRoute = end;
    // A router that the handler of a route calls is given the same path again.
    else if (end) continue;
    const path = String(patternAt(walk, current));
    matched = matched === undefined ? path : joinPaths(path, matched);
  }
  return matched === '/' && !isRoute ? undefined : matched;
}

/** A request in messages: its method, and the path of its route, or its own where it has come to none. */
export function routeName(req: NamedRequest): string {
  const path = (req.route === undefined ? undefined : req.matchedPath) ?? pathnameOf(req.originalUrl ?? '');
  return `${String(req.method)} ${String(path)}`;
}

/** The descriptor of `req.matchedPath`. Not enumerable, and what a program assigns is the request's own. */
export const matchedPathProperty: PropertyDescriptor = {
  configurable: true,
  get: matchedPath,
  set(this: object, value: unknown) {
    setOwn(this, 'matchedPath', value);
  },
};
