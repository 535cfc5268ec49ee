/** The layer of an entry of `app.stack`: middleware under a path, which a `/` or a `.` may follow. */
import { Layer, PATTERN } from '@ristretto/private-engine/lib/router';
import type { StackEntry } from '../types/routing';

const SPECIAL = /[\\^$.*+?()[\]{}|/-]/g;

/**
 * Creates the layer. The entry's function is looked up on each call, because tools replace it.
 * @throws TypeError if the entry is not of the form `{ route: '/path', handle: function }`
 */
export function makeMountLayer(entry: StackEntry): Layer {
  const { route, handle } = entry as Partial<StackEntry>;
  if (typeof route !== 'string' || typeof handle !== 'function') {
    throw new TypeError(
      `app.stack: expected entries { route: '/path', handle: function }, got { route: ${String(route)}, handle: ${typeof handle} }`,
    );
  }
  const layer = new Layer(pathOf(route), { end: false }, handle);
  layer[PATTERN].path = route || '/';
  return Object.defineProperty(layer, 'handle', { get: () => entry.handle });
}

/** The path is literal text, not a pattern: only `/` and `.` may follow it, as in `/apple.html` for `/apple`. */
function pathOf(route: string): string | RegExp {
  return route === '' || route === '/'
    ? '/'
    : new RegExp(`^${route.replace(SPECIAL, '\\$&')}(?=[/.]|$)`, 'i');
}
