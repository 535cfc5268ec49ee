/**
 * The walk through a router's stack: matching, `next`, errors, parameters, mounting, automatic OPTIONS.
 *
 * Runs on every request: one closure (`next`) and no other for the usual request, no spread, no settings; everything
 * that can be replaced (`stack`, `layer.handle`, `handle_request`, `process_params`) is looked up when it is used.
 */
import { pathnameOf, protohostLength } from '../protocol/url';
import type Layer = require('./layer');
import type Route = require('./route');
import { mergeParams } from './params';
import type { CalledParams, Params, ParamsRouter } from './params';
import { sendOptions } from './options-response';
import type { OptionsResponse } from './options-response';
import { forwardRejection, isThenable } from './rejection';
import type { Run } from './rejection';
import type { Candidates, RouteIndex } from './route-index';
import type { RouterState } from './router-state';
import { STATE } from './symbols';

export type Next = (err?: unknown) => void;

/** What the walk needs of a request. */
export interface DispatchedRequest {
  method: string;
  url: string;
  originalUrl?: string;
  baseUrl?: string;
  params?: Params;
  next?: Next | undefined;
  route?: unknown;
}

/** What the walk needs of a router. */
export interface DispatchingRouter extends ParamsRouter {
  [STATE]: RouterState;
  mergeParams?: boolean | undefined;
  process_params(layer: Layer, called: CalledParams, req: unknown, res: unknown, done: Next): unknown;
}

/** How many layers may call each other before the stack is given a rest. */
const MAX_DEPTH = 100;
const DOT = 0x2e;
const SLASH = 0x2f;

/**
 * Walks the router's stack for a request.
 * @param router whose stack it is
 * @param plainParams the `process_params` that need not be called where no parameter has a callback
 * @param out is called when the stack is at its end, with the pending error if there is one
 */
export function dispatch(
  router: DispatchingRouter,
  plainParams: unknown,
  req: DispatchedRequest,
  res: OptionsResponse,
  out: Next,
): void {
  const state = router[STATE];
  const stack = state.stack;
  const parentParams = req.params;
  const parentBaseUrl = req.baseUrl;
  const parentNext = req.next;
  const parentUrl = parentBaseUrl ?? '';
  const hostLength = protohostLength(req.url);
  const run: Run = { steps: 0, lastError: undefined };
  const allowed: string[] | undefined = req.method === 'OPTIONS' ? [] : undefined;

  let at = 0;
  let depth = 0;
  let removed = '';
  let slashAdded = false;
  let called: CalledParams | undefined;
  let index: RouteIndex | undefined = state.currentIndex();
  let indexedPath: string | undefined;
  let candidates: Candidates | undefined;

  req.next = next;
  req.baseUrl = parentUrl;
  req.originalUrl ??= req.url;
  next();

  function next(err?: unknown): void {
    run.steps++;
    run.lastError = err;
    let error = err === 'route' ? null : err;

    if (slashAdded) {
      req.url = req.url.slice(1);
      slashAdded = false;
    }
    if (removed.length !== 0) {
      req.baseUrl = parentUrl;
      req.url = hostLength === 0 ? removed + req.url : req.url.slice(0, hostLength) + removed + req.url.slice(hostLength);
      removed = '';
    }
    if (error === 'router') {
      setImmediate(done, null);
      return;
    }
    if (at >= stack.length) {
      setImmediate(done, error);
      return;
    }
    if (++depth > MAX_DEPTH) {
      setImmediate(next, err);
      return;
    }
    const path = pathnameOf(req.url);
    if (path == null) {
      done(error);
      return;
    }

    for (let layer = following(path); layer !== undefined; layer = following(path)) {
      let matched: boolean;
      try {
        matched = layer.match(path);
      } catch (matchError) {
        error = error || matchError;
        continue;
      }
      if (!matched) continue;
      const route = layer.route as Route | undefined;
      if (route !== undefined) {
        // a pending error passes by all routes
        if (error) continue;
        if (!route._handles_method(req.method)) {
          if (allowed !== undefined) allow(allowed, route);
          // a HEAD request enters the route all the same: its parameters are processed
          if (req.method !== 'HEAD') continue;
        }
        req.route = route;
      }
      req.params = router.mergeParams ? mergeParams(layer.params, parentParams) : layer.params;
      enter(layer, route, error, layer.path as string, path);
      depth = 0;
      return;
    }
    done(error);
  }

  /** The next layer of the stack that can match, or undefined at its end. */
  function following(path: string): Layer | undefined {
    if (index !== undefined && (path !== indexedPath || !state.isCurrent(index, stack))) {
      indexedPath = path;
      candidates = state.isCurrent(index, stack) ? index.lookup(path) : undefined;
      if (candidates === undefined) index = undefined;
    }
    if (index === undefined) return at < stack.length ? stack[at++] : undefined;
    const found = index.nextFrom(candidates as Candidates, at);
    if (found < 0) return undefined;
    at = found + 1;
    return stack[found];
  }

  /** Runs the parameter callbacks, if any, and then the layer. */
  function enter(layer: Layer, route: Route | undefined, error: unknown, layerPath: string, path: string): void {
    if (router.process_params === plainParams && !hasCallbacks(router, layer)) {
      call(layer, route, error, layerPath, path);
      return;
    }
    called ??= {};
    router.process_params(layer, called, req, res, paramError => {
      if (paramError) next(error || paramError);
      else call(layer, route, error, layerPath, path);
    });
  }

  function call(layer: Layer, route: Route | undefined, error: unknown, layerPath: string, path: string): void {
    if (route === undefined && layerPath.length !== 0 && !strip(layerPath, path)) {
      next(error);
      return;
    }
    const { steps } = run;
    const result =
      error && route === undefined
        ? layer.handle_error(error, req, res, next)
        : layer.handle_request(req, res, next);
    if (isThenable(result)) forwardRejection(result, run, steps, next);
  }

  /** Takes the mount path off the URL; false where it does not end at a segment's end. */
  function strip(layerPath: string, path: string): boolean {
    if (!path.startsWith(layerPath)) return false;
    // a dot can follow only what a regular expression has matched: strings end at a segment's end
    if (path.length > layerPath.length) {
      const code = path.charCodeAt(layerPath.length);
      if (code !== SLASH && code !== DOT) return false;
    }
    removed = layerPath;
    const { url } = req;
    if (hostLength === 0) {
      const rest = url.slice(layerPath.length);
      if (rest.charCodeAt(0) === SLASH) {
        req.url = rest;
      } else {
        req.url = '/' + rest;
        slashAdded = true;
      }
    } else {
      req.url = url.slice(0, hostLength) + url.slice(hostLength + layerPath.length);
    }
    const base = layerPath.charCodeAt(layerPath.length - 1) === SLASH ? layerPath.slice(0, -1) : layerPath;
    req.baseUrl = parentUrl + base;
    return true;
  }

  /** Gives the parent its own state back and control with it. */
  function done(err?: unknown): void {
    req.baseUrl = parentBaseUrl;
    req.next = parentNext;
    req.params = parentParams;
    if (allowed === undefined || err || allowed.length === 0) out(err);
    else sendOptions(res, allowed, out);
  }
}

function allow(allowed: string[], route: Route): void {
  for (const method of route._options()) {
    if (!allowed.includes(method)) allowed.push(method);
  }
}

/** Whether any parameter of the layer has a callback on this router. */
function hasCallbacks(router: DispatchingRouter, layer: Layer): boolean {
  const { keys } = layer;
  if (keys === undefined || keys.length === 0) return false;
  for (let i = 0; i < keys.length; i++) {
    if (router.params[(keys[i] as Layer['keys'][number]).name] !== undefined) return true;
  }
  return false;
}
