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
import { asBase } from './internals';
import type { Application } from './internals';

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

/**
 * Creates a route: one path, to which handlers for its methods are then added.
 * @param path a path, a regular expression or an array of these
 * @throws PathError if a path cannot be parsed
 * @example app.route('/books').get(list).post(create);
 */
export function route(this: Application, path: unknown): unknown {
  return this.router.route(path);
}

/**
 * Registers a callback for a path parameter. It runs once per request and value, before the handlers.
 * @param name the parameter's name, or an array of names
 * @param fn `(req, res, next, value, name)`
 * @returns the application, for chaining
 * @throws TypeError if a name is not a string, or `fn` is not a function
 * @example app.param('user', (req, res, next, id) => { … next(); });
 */
export function param(this: Application, name: unknown, fn: unknown): Application {
  if (Array.isArray(name)) for (const one of name) this.param(one, fn);
  else this.router.param(name, fn);
  return this;
}

/**
 * Removes middleware, mounts or routes for all later requests. In-flight requests still pass through what was
 * registered when they arrived.
 * @param what a function passed to `app.use`, a path as it was registered, or a route
 * @returns the number removed
 * @throws TypeError if it is none of these
 * @example app.remove(maintenance); app.remove('/users/:id');
 */
export function remove(this: Application, what: unknown): number {
  return this.router.remove(what);
}

/**
 * Registers handlers for every HTTP method.
 * @throws TypeError if there is no handler
 * @example app.all('/admin/*rest', authenticate)
 */
export function all(this: Application, path: unknown): Application {
  // eslint-disable-next-line prefer-rest-params -- the function's length is part of the interface
  const handlers: unknown[] = Array.prototype.slice.call(arguments, 1);
  const made = this.route(path);
  for (const method of methods) registerOn(made, method, handlers);
  return this;
}

/** Registers a route for WebSockets. @example app.ws('/rooms/:room', authenticate, (socket, req) => { … }) */
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
