/**
 * Finds out whether a path has a route for WebSockets. Used only if others listen for upgrades too: whatever has none is
 * left to them.
 */
import { matches, restOf } from './allowed-methods';
import { applicationMountedBy, layersOf } from './mounted';
import { isForSockets } from './upgrade';

/** An application of 3.x, whose routes are lists by method. */
interface Application3 {
  stack?: { route: string; handle: object }[];
  _router?: { map?: { ws?: { match(path: string): boolean }[] } };
}

/**
 * Whether a route for WebSockets matches a path, in an application and everything mounted in it. Runs no handlers, and
 * ignores what middleware would have changed in the URL.
 */
export function leadsToSocket(target: object, path: string): boolean {
  const { stack, _router } = target as Application3;
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
    if (!matches(layer, path)) return false;
    if (layer.route !== undefined) return isForSockets(layer.route as object);
    const rest = restOf(path, layer.path!);
    return rest !== undefined && leadsToSocket(applicationMountedBy(layer.handle) ?? layer.handle, rest);
  });
}
