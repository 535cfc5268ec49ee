/** The prototype of 5.x applications: each member, and where it is implemented. */
import {
  disable,
  disabled,
  enable,
  enabled,
  engine,
  fetching,
  handleWith,
  inherit,
  linkMessages,
  listen,
  mountAll,
  path,
  onSend,
  render as renderView,
  set as setShared,
  setDefaults,
} from '@ristretto/private-engine/lib/application';
import { defineHidden, setField } from '@ristretto/private-engine/lib/serving';
import type {
  Application as BaseApplication,
  Request,
  Response,
} from '@ristretto/private-engine/lib/types/internals';
import type { Next } from '@ristretto/private-engine/lib/types/next';
import { mountArguments, routesProperty } from '@ristretto/private-engine/lib/router';
import { all, asBase, defineRouter, param, remove, route, verbs, ws } from './application/routing';
import type { Application } from './application/routing';
import { setQueryWritable } from './request/members';
import type * as core from './types/core';
import { version } from './version';

/** Initializes the state of a new application. */
function init(this: Application): void {
  this.cache = Object.create(null) as Application['cache'];
  this.engines = Object.create(null) as Application['engines'];
  this.settings = Object.create(null) as Application['settings'];
  this.defaultConfiguration();
}

/** Sets the default settings, and makes the application inherit from the one it is mounted on. */
function defaultConfiguration(this: Application): void {
  setDefaults(asBase(this), version);
  this.on('mount', function onmount(this: Application, parent: core.Application) {
    inherit(asBase(this), asBase(parent));
  });
  this.locals = Object.create(null) as Application['locals'];
  this.mountpath = '/';
  this.locals.settings = this.settings;
  defineRouter(this);
}

/** Attaches a request to the application, and passes it through the router. */
function enterRouter(app: BaseApplication, req: Request, res: Response, out: Next): void {
  if (app.settings['x-powered-by']) setField(res, 'x-powered-by', 'X-Powered-By', 'Ristretto');
  linkMessages(app, req, res);
  (app as object as Application).router.handle(req, res, out);
}

/** Mounts middleware, routers or applications at a path. */
function use(this: Application, _fn: unknown): Application {
  // eslint-disable-next-line prefer-rest-params -- the function's length is part of the interface
  mountAll(asBase(this), mountArguments(arguments, 'app.use()'), this.router);
  return this;
}

/** Sets a setting, or returns it if called with the name alone. */
function set(this: Application, name: string, value?: unknown): unknown {
  if (arguments.length === 1) return setShared.call(asBase(this), name);
  setShared.call(asBase(this), name, value);
  if (name === 'query writable') setQueryWritable(this.request, Boolean(value));
  return this;
}

/** Renders a view; the options may be missing or null. */
function render(this: Application, name: string, options: unknown, callback: never): void {
  renderView.call(asBase(this), name, options ?? {}, callback);
}

const application = {
  init,
  defaultConfiguration,
  handle: handleWith(enterRouter),
  use,
  route,
  engine,
  param,
  set,
  path,
  enabled,
  disabled,
  enable,
  disable,
  ...verbs,
  all,
  render,
  listen,
};

// Not enumerable, because Express does not have them.
Object.defineProperties(application, fetching);
defineHidden(application, { onSend, remove });
Object.defineProperty(application, 'routes', routesProperty);
Object.defineProperty(application, 'ws', ws);

export = application;
