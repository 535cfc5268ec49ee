/** Routes of an application: its router, created on first use, and the methods that add to it. */
import deprecation = require('depd');
import { reportsMistakes } from '@ristretto/private-engine/lib/report';
import { readSetting } from '@ristretto/private-engine/lib/application';
import initialize = require('../middleware/init');
import query = require('../middleware/query');
import Router = require('../router/index');
import {
  checks,
  defineVerbs,
  methods,
  registerOn,
  watchHandlers,
} from '@ristretto/private-engine/lib/router';
import { socketProperty } from '@ristretto/private-engine/lib/websocket';
import type { Application, RouterInUse } from '@ristretto/private-engine/lib/types/internals';
import type { QueryParser } from '@ristretto/private-engine/lib/types/query';

const deprecate = deprecation('express');

/** Creates the application's router with its first two layers, unless it already has one. */
export function lazyrouter(this: Application): void {
  if (this._router) return;
  const router = new Router({
    caseSensitive: this.enabled('case sensitive routing'),
    strict: this.enabled('strict routing'),
  });
  this._router = router;
  if (reportsMistakes()) {
    watchHandlers();
    checks().noteOwner(router, this.settings);
  }
  router.use(query(this.settings['query parser fn'] as QueryParser | undefined));
  router.use(initialize.init(this));
}

/** Returns the application's router, which a tool may have created by replacing `lazyrouter`. */
function routerOf(app: Application): RouterInUse {
  app.lazyrouter();
  return app._router!;
}

/** Creates a route: one path, to which handlers for its methods are then added. */
export function route(this: Application, path: unknown): unknown {
  return routerOf(this).route(path);
}

/** Registers a callback for a path parameter. It runs once per request and value, before the handlers. */
export function param(this: Application, name: unknown, callback: unknown): Application {
  const router = routerOf(this);
  if (Array.isArray(name)) {
    // The router checks what programs in JavaScript pass.
    for (const one of name) this.param(one as string, callback as never);
    return this;
  }
  router.param(name, callback);
  return this;
}

/**
 * Removes middleware, mounts or routes for all later requests. In-flight requests still pass through what was
 * registered when they arrived.
 */
export function remove(this: Application, what: unknown): number {
  return routerOf(this).remove(what);
}

/** Registers handlers for every HTTP method. @example app.all('/admin/*', authenticate) */
export function all(this: Application, path: string, ...handlers: unknown[]): Application {
  const made = routerOf(this).route(path);
  for (const method of methods) registerOn(made, method, handlers);
  return this;
}

/** Registers a route for WebSockets. @example app.ws('/rooms/:room', authenticate, (socket, req) => { … }) */
export const ws = socketProperty(routerOf);

/** The functions `app.get`, `app.post`, … by method. */
export const verbs: Record<string, (this: Application, path: string, ...handlers: unknown[]) => unknown> = {};
defineVerbs(
  verbs,
  method =>
    function (this: Application, path: string, ...handlers: unknown[]): unknown {
      if (method === 'get' && arguments.length === 1) return readSetting(this, path);
      registerOn(routerOf(this).route(path), method, handlers);
      return this;
    },
);

/** The alias of `app.delete` from the time when reserved words could not be property names. */
export const del = deprecate.function(
  verbs.delete as (...args: unknown[]) => unknown,
  'app.del: Use app.delete instead',
);
