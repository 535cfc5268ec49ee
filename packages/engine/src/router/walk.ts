/**
 * Walks through a router's stack: matching, `next`, errors, parameters, mounting, automatic OPTIONS responses.
 *
 * This is the hot path: each walk, one per request and nested router, creates one object and one closure (`next`), and
 * reads no settings. What can be replaced (`stack`, `layer.handle`, `handle_request`) is looked up when it is used;
 * members of the router itself (`mergeParams`, `process_params`) are read once per walk.
 */
import { setImmediate } from 'node:timers';
import { cutTarget, pathnameOf, protohostLength } from '../protocol/url';
import type { Next } from '../types/next';
import type { Match } from '../version';
import type { StackLayer } from './stack-layer';
import type Route = require('./route');
import { hideWalk, leave } from './matched-path';
import type { MatchedRequest, WalkPosition } from './matched-path';
import { NO_PARAMS, NoParams, mergeParams } from './params';
import type { CalledParams, Params } from './params';
import { allow } from './options-response';
import { defineParsedUrl } from './parsed-url';
import { isPromise } from '../realms';
import { forwardRejection, takePassedUpPromise, recordError } from './rejection';
import type { Run } from './rejection';
import type { Positions, RouteIndex } from './route-index';
import type { RouterState } from './router-state';
import { STATE, WALK } from './symbols';
import { updateCallLimit, tracer } from './observers';
import { isForSockets, upgradeOf } from './upgrade';
import type { DispatchedRequest, DispatchingRouter } from './dispatch-types';

/** How many layers may call each other before yielding, to avoid overflowing the call stack. */
const MAX_DEPTH = 100;
const SLASH = 0x2f;

/**
 * Walks the router's stack for a request.
 * @param router the router with the stack
 * @param plainParams the `process_params` that may be skipped if no parameter has a callback
 * @param out called at the end of the stack, with the pending error if there is one
 */
export function dispatch(
  router: DispatchingRouter,
  plainParams: unknown,
  req: DispatchedRequest,
  res: object,
  out: Next,
): void {
  router[STATE].dialect.print?.('dispatching %s %s', req.method, req.url);
  if (typeof req.url !== 'string') {
    // A request without a URL was created by hand: there is nothing to match
    req.originalUrl ??= req.url;
    out();
    return;
  }
  updateCallLimit();
  const walk = new Walk(router, plainParams, req, res, out);
  // Stored in a variable first: Node expects a function that is written directly into a property to live long, and
  // keeps it, the request and its body until the next full garbage collection
  const next = function next(err?: unknown): void {
    walk.advance(err);
  };
  walk.start(next);
}

function finish(walk: Walk, err: unknown): void {
  walk.done(err);
}

/** The walk of one request through one router's stack. */
class Walk implements Run, WalkPosition {
  next!: Next;
  steps = 0;
  errors: unknown[] | undefined = undefined;
  readonly parent: MatchedRequest[typeof WALK];
  current: StackLayer | undefined = undefined;
  /** The path of `url`; cached until the URL changes. */
  path: string | undefined = undefined;

  private readonly state: RouterState;
  private readonly mergeParams: boolean | undefined;
  /** Whether `process_params` can be skipped if no parameter has a callback. */
  private readonly hasPlainParams: boolean;
  private readonly stack: StackLayer[];
  private readonly parentParams: Params | undefined;
  private readonly parentBaseUrl: string | undefined;
  private readonly parentNext: Next | undefined;
  /** Scheme and authority of a target in absolute form, otherwise empty. */
  private readonly host: string;
  /** The methods for an automatic response to OPTIONS. */
  private readonly allowed: string[] | undefined;
  /** The position in the stack at which the walk continues. */
  private at = 0;
  private depth = 0;
  /** The mount path that was removed from the URL for the current layer. */
  private removed = '';
  private slashAdded = false;
  /** The URL after stripping, if `url` can be restored unchanged. */
  private strippedUrl: string | undefined = undefined;
  private called: CalledParams | undefined = undefined;
  private url = '';
  private index: RouteIndex | undefined;
  private candidates: Positions | undefined = undefined;
  private candidateAt = 0;

  constructor(
    readonly router: DispatchingRouter,
    plainParams: unknown,
    readonly req: DispatchedRequest,
    readonly res: object,
    private readonly out: Next,
  ) {
    this.state = router[STATE];
    this.mergeParams = router.mergeParams;
    this.hasPlainParams = router.process_params === plainParams;
    this.stack = this.state.stack;
    this.parentParams = req.params;
    this.parentBaseUrl = req.baseUrl;
    this.parent = req[WALK];
    this.parentNext = req.next;
    this.host = req.url.charCodeAt(0) === SLASH ? '' : req.url.slice(0, protohostLength(req.url));
    this.allowed = req.method === 'OPTIONS' ? [] : undefined;
    this.index = this.state.currentIndex();
  }

  /** Sets `req.next`, which advances the walk, and starts. */
  start(next: Next): void {
    const { req } = this;
    this.next = next;
    req.next = next;
    req.baseUrl = this.parentBaseUrl ?? '';
    req.originalUrl ??= req.url;
    if (!('_parsedUrl' in req)) {
      // Passed directly to a router, without an application
      defineParsedUrl(req);
      hideWalk(req);
    }
    req[WALK] = this;
    this.advance(undefined);
  }

  /** Continues with the next layer that matches, or ends the walk. */
  advance(err: unknown): void {
    const { req } = this;
    this.steps++;
    if (err) recordError(this, err);
    if (this.removed !== '') this.restoreUrl();
    // Most calls have no error: comparing undefined with a text takes V8 longer than checking whether there is one
    const error = err && this.withoutSignal(err);
    if (this.at >= this.stack.length || (err && err === 'router')) {
      // Waits until the running handlers have returned. A closure here would make every call allocate a context
      setImmediate(finish, this, error);
      return;
    }
    if (++this.depth > MAX_DEPTH) {
      setImmediate(this.next, err);
      return;
    }
    if (req.url !== this.url) {
      this.url = req.url;
      // A program may have assigned anything: then nothing matches, as in Express
      this.path = typeof req.url === 'string' ? pathnameOf(req.url) : undefined;
      this.candidates = undefined;
    }
    if (this.path == null) this.done(error);
    else this.walkOn(this.path, error);
  }

  /** Returns what a walk passes on: an error, and for a signal undefined if `'route'` left a route, otherwise null. */
  private withoutSignal(err: unknown): unknown {
    if (err !== 'route' && err !== 'router') return err;
    return err === 'route' && this.current?.route !== undefined ? undefined : null;
  }

  private walkOn(path: string, pending: unknown): void {
    const { req } = this;
    let error = pending;
    for (let layer = this.following(path); layer !== undefined; layer = this.following(path)) {
      // Middleware without a path, the most frequent layers: the steps below take twice the time of these
      if (!error && this.hasPlainParams && this.state.dialect.matchesAll(layer)) {
        this.current = layer;
        req.params = this.mergeParams ? mergeParams(NO_PARAMS, this.parentParams) : new NoParams();
        this.call(layer, undefined, undefined, '', path);
        this.depth = 0;
        return;
      }
      let match: Match | undefined;
      try {
        match = this.state.dialect.matchOf(layer, path);
      } catch (matchError) {
        // An error that follows another one is dropped
        if (error) continue;
        this.current = layer;
        tracer()?.markErrorReported(req, matchError);
        error = matchError;
      }
      if (match === undefined) continue;
      const route = layer.route as Route | undefined;
      if (route !== undefined && (error || !this.entersRoute(route))) continue;
      if (!error) this.current = layer;
      // Handlers may change the object, so it must not be the shared one
      const params = match.params === NO_PARAMS ? new NoParams() : match.params!;
      req.params = this.mergeParams ? mergeParams(params, this.parentParams) : params;
      // A tool that has replaced `process_params` expects it to be called for each layer
      if (
        !this.hasPlainParams ||
        (match.params !== NO_PARAMS && this.state.dialect.hasParamCallbacks(this.router, match))
      ) {
        this.callWithParams(layer, match, route, error, path);
      } else {
        this.call(layer, route, error, match.path!, path);
      }
      this.depth = 0;
      return;
    }
    this.done(error);
  }

  /** Whether a route whose path matches has a handler for the method. */
  private entersRoute(route: Route): boolean {
    const { req } = this;
    if (!this.state.dialect.handlesMethod(route, req.method)) {
      if (isForSockets(route)) {
        if (upgradeOf(req) === undefined) return false;
        req.route = route;
        return true;
      }
      if (this.allowed !== undefined && req.method === 'OPTIONS')
        allow(this.allowed, this.state.dialect.methodsOf(route));
      // A HEAD request enters the route anyway, so that its parameters are processed
      if (req.method !== 'HEAD') return false;
    }
    req.route = route;
    return true;
  }

  /** Returns the next layer of the stack that can match, or undefined at the end. */
  private following(path: string): StackLayer | undefined {
    const { at, index, stack } = this;
    if (index !== undefined) {
      const position = this.nextCandidate(index, path);
      const after = position < stack.length ? position + 1 : position;
      if (position >= 0 && this.state.confirms(index, stack, at, after)) {
        this.at = after;
        return stack[position];
      }
      this.index = undefined;
    }
    return at < stack.length ? stack[this.at++] : undefined;
  }

  /** Position of the next candidate: the stack's length if there is none, -1 if the index cannot tell. */
  private nextCandidate(index: RouteIndex, path: string): number {
    if (this.candidates === undefined) {
      this.candidates = index.lookup(path);
      this.candidateAt = 0;
      if (this.candidates === undefined) return -1;
    }
    const { candidates } = this;
    while (this.candidateAt < candidates.length) {
      const position = candidates[this.candidateAt++]!;
      if (position >= this.at) return position;
    }
    return this.stack.length;
  }

  /** Runs the parameter callbacks and then the layer. */
  private callWithParams(
    layer: StackLayer,
    match: Match,
    route: Route | undefined,
    error: unknown,
    path: string,
  ): void {
    // When the layer is called, it may already have matched another request's path
    const layerPath = match.path!;
    this.called ??= Object.create(null) as CalledParams;
    this.state.dialect.processParams(this, layer, match, this.called, paramError => {
      if (paramError) this.next(error || paramError);
      else this.call(layer, route, error, layerPath, path);
    });
  }

  private call(
    layer: StackLayer,
    route: Route | undefined,
    error: unknown,
    layerPath: string,
    path: string,
  ): void {
    if (route === undefined && layerPath !== '' && !this.strip(layerPath, path)) {
      this.next(error);
      return;
    }
    const { steps } = this;
    const { dialect } = this.state;
    if (dialect.print !== undefined && route === undefined)
      dialect.print('%s %s : %s', layer.name, layerPath, this.req.originalUrl);
    const result =
      error && route === undefined
        ? dialect.callWithError(this, layer, error)
        : dialect.callWithRequest(this, layer);
    const promise = result !== undefined && isPromise(result) ? result : takePassedUpPromise(this.next);
    if (promise !== undefined) forwardRejection(promise, this, steps, this.next);
  }

  /** Removes the mount path from the URL; returns false if it does not end at a segment boundary. */
  private strip(layerPath: string, path: string): boolean {
    if (!path.startsWith(layerPath)) return false;
    if (path.length > layerPath.length) {
      if (!this.state.dialect.mayFollowMount(path.charCodeAt(layerPath.length))) return false;
    }
    const { req, host } = this;
    const { url } = req;
    this.state.dialect.print?.('trim prefix (%s) from url %s', layerPath, url);
    this.removed = layerPath;
    if (host === '') {
      req.url = cutTarget(url, layerPath.length);
      this.slashAdded = req.url.length > url.length - layerPath.length;
    } else {
      req.url = host + url.slice(host.length + layerPath.length);
    }
    // A parameter callback may have set another URL, which need not start with the layer's path
    this.strippedUrl = url === this.url ? req.url : undefined;
    const endsInSlash = layerPath.charCodeAt(layerPath.length - 1) === SLASH;
    req.baseUrl = (this.parentBaseUrl ?? '') + (endsInSlash ? layerPath.slice(0, -1) : layerPath);
    return true;
  }

  /** Restores the prefix that `strip` removed, in front of the URL that the layer may have changed. */
  private restoreUrl(): void {
    const { req, host } = this;
    if (this.strippedUrl !== undefined && req.url === this.strippedUrl) {
      req.url = this.url;
    } else if (typeof req.url === 'string') {
      // Anything else that a program has assigned stays, and matches nothing
      const url = this.slashAdded ? this.state.dialect.withoutAddedSlash(req.url, this.removed) : req.url;
      req.url = host + this.removed + url.slice(host.length);
    }
    req.baseUrl = this.parentBaseUrl ?? '';
    this.removed = '';
    this.slashAdded = false;
  }

  /** Restores the parent's state and returns control to it. */
  done(err: unknown): void {
    const { req, allowed } = this;
    req.baseUrl = this.parentBaseUrl;
    req.next = this.parentNext;
    req.params = this.parentParams;
    req[WALK] = err ? leave(this, req) : this.parent;
    if (allowed === undefined || err || allowed.length === 0) this.out(err);
    else this.state.dialect.sendOptions(this.res, allowed, this.out);
  }
}
