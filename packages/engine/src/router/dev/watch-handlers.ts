/**
 * Watches each call of a handler in development, to warn about handlers that call `next` twice, or that neither respond
 * nor call it. In production it is not loaded, and in a process with several applications it ignores those that are
 * not in development.
 */
import { types } from 'node:util';
import { ServerResponse } from 'node:http';
import { reportsMistakes } from '../../report/development';
import { usesBody } from '../../dev/handler-source';
import { parserFor } from '../../dev/parser-for';
import { ownerOf } from '../../dev/path-syntax';
import { enter, noteReturned } from '../../dev/pending';
import { runHandler } from '../../dev/background';
import { captureStack, isInstalled, placeOf } from '../../dev/place';
import type { Place, CapturedStack } from '../../dev/place';
import { warnOfNext, watchResponse } from '../../dev/first-response';
import { at, atStack, Watched } from '../../dev/watched';
import type { Call, Failure, WatchedRequest } from '../../dev/watched';
import { hasContent, wasRead } from '../../protocol/request-body';
import { shown } from '../../shown';
import { versionOf } from '../../version';
import type { Version } from '../../version';
import type { Next } from '../../types/next';
import { checkMissing } from './check-missing';
import { upgradeOf } from '../upgrade';
import { routeName, walksOf } from '../matched-path';
import type { MatchedRequest } from '../matched-path';
import { registrationOf } from '../registrations';
import { STATE } from '../symbols';
import { writtenPaths } from '../written-path';
import type { StackLayer } from '../stack-layer';

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
  route?: { stack?: WatchedLayer[] } | undefined;
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
  const watched = new Watched(req as WatchedRequest, res as ServerResponse, () => routeName(req));
  requests.set(req, watched);
  watched.onSent = () => {
    if (watched.res.statusCode === 404) checkNotFound(watched);
  };
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
  if (isBodyRead(watched)) watchPipe(watched);
  if (isLastOfRoute(layer, request)) checkBody(watched, call, fn);
  if (layer.method !== undefined && upgradeOf(request) !== undefined)
    warnOfHandshake(watched, call, layer.method);
  const own = watchNext(watched, call, next);
  // Middleware gets the same function as `req.next`, as in Express; `res.format` and `res.sendFile` call it too
  if (request.next === next) request.next = own;
  let result: unknown;
  try {
    result = runHandler(watched, call, () => fn(req, res, own));
  } catch (thrown) {
    watched.failure = {
      error: thrown,
      how: 'thrown',
      trace: undefined,
      isLate: watched.res.headersSent,
      call,
    };
    if (!thrown) warnOfNothing(watched, call, thrown);
    throw thrown;
  }
  if (result !== undefined && result !== res) noteResult(watched, call, result);
  return result;
}

/** Whether no handler of the request's route follows. Those before the last may be parsers, whose code names the body, too. */
function isLastOfRoute(layer: WatchedLayer, { route }: RoutedRequest): boolean {
  const stack = route?.stack ?? [];
  const { method } = layer;
  return method !== undefined && stack.findLast(each => each.method === method) === layer;
}

/** Warns of a body that no parser has read before a handler that uses it. */
function checkBody(watched: Watched, call: Call, fn: Callable): void {
  const { req } = watched;
  const { headers, body, _body } = req;
  if (!hasContent(headers) || _body === true || !isNothing(body, req)) return;
  const isRead = wasRead(req);
  // The code that read the stream may have stored the body elsewhere
  if (isRead && body !== undefined) return;
  if (!usesBody(fn)) return;
  const type = headers['content-type'];
  const given = typeof type === 'string' ? `of type '${type.slice(0, 100)}'` : 'without a Content-Type';
  const advice = isRead
    ? 'Something else has already read the stream: register the parser before it.'
    : `${parserFor(type)} If the client meant JSON, it has to send Content-Type: application/json.`;
  const message = `${watched.name()} got a body ${given}, which no parser has read: req.body is ${shown(body)}. ${advice}`;
  watched.warn('RISTRETTO_UNPARSED_BODY', message, call.place());
}

function isBodyRead({ req }: Watched): boolean {
  return req._body === true || (wasRead(req) && req.body !== undefined);
}

/** Records that the request is piped, although its body has been read: the receiver gets nothing. */
function watchPipe(watched: Watched): void {
  const { req } = watched;
  if (Object.hasOwn(req, 'pipe')) return;
  const value = function pipe(this: { pipe: Callable }, ...args: unknown[]): unknown {
    watched.pipedBy = captureStack();
    Reflect.deleteProperty(req, 'pipe');
    return this.pipe(...args);
  };
  Object.defineProperty(req, 'pipe', { value, configurable: true, writable: true });
}

/** Parsers that return bytes or text, so that they cannot run after others. */
const OF_BYTES: Record<string, string> = { rawParser: 'its bytes', textParser: 'its text' };

/**
 * Warns of a parser for bytes or text that finds the body parsed. Checks only routes and mounts: a parser for all
 * requests, or in the same route, is intended for the types that other parsers skip.
 * @param wants whether the parser is for the type of the body
 */
export function noteParsed(req: object, wants: () => boolean): void {
  const watched = requests.get(req);
  if (watched?.call === undefined) return;
  const { body, route, baseUrl } = watched.req;
  const expected = OF_BYTES[watched.call.name];
  if (expected === undefined || (route === undefined && baseUrl === '')) return;
  const { stack = [] } = (route ?? {}) as { stack?: { name: string }[] };
  if (stack.some(({ name }) => name.endsWith('Parser') && OF_BYTES[name] === undefined)) return;
  if (typeof body !== 'object' || body === null || types.isUint8Array(body) || !wants()) return;
  const message =
    `An earlier parser has read the body of ${watched.name()}, so that req.body is ${shown(body)} and not ${expected}. ` +
    'Register the route before that parser, or keep the bytes: json({ raw: true }).';
  watched.warn('RISTRETTO_PARSED_BODY', message, watched.call.place());
}

/** Warns of a WebSocket handshake that a route for other requests responds to. */
function warnOfHandshake(watched: Watched, call: Call, method: string): void {
  const message =
    `The handshake of a WebSocket reached .${method}() of ${watched.name()}, whose response refuses it. Register the path ` +
    'with .ws() before it, or correct the path of the client.';
  watched.warn('RISTRETTO_NO_SOCKET', message, call.place());
}

/** Whether no parser has read a body: it is undefined, or the empty object that parsers of 3.x and 4.x set for other types. */
function isNothing(body: unknown, req: object): boolean {
  if (body === undefined) return true;
  // A request that no application has adopted has no version
  if ((versionOf(req) as Version | undefined)?.bodies.marksRead !== true) return false;
  return typeof body === 'object' && body !== null && Object.keys(body).length === 0;
}

/** Warns of `throw null`, which the router takes for `next()`, as Express does. */
function warnOfNothing(watched: Watched, call: Call, thrown: unknown): void {
  const message =
    `A handler of ${watched.name()} threw ${shown(thrown)}, which counts as no error: the request goes on to the next ` +
    'handler. Throw an Error.';
  watched.warn('RISTRETTO_THROWN_NOTHING', message, call.place());
}

/** How a handler failed, and which failure that hides. */
export interface Origin {
  readonly how: Failure['how'];
  /** The action of the program at the place. */
  readonly what: string;
  readonly place: Place | undefined;
  /** Whether the response had been sent. */
  readonly isLate: boolean;
  /** The error that an error handler was handling meanwhile, if it failed itself. */
  readonly handled: { readonly error: unknown } | undefined;
}

/** Returns where an error of a request came from; undefined if the handlers of the request are not watched. */
export function originOf(req: unknown, error: unknown): Origin | undefined {
  const watched = typeof req === 'object' && req !== null ? requests.get(req) : undefined;
  if (watched === undefined) return undefined;
  const { failure, handled } = watched;
  const last = handled.at(-1);
  const hides =
    handled.length > 0 && last !== error && !isCausedBy(error, last) ? { error: last } : undefined;
  // A rejection without a reason is replaced by an error
  const isSame = failure?.error === error || (failure?.how === 'rejected' && !failure.error);
  if (failure === undefined || !isSame) {
    const place = watched.call?.place();
    return { how: 'thrown', what: 'handler registered', place, isLate: false, handled: hides };
  }
  const { how, isLate, call } = failure;
  const passedAt = failure.trace && placeOf(failure.trace);
  if (passedAt !== undefined && !isInstalled(passedAt)) {
    return { how, what: 'passed to next()', place: passedAt, isLate, handled: hides };
  }
  return { how, what: 'handler registered', place: call.place(), isLate, handled: hides };
}

function isCausedBy(error: unknown, cause: unknown): boolean {
  return typeof error === 'object' && error !== null && (error as { cause?: unknown }).cause === cause;
}

/**
 * Restores the router's `next` of the request: an earlier handler's `next` would attribute calls to that handler.
 */
function restoreNext(req: RoutedRequest): void {
  const { next } = req;
  const original = next && wrapped.get(next);
  if (original !== undefined) req.next = original;
}

/** Records that an error has reached a layer's error handler. */
export function noteErrorHandler(layer: WatchedLayer, error: unknown, req: unknown): void {
  restoreNext(req as RoutedRequest);
  const watched = requests.get(req as object);
  if (watched === undefined) return;
  enter(watched, callOf(layer));
  if (!watched.handled.includes(error)) watched.handled.push(error);
}

/** Records that a request has reached the callbacks of a parameter. */
export function noteParam(layer: WatchedLayer, req: unknown, name: string | number): void {
  restoreNext(req as RoutedRequest);
  const watched = requests.get(req as object);
  if (watched === undefined) return;
  const { place } = callOf((layer.route as { stack: WatchedLayer[] } | undefined)?.stack[0] ?? layer);
  enter(watched, { name: String(name), what: `a callback of param('${name}') for the path`, place });
}

/** Records that no handler was left for a request. */
export function noteEnd(req: unknown, res: unknown): void {
  const watched = watchedOf(req as RoutedRequest, res);
  if (watched === undefined) return;
  warnOfNext(watched);
  checkNotFound(watched);
}

/** Explains a 404 of the framework or of the program's own handler. */
function checkNotFound(watched: Watched): void {
  const { app, route } = watched.req;
  if (typeof app === 'function' && route === undefined) checkMissing(watched, app);
}

/** Whether a function is a router or an application, or wraps one: then their handlers are watched instead. */
function isRouter(fn: Callable & { handle?: unknown }): boolean {
  return typeof fn.handle === 'function' || fn.name === 'mounted_app';
}

function callOf(layer: WatchedLayer): Call {
  return { name: layer.name, what: `the handler '${layer.name}'`, place: () => registrationOf(layer) };
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
  let first: CapturedStack | undefined;
  const own = function next(err?: unknown): void {
    const trace = captureStack(err ? undefined : FRAMES_OF_NEXT);
    if (err && err !== 'route' && err !== 'router') {
      watched.failure = { error: err, how: 'passed to next()', trace, isLate: watched.res.headersSent, call };
    }
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

function warnOfTwice(watched: Watched, call: Call, first: CapturedStack, second: CapturedStack): void {
  const place = placeOf(second) ?? call.place();
  if (place !== undefined && isInstalled(place)) return;
  const message =
    `A handler of ${watched.name()} called next() twice, first${atStack(first)}: the handlers after it ran twice. ` +
    'Return after the first call.';
  watched.warn('RISTRETTO_NEXT_TWICE', message, place);
}

function noteResult(watched: Watched, call: Call, result: unknown): void {
  if (types.isPromise(result)) {
    // Promises of other classes may start their work when `then` is called
    if (Object.getPrototypeOf(result) !== Promise.prototype) return;
    void Promise.prototype.then.call(
      result,
      value => {
        if (looksLikeBody(value) || isRecord(value)) noteValue(watched, call, value);
      },
      (reason: unknown) => {
        watched.failure = {
          error: reason,
          how: 'rejected',
          trace: undefined,
          isLate: watched.res.headersSent,
          call,
        };
      },
    );
  } else if (typeof result === 'function') {
    if (result.length > 1) warnOfFunction(watched, call);
  } else if (looksLikeBody(result)) {
    noteValue(watched, call, result);
  }
}

/** Warns of a handler that returned a function: it is a factory, which should have been called. */
function warnOfFunction(watched: Watched, call: Call): void {
  if (watched.res.headersSent || watched.hasPassedOn) return;
  const name = call.name === '<anonymous>' ? 'f' : call.name;
  const message =
    `The handler '${call.name}' of ${watched.name()} returned a function, and neither responded nor called next(). It ` +
    `creates middleware, so call it: pass ${name}() in place of ${name}.`;
  watched.warn('RISTRETTO_NOT_CALLED', message, call.place());
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
function looksLikeBody(value: unknown): boolean {
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
