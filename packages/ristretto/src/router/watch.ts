/**
 * Watches each call of a handler in development, for warnings about handlers that call `next` twice, or neither respond
 * nor call it. Loaded when the first handler is called; production calls handlers without it.
 */
import { ServerResponse } from 'node:http';
import { enter, noteReturned } from '../diagnose/pending';
import { captureTrace, isInstalled, placeOf } from '../diagnose/place';
import type { Trace } from '../diagnose/place';
import { warnOfNext, watchResponse } from '../diagnose/sent';
import { at, atTrace, Watched } from '../diagnose/watched';
import type { Call, WatchedRequest } from '../diagnose/watched';
import { shown } from '../report/shown';
import { routeName, walksOf } from './matched-path';
import { registrationOf } from './registrations';
import { STATE } from './symbols';
import { writtenPaths } from './written-path';
import type { WrittenLayer } from './written-path';

/** What is read of a layer. */
interface WatchedLayer extends WrittenLayer {
  name: string;
  handle: Callable;
}

type Callable = (...args: unknown[]) => unknown;
type Next = (err?: unknown) => void;

/** Deep enough for the function that called `next`, and some that it may have gone through. */
const FRAMES_OF_NEXT = 6;
/** Longer texts are cut in messages. */
const LONGEST = 80;

const requests = new WeakMap<object, Watched>();

/** Undefined for messages that are not Node's: those of tests may never say that they were sent. */
function watchedOf(req: object, res: unknown): Watched | undefined {
  const known = requests.get(req);
  if (known !== undefined || !(res instanceof ServerResponse)) return known;
  const watched = new Watched(req as WatchedRequest, res as ServerResponse, () => routeName(req));
  requests.set(req, watched);
  watchResponse(watched);
  return watched;
}

/** Calls a layer's handler. */
export function callWatched(
  layer: WatchedLayer,
  fn: Callable,
  req: unknown,
  res: unknown,
  next: Next,
): unknown {
  const watched = layer.route === undefined ? watchedOf(req as object, res) : undefined;
  if (watched === undefined) return fn(req, res, next);
  const call = callOf(layer);
  enter(watched, call);
  if (isRouter(fn)) return fn(req, res, next);
  const result = fn(req, res, watchNext(watched, call, next));
  if (result !== undefined && result !== res) noteResult(watched, call, result);
  return result;
}

/** Notes that an error has come to a layer's error handler. */
export function noteErrorHandler(layer: WatchedLayer, req: unknown): void {
  const watched = requests.get(req as object);
  if (watched !== undefined) enter(watched, callOf(layer));
}

/** Notes that a request has come to the callbacks of a parameter. */
export function noteParam(layer: WatchedLayer, req: unknown, name: string | number): void {
  const watched = requests.get(req as object);
  if (watched === undefined) return;
  const { place } = callOf((layer.route as { stack: WatchedLayer[] } | undefined)?.stack[0] ?? layer);
  enter(watched, { what: `a callback of param('${name}') for the path`, place });
}

/** Notes that no handler was left for a request. */
export function noteEnd(req: unknown): void {
  const watched = requests.get(req as object);
  if (watched !== undefined) warnOfNext(watched);
}

/** Whether a function is a router or an application, or what leads to one: it is their handlers that count. */
function isRouter(fn: Callable & { handle?: unknown }): boolean {
  return typeof fn.handle === 'function' || fn.name === 'mounted_app';
}

function callOf(layer: WatchedLayer): Call {
  return { what: `the handler '${layer.name}'`, place: () => registrationOf(layer) };
}

/** Notes that no error handler has taken a request's error: one that came too early would have liked to. */
export function noteUnhandled(req: unknown): void {
  const watched = requests.get(req as object);
  if (watched === undefined) return;
  let early: WatchedLayer | undefined;
  for (const { router, current } of walksOf(req as object)) {
    const stack = (router as { [STATE]?: { stack: WatchedLayer[] } })[STATE]?.stack ?? [];
    const reached = stack.indexOf(current as WatchedLayer);
    const handlers = stack.filter(layer => layer.handle.length === 4);
    // it passed the error on
    if (handlers.some(layer => stack.indexOf(layer) > reached)) return;
    early ??= handlers.find(layer => writtenPaths(layer)[0] === '/' && !isInList(layer, stack));
  }
  if (early === undefined) return;
  const message =
    `No error handler took the error of ${watched.name()}: '${early.name}' is registered before the handler that ` +
    'failed. Register error handlers after all routes.';
  watched.warn('RISTRETTO_ERROR_HANDLER_ORDER', message, registrationOf(early));
}

/** Whether a layer was registered with others that follow it: such a list is usually a package's, and ordered by that. */
function isInList(layer: WatchedLayer, stack: readonly WatchedLayer[]): boolean {
  const follower = stack[stack.indexOf(layer) + 1];
  if (follower === undefined || follower.handle.length === 4) return false;
  return at(registrationOf(layer)) === at(registrationOf(follower));
}

/** Makes a `next` that notices when it is called a second time. */
function watchNext(watched: Watched, call: Call, proceed: Next): Next {
  let first: Trace | undefined;
  return function next(err?: unknown) {
    const trace = captureTrace(FRAMES_OF_NEXT);
    if (first === undefined) {
      first = trace;
      if (!err && watched.res.headersSent) watched.passedOnBy ??= trace;
    }
    // with an error it may be a timeout that has passed behind the handler's back, as in connect-timeout
    else if (!err) warnOfTwice(watched, call, first, trace);
    if (watched.call === call) watched.hasPassedOn = true;
    proceed(err);
  };
}

function warnOfTwice(watched: Watched, call: Call, first: Trace, second: Trace): void {
  const place = placeOf(second) ?? call.place();
  if (place !== undefined && isInstalled(place)) return;
  const message =
    `A handler of ${watched.name()} called next() twice, first${atTrace(first)}: the handlers behind it ran twice. ` +
    'Return after the first call.';
  watched.warn('RISTRETTO_NEXT_TWICE', message, place);
}

function noteResult(watched: Watched, call: Call, result: unknown): void {
  if (result instanceof Promise) {
    // those of other classes may begin their work when `then` is called
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

/** Whether a value is text or data. Short functions return what they have called: numbers, timers, streams, emitters. */
function isMeantAsBody(value: unknown): boolean {
  if (typeof value === 'string' || Array.isArray(value)) return true;
  if (typeof value !== 'object' || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}

/** Whether a value is an object of a class that has data only, such as a record of a database. */
function isRecord(value: unknown): boolean {
  if (typeof value !== 'object' || value === null || value instanceof ServerResponse) return false;
  const { on, then, unref, pipe } = value as Record<string, unknown>;
  if ([on, then, unref, pipe].some(member => typeof member === 'function')) return false;
  return Object.keys(value).length > 0;
}
