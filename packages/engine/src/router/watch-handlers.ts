/**
 * Watches each call of a handler in development, to warn about handlers that call `next` twice, or that neither respond
 * nor call it. In production it is not loaded, and in a process with several applications it ignores those that are
 * not in development.
 */
import { ServerResponse } from 'node:http';
import { reportsMistakes } from '../diagnose/development';
import { ownerOf } from '../diagnose/paths';
import { enter, noteReturned } from '../diagnose/pending';
import { captureTrace, isInstalled, placeOf } from '../diagnose/place';
import type { Trace } from '../diagnose/place';
import { warnOfNext, watchResponse } from '../diagnose/sent';
import { at, atTrace, Watched } from '../diagnose/watched';
import type { Call, WatchedRequest } from '../diagnose/watched';
import { shown } from '../report/shown';
import type { Next } from '../types/next';
import { routeName, walksOf } from './matched-path';
import type { MatchedRequest } from './matched-path';
import { registrationOf } from './registrations';
import { STATE } from './symbols';
import { writtenPaths } from './written-path';
import type { StackLayer } from './stack-layer';

/** The members of a layer that are read here. */
interface WatchedLayer extends StackLayer {
  name: string;
  handle: Callable;
}

type Callable = (...args: unknown[]) => unknown;
type Settings = Readonly<Record<string, unknown>>;

/** The members of a request that are used here. */
interface RoutedRequest extends MatchedRequest {
  app?: unknown;
  next?: Next | undefined;
}

/** The number of frames recorded: enough for the function that called `next`, and for some functions in between. */
const FRAMES_OF_NEXT = 6;
/** Longer values are truncated in messages. */
const LONGEST = 80;

const requests = new WeakMap<object, Watched>();

/** The `next` functions that this file created, each with the one that it wraps. */
const wrapped = new WeakMap<Next, Next>();

/**
 * Undefined if the application is not in development, or if the response is not a Node `ServerResponse`: mocks in tests
 * may never report that they were sent.
 */
function watchedOf(req: RoutedRequest, res: unknown): Watched | undefined {
  if (!reportsMistakes(settingsFor(req))) return undefined;
  const known = requests.get(req);
  if (known !== undefined || !(res instanceof ServerResponse)) return known;
  const watched = new Watched(req as WatchedRequest, res as ServerResponse, () => routeName(req as object));
  requests.set(req, watched);
  watchResponse(watched);
  return watched;
}

/**
 * Returns the settings of the application whose router the request is in. `req.app` is not set before the second layer
 * of that router.
 */
function settingsFor(req: RoutedRequest): Settings | undefined {
  for (const { router } of walksOf(req)) {
    const settings = ownerOf(router);
    if (settings !== undefined) return settings;
  }
  return (req.app as { settings?: Settings } | null | undefined)?.settings;
}

/** Calls a layer's handler. */
export function callWatched(
  layer: WatchedLayer,
  fn: Callable,
  req: unknown,
  res: unknown,
  next: Next,
): unknown {
  const request = req as RoutedRequest;
  restoreNext(request);
  const watched = layer.route === undefined ? watchedOf(request, res) : undefined;
  if (watched === undefined) return fn(req, res, next);
  const call = callOf(layer);
  enter(watched, call);
  if (isRouter(fn)) return fn(req, res, next);
  const own = watchNext(watched, call, next);
  // Middleware gets the same function as `req.next`, as in Express; `res.format` and `res.sendFile` call it too
  if (request.next === next) request.next = own;
  const result = fn(req, res, own);
  if (result !== undefined && result !== res) noteResult(watched, call, result);
  return result;
}

/**
 * Restores the request's own `next` of its router: that of an earlier handler would attribute calls to that handler.
 */
function restoreNext(req: RoutedRequest): void {
  const { next } = req;
  const original = next && wrapped.get(next);
  if (original !== undefined) req.next = original;
}

/** Records that an error has reached a layer's error handler. */
export function noteErrorHandler(layer: WatchedLayer, req: unknown): void {
  restoreNext(req as RoutedRequest);
  const watched = requests.get(req as object);
  if (watched !== undefined) enter(watched, callOf(layer));
}

/** Records that a request has reached the callbacks of a parameter. */
export function noteParam(layer: WatchedLayer, req: unknown, name: string | number): void {
  restoreNext(req as RoutedRequest);
  const watched = requests.get(req as object);
  if (watched === undefined) return;
  const { place } = callOf((layer.route as { stack: WatchedLayer[] } | undefined)?.stack[0] ?? layer);
  enter(watched, { what: `a callback of param('${name}') for the path`, place });
}

/** Records that no handler was left for a request. */
export function noteEnd(req: unknown): void {
  const watched = requests.get(req as object);
  if (watched !== undefined) warnOfNext(watched);
}

/** Whether a function is a router or an application, or wraps one: then their handlers are watched instead. */
function isRouter(fn: Callable & { handle?: unknown }): boolean {
  return typeof fn.handle === 'function' || fn.name === 'mounted_app';
}

function callOf(layer: WatchedLayer): Call {
  return { what: `the handler '${layer.name}'`, place: () => registrationOf(layer) };
}

/** Warns if no error handler handled a request's error, and one is registered too early to do so. */
export function noteUnhandled(req: unknown): void {
  const watched = requests.get(req as object);
  if (watched === undefined) return;
  let early: WatchedLayer | undefined;
  for (const { router, current } of walksOf(req as object)) {
    const stack = (router as { [STATE]?: { stack: WatchedLayer[] } })[STATE]?.stack ?? [];
    const reached = stack.indexOf(current as WatchedLayer);
    const handlers = stack.filter(layer => layer.handle.length === 4);
    // The handler passed the error on
    if (handlers.some(layer => stack.indexOf(layer) > reached)) return;
    early ??= handlers.find(layer => writtenPaths(layer)[0] === '/' && !isInList(layer, stack));
  }
  if (early === undefined) return;
  const message =
    `No error handler took the error of ${watched.name()}: '${early.name}' is registered before the handler that ` +
    'failed. Register error handlers after all routes.';
  watched.warn('RISTRETTO_ERROR_HANDLER_ORDER', message, registrationOf(early));
}

/**
 * Whether a layer was registered together with later ones: such a list usually comes from a package, which decides its
 * order.
 */
function isInList(layer: WatchedLayer, stack: readonly WatchedLayer[]): boolean {
  const follower = stack[stack.indexOf(layer) + 1];
  if (follower === undefined || follower.handle.length === 4) return false;
  return at(registrationOf(layer)) === at(registrationOf(follower));
}

/** Wraps `next` to detect a second call. */
function watchNext(watched: Watched, call: Call, proceed: Next): Next {
  let first: Trace | undefined;
  const own = function next(err?: unknown): void {
    const trace = captureTrace(FRAMES_OF_NEXT);
    if (first === undefined) {
      first = trace;
      if (!err && watched.res.headersSent) watched.passedOnBy ??= trace;
    }
    // With an error, it may be a timeout that fired independently of the handler, as in connect-timeout
    else if (!err) warnOfTwice(watched, call, first, trace);
    if (watched.call === call) watched.hasPassedOn = true;
    proceed(err);
  };
  wrapped.set(own, proceed);
  return own;
}

function warnOfTwice(watched: Watched, call: Call, first: Trace, second: Trace): void {
  const place = placeOf(second) ?? call.place();
  if (place !== undefined && isInstalled(place)) return;
  const message =
    `A handler of ${watched.name()} called next() twice, first${atTrace(first)}: the handlers after it ran twice. ` +
    'Return after the first call.';
  watched.warn('RISTRETTO_NEXT_TWICE', message, place);
}

function noteResult(watched: Watched, call: Call, result: unknown): void {
  if (result instanceof Promise) {
    // Promises of other classes may start their work when `then` is called
    if (Object.getPrototypeOf(result) !== Promise.prototype) return;
    void Promise.prototype.then.call(
      result,
      value => {
        if (isMeantAsBody(value) || isRecord(value)) noteValue(watched, call, value);
      },
      () => undefined,
    );
  } else if (isMeantAsBody(result)) {
    noteValue(watched, call, result);
  }
}

function noteValue(watched: Watched, call: Call, value: unknown): void {
  if (watched.res.headersSent || watched.call !== call || watched.hasPassedOn) return;
  const text = shown(value);
  noteReturned(watched, call, text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text);
}

/**
 * Whether a value is a string or plain data. Short functions often return the result of a call: numbers, timers,
 * streams, emitters.
 */
function isMeantAsBody(value: unknown): boolean {
  if (typeof value === 'string' || Array.isArray(value)) return true;
  if (typeof value !== 'object' || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}

/** Whether a value is an instance of a class that only holds data, such as a database record. */
function isRecord(value: unknown): boolean {
  if (typeof value !== 'object' || value === null || value instanceof ServerResponse) return false;
  const { on, then, unref, pipe } = value as Record<string, unknown>;
  if ([on, then, unref, pipe].some(member => typeof member === 'function')) return false;
  return Object.keys(value).length > 0;
}
