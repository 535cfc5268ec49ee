/** The routes of an application, and the position of the router among its middleware. */
import depd = require('depd');
import { reportsMistakes } from '@ristretto/private-engine/lib/report';
import {
  checks,
  defineVerbs,
  methods,
  registerOn,
  watchHandlers,
} from '@ristretto/private-engine/lib/router';
import { readSetting } from '@ristretto/private-engine/lib/application';
import Router = require('../router/index');
import { MIDDLEWARE } from '../router/layers';
import type * as base from '@ristretto/private-engine/lib/types/internals';
import type * as core from '../types/core';
import { deprecated } from '../deprecate';

const deprecate = depd('express');

/** The type of 3.x applications, including their internal members. */
export interface Application extends core.Application {
  _router: InstanceType<typeof Router>;
  /** Whether the router is mounted among the middleware. */
  _usedRouter: boolean;
  cache: base.Application['cache'];
  engines: base.Application['engines'];
  settings: base.SettingsTable;
  init(): void;
  defaultConfiguration(): void;
  lazyrouter(): void;
}

/** Returns the same application with the type that the functions of 4.x expect: the members they use are the same. */
export function asBase(app: object): base.Application {
  return app as base.Application;
}

/** Returns the application that the engine's functions pass on, with its own type. */
export function asOwn(app: object): Application {
  return app as Application;
}

type Register = (this: Application, path: unknown, ...callbacks: unknown[]) => unknown;

/** Creates the router, unless it exists. */
export function lazyrouter(this: Application): void {
  if (this._router as unknown) return;
  this._router = new Router();
  noteRouter(this, this._router);
}

/** Records in development that a router is an application's, whose settings then decide about warnings. */
export function noteRouter(app: Application, made: object): void {
  if (!reportsMistakes()) return;
  watchHandlers();
  checks().noteOwner(made, app.settings);
}

/** `app.router`: the routes as middleware. Reading it means that the program mounts the router itself; otherwise, the first route does. */
export function router(this: Application): unknown {
  deprecate('app.router: Remove app.use(app.router); in 4.x routes run where they are added');
  return placed(this)[MIDDLEWARE];
}

/** `app.routes`: the routes by method; editing the lists edits the application. */
export function routes(this: Application): unknown {
  deprecate(
    'app.routes: Put routes that you add and remove into a 4.x web.Router(), whose stack can be edited',
  );
  return this._router.map;
}

/** Returns the router, and records that its position among the middleware is fixed from now on. */
function placed(app: Application): Application['_router'] {
  const { _router } = app;
  app._usedRouter = true;
  _router.caseSensitive = app.enabled('case sensitive routing');
  _router.strict = app.enabled('strict routing');
  return _router;
}

/** Returns the router, and mounts it with the first route unless the program has read `app.router`. */
function routerFor(app: Application): Application['_router'] {
  if (!app._usedRouter) app.use(placed(app)[MIDDLEWARE]);
  return app._router;
}

/** Registers a callback for a path parameter, or for several. */
export function param(this: Application, name: unknown, callback: unknown): Application {
  if (Array.isArray(name)) for (const one of name) this.param(one as string, callback);
  else this._router.param(name, callback);
  return this;
}

/** Registers a route for WebSockets. */
export const ws: Register = function ws(path, ...handlers) {
  registerOn(routerFor(this), 'ws', [path, ...handlers]);
  return this;
};

/** The functions `app.get`, `app.post`, … and `app.all`, by name. */
export const verbs: Record<string, Register> = {};
defineVerbs(
  verbs,
  (method): Register =>
    function (path, ...callbacks) {
      if (method === 'get' && arguments.length === 1) return readSetting(asBase(this), path as string);
      registerOn(routerFor(this), method, [path, ...callbacks]);
      return this;
    },
  [...methods, 'all'],
);

/** The older name of `app.delete`, from when `delete` could not be a property name. */
export const del = deprecated('app.del: Use app.delete instead', verbs.delete!);
