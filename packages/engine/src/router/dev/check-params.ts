/**
 * In development, checks the names of parameters that handlers read, that schemas expect, and that have callbacks.
 */
import { paramsRead } from '../../dev/handler-source';
import { ownerOf } from '../../dev/path-syntax';
import { warnOnce } from '../../dev/warn';
import { patternAt, routeName, walksOf } from '../matched-path';
import type { MatchedRequest } from '../matched-path';
import { layersOf } from '../mounted';
import { registrationOf } from '../registrations';
import type { StackLayer } from '../stack-layer';
import { namesIn, writtenPaths } from '../written-path';

/** The members of a router that are read here. */
interface RouterWithParams {
  params?: Record<string, unknown>;
  mergeParams?: unknown;
}

/** Warns of names that no path has. */
export function checkParams(router: RouterWithParams): void {
  const layers = layersOf(router);
  if (!router.mergeParams) checkReads(router, layers);
  checkCallbacks(router, layers);
}

const MERGE = 'Parameters of the path at which a router is mounted need Router({ mergeParams: true }).';

/** Checks the last handler of each route: others are often shared by routes with other parameters. */
function checkReads(router: object, layers: readonly StackLayer[]): void {
  const known = new Map<StackLayer['handle'], { names: Set<string>; handler: StackLayer; path: string }>();
  for (const layer of layers) {
    const { stack = [] } = (layer.route ?? {}) as { stack?: readonly StackLayer[] };
    const paths = writtenPaths(layer);
    // Regular expressions and patterns have parameters with other names
    const isText = paths.every(path => typeof path === 'string' && !/[*()]/.test(path));
    for (const method of new Set(stack.map(handler => handler.method))) {
      const handler = stack.findLast(one => one.method === method)!;
      if (!isText) continue;
      const found = known.get(handler.handle) ?? { names: new Set(), handler, path: String(paths[0]) };
      for (const name of paths.flatMap(path => namesIn(layer, path))) found.names.add(name);
      known.set(handler.handle, found);
    }
  }
  for (const [handle, { names, handler, path }] of known) {
    for (const name of paramsRead(handle))
      if (!names.has(name)) warnOfRead(router, name, names, handler, path);
  }
}

function warnOfRead(
  router: object,
  name: string,
  names: ReadonlySet<string>,
  handler: StackLayer,
  path: string,
): void {
  const has = names.size === 0 ? 'no parameters' : `only ${[...names].map(one => `':${one}'`).join(' and ')}`;
  const merge =
    ownerOf(router) === undefined
      ? ` ${MERGE}`
      : ` ${names.size === 0 ? `Add ':${name}' to it` : 'Use the same name in both'}.`;
  const message = `A handler of '${path}' reads req.params.${name}, which is always undefined: the path has ${has}.${merge}`;
  warnOnce('RISTRETTO_UNKNOWN_PARAM', message, registrationOf(handler) ?? null);
}

interface RoutedRequest extends MatchedRequest {
  params: object;
  route?: { path: unknown; stack: readonly StackLayer[] };
}

/** Warns of parameters that the schema of a request's route expects, and that its path lacks. */
export function checkExpected(req: RoutedRequest, names: readonly PropertyKey[]): void {
  const { params, route } = req;
  const path = route?.path;
  // Regular expressions have other names
  if (typeof path !== 'string') return;
  const [own = [], ...outer] = [...walksOf(req)].map(walk =>
    walk.current === undefined ? [] : namesIn(walk.current, patternAt(walk, walk.current)),
  );
  const ofMounts = outer.flat();
  for (const name of names.map(String)) {
    // An optional parameter may have no value
    if (name in params || own.includes(name)) continue;
    const remedy = ofMounts.includes(name) ? MERGE : `Add ':${name}' to it.`;
    const message = `The schema of ${routeName(req)} has the parameter '${name}', which the path '${path}' lacks. ${remedy}`;
    warnOnce('RISTRETTO_UNKNOWN_PARAM', message, registrationOf(route!.stack[0]!) ?? null);
  }
}

function checkCallbacks({ params = {} }: RouterWithParams, layers: readonly StackLayer[]): void {
  const names = new Set(layers.flatMap(layer => writtenPaths(layer).flatMap(path => namesIn(layer, path))));
  for (const [name, callbacks] of Object.entries(params)) {
    if (names.has(name) || layers.length === 0) continue;
    const similar = [...names].find(one => one.toLowerCase() === name.toLowerCase());
    const advice =
      similar === undefined
        ? 'Callbacks run for the paths of their own router, not for those of mounted ones: call param() on that router.'
        : `Did you mean '${similar}'?`;
    const message = `The callback of param('${name}') never runs, because no path of its router has ':${name}'. ${advice}`;
    warnOnce('RISTRETTO_UNUSED_PARAM', message, registrationOf(Object(callbacks) as object) ?? null);
  }
}
