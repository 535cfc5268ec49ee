/**
 * `req.matchedPath`: the pattern that a request has matched, from the first mount to the route.
 *
 * Nothing is computed until it is read. A walk through a router records its current layer, and the request its
 * innermost walk; the outer walks are found from there. If a walk ends with an error, the request keeps what it has
 * matched for the error handlers; if it ends without one, the walk has matched nothing.
 */
import { pathnameOf } from '../protocol/url';
import { PREFIX, WALK } from './symbols';
import { joinPaths, matchingPath } from './written-path';
import type { StackLayer } from './stack-layer';
import { setOwn } from '../protocol/own-property';

/** The members of a walk that are used here. */
export interface WalkPosition {
  readonly router: { caseSensitive?: boolean | undefined; strict?: boolean | undefined };
  /** The walk that led to this router, if one did. */
  readonly parent: WalkPosition | ExitedWalk | undefined;
  /** The layer that was called last, except error handlers. */
  readonly current: StackLayer | undefined;
  /** The path against which this layer was matched. */
  readonly path: string | undefined;
}

/** Represents a walk that has ended with an error. */
class ExitedWalk {
  constructor(
    /** The innermost walk that ended with the error. */
    readonly walk: WalkPosition,
    /** The walk to which the error was passed, and its current layer. */
    readonly parent: WalkPosition | undefined,
    readonly at: StackLayer | undefined,
  ) {}
}

export interface MatchedRequest {
  [WALK]?: WalkPosition | ExitedWalk | undefined;
}

/** The members of a request that make up its name. */
interface NamedRequest {
  method?: string | undefined;
  originalUrl?: string | undefined;
  route?: unknown;
  matchedPath?: string | undefined;
}

/**
 * Makes the walk non-enumerable on a request that does not belong to an application, because its creator may list its
 * members.
 */
export function hideWalk(req: MatchedRequest): void {
  Object.defineProperty(req, WALK, { value: undefined, configurable: true, writable: true });
}

/**
 * Replaces the walks of a request, which hold its response, by what its pattern is read from. For a request that is kept
 * after its response.
 */
export function releaseWalks(req: MatchedRequest): void {
  req[WALK] = positionOf(goingOn(req[WALK]));
}

function positionOf(walk: WalkPosition | undefined): WalkPosition | undefined {
  if (walk === undefined) return undefined;
  const { router, current, path, parent } = walk;
  return { router, current, path, parent: positionOf(goingOn(parent)) };
}

/** Returns the object that represents a walk that ends with an error. */
export function leave(walk: WalkPosition, req: MatchedRequest): ExitedWalk {
  const last = req[WALK];
  const parent = goingOn(walk.parent);
  const hasLeft = hasExited(last) && last.parent === walk && last.at === walk.current;
  return new ExitedWalk(hasLeft ? last.walk : walk, parent, parent?.current);
}

function hasExited(walk: WalkPosition | ExitedWalk | undefined): walk is ExitedWalk {
  return walk !== undefined && 'walk' in walk;
}

function goingOn(walk: WalkPosition | ExitedWalk | undefined): WalkPosition | undefined {
  return hasExited(walk) ? walk.parent : walk;
}

/** Returns the innermost relevant walk: one that an error has left is relevant until another layer is called. */
function innermost({ [WALK]: last }: MatchedRequest): WalkPosition | undefined {
  return hasExited(last) && last.parent?.current === last.at ? last.walk : goingOn(last);
}

/** Returns the walks that a request is in, or that its error has left, from the innermost outward. */
export function* walksOf(req: MatchedRequest): Generator<WalkPosition> {
  for (let walk = innermost(req); walk !== undefined; walk = goingOn(walk.parent)) yield walk;
}

/** Whether a layer strips nothing from the URL: a route, or a layer created like one. */
function isEnd({ route, [PREFIX]: isPrefix }: Partial<StackLayer>): boolean {
  return route !== undefined || isPrefix === false;
}

/** Returns the path of a layer as it was registered; of several, the one that has matched. */
export function patternAt({ path, router }: WalkPosition, layer: StackLayer): unknown {
  const { caseSensitive: sensitive, strict } = router;
  const end = isEnd(layer);
  return matchingPath(layer, path!, { sensitive, strict: end && strict, end });
}

/**
 * Returns the registered path that has led a request to a handler, without mount paths, or undefined if no router has.
 * @param layer a router's layer, or undefined for its router's current layer
 */
export function pathOfHandler(req: MatchedRequest, layer?: StackLayer): unknown {
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
    // A router that is called by a route's handler receives the same path again.
    else if (end) continue;
    const path = String(patternAt(walk, current));
    matched = matched === undefined ? path : joinPaths(path, matched);
  }
  return matched === '/' && !isRoute ? undefined : matched;
}

/** Names a request in messages: its method, and the path of its route, or its own path if it has reached none. */
export function routeName(req: NamedRequest): string {
  const path = (req.route === undefined ? undefined : req.matchedPath) ?? pathnameOf(req.originalUrl ?? '');
  return `${String(req.method)} ${String(path)}`;
}

/** The descriptor of `req.matchedPath`. Not enumerable; an assignment creates an own property of the request. */
export const matchedPathProperty: PropertyDescriptor = {
  configurable: true,
  get: matchedPath,
  set(this: object, value: unknown) {
    setOwn(this, 'matchedPath', value);
  },
};
