/** Routes of an application: its router, and the methods that add to it. */
import { reportsMistakes } from '@ristretto/private-engine/lib/report';
import {
  checks,
  defineVerbs,
  methods,
  registerOn,
  watchHandlers,
} from '@ristretto/private-engine/lib/router';
import { socketProperty } from '@ristretto/private-engine/lib/websocket';
import { readSetting } from '@ristretto/private-engine/lib/application';
import Router = require('../routing/index');
import type * as base from '@ristretto/private-engine/lib/types/internals';
import type * as core from '../types/core';

/** The application with its internal members. */
export interface Application extends Omit<core.Application, 'param' | 'request' | 'route' | 'router'> {
  cache: base.Application['cache'];
  engines: base.Application['engines'];
  request: object;
  settings: base.SettingsTable;
  param(name: unknown, fn: unknown): Application;
  route(path: unknown): unknown;
  router: InstanceType<typeof Router>;
}

/** Returns the same application with the type that the engine's functions expect: the members they use are the same. */
export function asBase(app: object): base.Application {
  return app as base.Application;
}

/**
 * Defines `app.router`, which is created when first read, with the application's settings at that time. It cannot be
 * assigned.
 */
export function defineRouter(app: Application): void {
  let router: Application['router'] | undefined;
  Object.defineProperty(app, 'router', {
    configurable: true,
    enumerable: true,
    get: function getrouter() {
      router ??= makeRouter(app);
      return router;
    },
  });
}

function makeRouter(app: Application): Application['router'] {
  const router = new Router({
    caseSensitive: app.enabled('case sensitive routing'),
    strict: app.enabled('strict routing'),
  });
  if (reportsMistakes()) {
    watchHandlers();
    checks().noteOwner(router, app.settings);
  }
  return router;
}

/** Creates a route: one path, to which handlers for its methods are then added. */
export function route(this: Application, path: unknown): unknown {
  return this.router.route(path);
}

/** Registers a callback for a path parameter, or for several. */
export function param(this: Application, name: unknown, fn: unknown): Application {
  if (Array.isArray(name)) for (const one of name) this.param(one, fn);
  else this.router.param(name, fn);
  return this;
}

/** Removes middleware, mounts or routes for all later requests. */
export function remove(this: Application, what: unknown): number {
  return this.router.remove(what);
}

/** Registers handlers for every HTTP method. */
export function all(this: Application, path: unknown): Application {
  // eslint-disable-next-line prefer-rest-params -- the function's length is part of the interface
  const handlers: unknown[] = Array.prototype.slice.call(arguments, 1);
  const made = this.route(path);
  for (const method of methods) registerOn(made, method, handlers);
  return this;
}

/** Registers a route for WebSockets. */
export const ws = socketProperty((app: Application) => app.router);

/** The functions `app.get`, `app.post`, … by method. */
export const verbs: Record<string, (this: Application, path: unknown) => unknown> = {};
defineVerbs(
  verbs,
  method =>
    function (this: Application, path: unknown): unknown {
      if (method === 'get' && arguments.length === 1) return readSetting(asBase(this), path as string);
      // eslint-disable-next-line prefer-rest-params -- the function's length is part of the interface
      const handlers: unknown[] = Array.prototype.slice.call(arguments, 1);
      registerOn(this.route(path), method, handlers);
      return this;
    },
);
