/** Explains in development why no route handled a request, if a route nearly did. */
import type { Watched } from '../../dev/watched';
import { pathnameOf } from '../../protocol/url';
import { registrationOf } from '../registrations';
import { entriesOf } from '../route-tree';
import { allowedMethods, handlerAt, leadsToSocket } from '../routes-at';
import type { StackLayer } from '../stack-layer';
import { upgradeOf } from '../upgrade';

interface UnhandledRequest {
  method?: string | undefined;
  originalUrl?: string | undefined;
}

/** Warns if the path has handlers for other methods, or if a request for a similar path would have been handled. */
export function checkMissing(watched: Watched, app: object): void {
  const { method = '', originalUrl = '' } = watched.req as UnhandledRequest;
  const path = pathnameOf(originalUrl);
  if (path === undefined || method === 'OPTIONS') return;
  const methods = allowedMethods(app, path, method);
  // The path has routes for this method, which have called `next()`
  if (methods === undefined) return;
  // A route for OPTIONS alone, such as `app.options('*', cors())`, says nothing about the path
  if (methods.some(name => name !== 'OPTIONS')) {
    const verb = `.${method.toLowerCase()}`;
    warn(
      watched,
      `${method} ${path}`,
      `the path is registered for ${methods.join(', ')}. Send one of these, or register the route with ${verb}().`,
      handlerAt(app, path),
    );
    return;
  }
  if (upgradeOf(watched.req) === undefined && leadsToSocket(app, path)) {
    const advice = `the path is registered for WebSockets, by .ws(). Connect with new WebSocket('${path}'), or register it with .get(), too.`;
    warn(watched, `${method} ${path}`, advice, undefined);
    return;
  }
  const found = similarPath(app, path, method);
  if (found === undefined) return;
  const { mount, other, route, layer } = found;
  const advice = path.startsWith(`${mount}/`)
    ? `its router is mounted at '${mount}', so its own paths must not begin with it.`
    : `did you mean '${other}'?`;
  warn(watched, `${method} ${path}`, `there is a route '${route}': ${advice}`, layer);
}

interface Similar {
  mount: string;
  other: string;
  route: string;
  layer: StackLayer;
}

/** Finds a route of a mounted router that would handle the path behind the mount path. */
function similarPath(app: object, path: string, method: string): Similar | undefined {
  const entries = entriesOf(app) ?? [];
  const mounts = entries.filter(({ info }) => info.kind === 'router' || info.kind === 'application');
  for (const mount of new Set(mounts.map(({ info }) => info.path))) {
    if (!/^\/[\w/.-]+$/.test(mount)) continue;
    const other = mount + path;
    const layer = handlerAt(app, other, method);
    const route = layer && entries.find(({ layers }) => layers.includes(layer))?.info.path;
    if (route === undefined || !hasWordOf(route.slice(mount.length), path)) continue;
    return { mount, other, route, layer: layer! };
  }
  return undefined;
}

/** Whether a fixed segment of the route is in the path: parameters and wildcards match anything. */
function hasWordOf(route: string, path: string): boolean {
  const words = path.split('/').filter(Boolean);
  return route.split('/').some(segment => /^[\w.-]+$/.test(segment) && words.includes(segment));
}

function warn(watched: Watched, request: string, advice: string, layer: StackLayer | undefined): void {
  const place = layer && registrationOf(layer);
  watched.warn('RISTRETTO_NO_ROUTE', `No route handled ${request}, but ${advice}`, place);
}
