/** `app.ws` and `router.ws`: routes for WebSockets. */
import { allowPayload } from '../../serving/fetch/socket-hosts';
import { deferred } from '../../deferred';
import { reportsMistakes } from '../../report/development';
import type * as diagnose from '../../dev/handler-arguments';
import { shown } from '../../shown';
import { flatten } from '../../router/arguments';
import { restrictToSockets } from '../../router/upgrade';
import type { SocketOptions } from '../../types/websocket';
import { opener } from './open';
import type { Handler } from './open';
import { readOptions } from './socket-options';
import { acceptSockets } from './servers';
import { moduleWsIfNeeded } from './ws';

const checks = deferred(() => require('../../dev/handler-arguments') as typeof diagnose, reportsMistakes);

interface Route {
  methods: Record<string, unknown>;
  all(...handlers: unknown[]): unknown;
}

/** Adds a route for WebSockets to a router of 4.x or 5.x. */
export function addSocketRoute(
  router: { route(path: unknown): unknown },
  path: unknown,
  rest: unknown[],
): void {
  const handlers = socketHandlers(rest);
  const route = router.route(path) as Route;
  route.all(...handlers);
  restrictToSockets(route);
}

/**
 * Returns the handlers of a route for WebSockets: the ones before the last, and one that opens the socket for the last.
 * @param args options, if any, and handlers
 * @throws TypeError without a handler, for invalid options, and for anything else; Error if `ws` is not installed
 */
export function socketHandlers(args: readonly unknown[]): unknown[] {
  const hasOptions = isOptions(args[0]);
  const handlers = flatten(hasOptions ? args.slice(1) : [...args]);
  for (const handler of handlers) {
    if (typeof handler === 'function') continue;
    throw new TypeError(`app.ws(): expected options and then functions, got ${shown(handler)}`);
  }
  const handler = handlers.pop() as Handler | undefined;
  if (handler === undefined) throw new TypeError('app.ws() requires a handler: (socket, req) => { … }');
  if (reportsMistakes()) checks().checkSocketHandler(handler);
  const settings = readOptions(hasOptions ? (args[0] as SocketOptions) : {});
  const open = opener(moduleWsIfNeeded('app.ws()'), settings, handler);
  acceptSockets();
  allowPayload(settings.maxPayload);
  // Lists of routes show this name.
  if (handler.name !== '') Object.defineProperty(open, 'name', { value: handler.name });
  return [...handlers, open];
}

function isOptions(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
