/** The list of a router's routes and mounted routers, for documentation and tools. */
import { flatten, isForSockets } from '@ristretto/private-engine/lib/router';
import type Layer = require('./layer');
import type Route = require('./route');

/** A route and its methods, or a mounted router. */
export interface ListedRoute {
  path: unknown;
  /** In upper case, `*` for all methods; undefined for a router. */
  methods: string[] | undefined;
  router: unknown;
}

/** Returns one entry for each path of each route and of each router; other middleware is left out. */
export function routesOf(stack: readonly Layer[]): ListedRoute[] {
  const listed: ListedRoute[] = [];
  for (const { handle, rawPath, route } of stack) {
    const methods = route === undefined ? undefined : methodsOf(route as Route);
    const router =
      methods === undefined && Array.isArray((handle as { stack?: unknown }).stack) ? handle : undefined;
    if (methods === undefined && router === undefined) continue;
    for (const path of flatten([rawPath])) listed.push({ path, methods, router });
  }
  return listed;
}

function methodsOf(route: Route): string[] {
  if (isForSockets(route)) return ['WS'];
  const { methods } = route;
  return Object.keys(methods).flatMap(name => {
    if (name === '_all') return ['*'];
    return name === 'get' && !methods.head ? ['GET', 'HEAD'] : [name.toUpperCase()];
  });
}
