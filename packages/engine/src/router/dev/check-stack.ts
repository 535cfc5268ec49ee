/** Checks in development what is registered on a router: reports broken error handlers and unreachable routes. */
import { factoryCall, isBrokenErrorHandler, isLast } from '../../dev/handler-source';
import { wantsWarnings } from '../../dev/path-syntax';
import { warnOnce } from '../../dev/warn';
import { at } from '../../dev/watched';
import type { StackLayer } from '../stack-layer';
import { checkParams } from './check-params';
import { methods } from '../methods';
import { layersOf } from '../mounted';
import { registrationOf } from '../registrations';
import { routerOf } from '../route-tree';
import { namesIn, writtenPaths } from '../written-path';

/** Tools call the methods of routers on their own objects. */
interface CheckedRouter {
  params?: Record<string, unknown>;
}

/** A handler that ends requests, and the layer of its router that leads to it. */
interface End {
  handler: StackLayer;
  layer: StackLayer;
}

/** Keys in place of a method: one for all methods, one for mounts. */
const ALL = 'all';
const MOUNT = 'use';
/** Paths that match every request. */
const EVERYTHING = ['*', '/*'];

const scheduled = new WeakSet<object>();

/** Checks a router after the application's current batch of registrations. */
export function checkSoon(router: CheckedRouter): void {
  if (scheduled.has(router)) return;
  try {
    setImmediate(() => {
      scheduled.delete(router);
      if (wantsWarnings(router)) checkStack(router);
    });
    scheduled.add(router);
  } catch {
    // Cloudflare Workers allow no timers outside of a request.
  }
}

function checkStack(router: CheckedRouter): void {
  /** The handlers that end all requests of a method and a path. */
  const ends = new Map<string, End>();
  for (const layer of layersOf(router)) {
    const handlers = handlersOf(layer);
    for (const handler of handlers) checkHandler(handler);
    for (const [key, handler] of firstHandlers(layer, handlers)) {
      const end = endBefore(ends, key);
      if (end !== undefined) warnOfUnreachable(key, handler, end.handler);
      else if (isLast(handler.handle) && !hasParamCallbacks(router, layer)) ends.set(key, { handler, layer });
    }
  }
  checkParams(router);
  checkOrder(layersOf(router));
}

function handlersOf(layer: StackLayer): readonly StackLayer[] {
  return (layer.route as { stack: StackLayer[] } | undefined)?.stack ?? [layer];
}

/** Middleware that does nothing for the routes before it, by the names of the usual packages. */
const BEFORE_ROUTES = new Set([
  ...[
    'corsMiddleware',
    'jsonParser',
    'urlencodedParser',
    'textParser',
    'rawParser',
    'cookieParser',
    'session',
  ],
  ...['_cookieSession', 'helmetMiddleware', 'compression'],
]);

/** Warns of middleware behind all routes. */
function checkOrder(layers: readonly StackLayer[]): void {
  const isRoute = (layer: StackLayer): boolean => layer.route !== undefined || routerOf(layer) !== undefined;
  const last = layers.findLastIndex(isRoute);
  for (const layer of layers.slice(last + 1)) {
    if (last < 0 || !BEFORE_ROUTES.has(layer.name) || writtenPaths(layer)[0] !== '/') continue;
    const message =
      `The middleware '${layer.name}' is registered behind all routes, so it does nothing for their requests. ` +
      'Register it before the routes.';
    warnOnce('RISTRETTO_MIDDLEWARE_ORDER', message, registrationOf(layer) ?? null);
  }
}

function checkHandler(handler: StackLayer): void {
  const call = factoryCall(handler.handle);
  if (call !== undefined) {
    const message =
      `The function '${handler.name}' creates middleware, and is registered as if it were one: ` +
      `no request that reaches it is handled. Call it: ${call}.`;
    warnOnce('RISTRETTO_NOT_CALLED', message, registrationOf(handler) ?? null);
  }
  if (!isBrokenErrorHandler(handler.handle)) return;
  const message =
    `The function '${handler.name}' is called for requests and not for errors, because it takes ` +
    `${handler.handle.length} parameters. Error handlers take exactly four: (err, req, res, next).`;
  warnOnce('RISTRETTO_ERROR_HANDLER', message, registrationOf(handler) ?? null);
}

/** Returns the handlers that requests reach first, by `method path`, without error handlers. */
function firstHandlers(layer: StackLayer, handlers: readonly StackLayer[]): Map<string, StackLayer> {
  const first = new Map<string, StackLayer>();
  // `app.all` registers for each method separately; after `app.get` it handles the other methods
  const isForAll =
    handlers.length >= methods.length && new Set(handlers.map(({ method }) => method)).size >= methods.length;
  for (const path of writtenPaths(layer)) {
    if (typeof path !== 'string') continue;
    for (const handler of handlers) {
      const key = `${layer.route === undefined ? MOUNT : isForAll ? ALL : (handler.method ?? ALL)} ${path}`;
      if (handler.handle.length < 4 && !first.has(key)) first.set(key, handler);
    }
  }
  return first;
}

function endBefore(ends: ReadonlyMap<string, End>, key: string): End | undefined {
  const [method, path] = key.split(/ (.*)/s) as [string, string];
  const mounted = ends.get(`${MOUNT} /`) ?? ends.get(`${MOUNT} ${path}`);
  if (mounted !== undefined) return mounted;
  const methods = method === MOUNT ? [] : [ALL, method];
  const paths = [path, ...EVERYTHING];
  const same = methods.flatMap(name => paths.map(one => ends.get(`${name} ${one}`))).find(Boolean);
  if (same !== undefined || !FIXED.test(path)) return same;
  for (const [earlier, end] of ends) {
    const method = earlier.slice(0, earlier.indexOf(' '));
    if (methods.includes(method) && earlier.includes(':') && matches(end.layer, path)) return end;
  }
  return undefined;
}

/** A path without parameters and patterns. */
const FIXED = /^[\w/.~-]+$/;

function matches(layer: StackLayer, path: string): boolean {
  try {
    return Boolean(layer.match(path));
  } catch {
    return false;
  }
}

/** Whether parameter callbacks exist, which can skip the handlers. */
function hasParamCallbacks({ params }: CheckedRouter, layer: StackLayer): boolean {
  const names = writtenPaths(layer).flatMap(path => namesIn(layer, path));
  return names.some(name => params?.[name] !== undefined);
}

function warnOfUnreachable(key: string, handler: StackLayer, end: StackLayer): void {
  const message =
    `No request reaches '${key}', because the handler '${end.name}'${at(registrationOf(end))} ends all of them: ` +
    'it is registered earlier, and takes no next(). Register it later, or remove one of the two.';
  warnOnce('RISTRETTO_UNREACHABLE', message, registrationOf(handler) ?? null);
}
