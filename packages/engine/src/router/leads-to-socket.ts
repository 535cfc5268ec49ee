/**
 * Finds out whether a path has a route for WebSockets. Used only if other code listens for upgrades too: paths
 * without a route are left to it.
 */
import { restOf } from './allowed-methods';
import { applicationMountedBy, layersOf } from './mounted';
import type { StackLayer } from './stack-layer';
import { isForSockets } from './upgrade';

/** An application whose routes are lists by method, as those of 3.x. */
interface ListingApplication {
  stack?: { route: string; handle: object }[];
  _router?: { map?: { ws?: { match(path: string): boolean }[] } };
}

/**
 * Whether a route for WebSockets matches a path, in an application and everything mounted in it. Runs no handlers, and
 * ignores what middleware would have changed in the URL.
 */
export function leadsToSocket(target: object, path: string): boolean {
  const { stack, _router } = target as ListingApplication;
  const { map } = _router ?? {};
  if (map !== undefined) {
    if (map.ws?.some(route => route.match(path)) === true) return true;
    return (stack ?? []).some(({ route, handle }) => {
      const app = applicationMountedBy(handle);
      const rest = app && restOf(path, route);
      return rest !== undefined && leadsToSocket(app!, rest);
    });
  }
  return layersOf(target).some(layer => {
    const mount = matchedPath(layer, path);
    if (mount === undefined) return false;
    if (layer.route !== undefined) return isForSockets(layer.route as object);
    const rest = restOf(path, mount);
    return rest !== undefined && leadsToSocket(applicationMountedBy(layer.handle) ?? layer.handle, rest);
  });
}

/** Returns the part of the path that a layer matches: those of 4.x store it, those of 5.x return it. */
function matchedPath(layer: StackLayer & { path?: string }, path: string): string | undefined {
  try {
    const match = layer.match(path) as boolean | { path: string };
    return typeof match === 'object' ? match.path : match ? layer.path : undefined;
  } catch {
    // Either the walk will report this malformed parameter, or a tool's layer has thrown.
    return undefined;
  }
}
