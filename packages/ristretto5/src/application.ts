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
  path,
  onSend,
  render as renderView,
  setDefaults,
} from '@ristretto/private-engine/lib/application';
import { defineHidden, setField } from '@ristretto/private-engine/lib/serving';
import type {
  Application as BaseApplication,
  Request,
  Response,
} from '@ristretto/private-engine/lib/types/internals';
import type { Next } from '@ristretto/private-engine/lib/types/next';
import { routesProperty } from '@ristretto/private-engine/lib/router';
import { asBase, asOwn } from './application/internals';
import type { Application } from './application/internals';
import type * as core from './types/core';
import { use } from './application/mounting';
import { all, defineRouter, param, remove, route, verbs, ws } from './application/routing';
import { set } from './application/settings';

/** Initializes the state of a new application. */
function init(this: Application): void {
  this.cache = Object.create(null) as Application['cache'];
  this.engines = Object.create(null) as Application['engines'];
  this.settings = Object.create(null) as Application['settings'];
  this.defaultConfiguration();
}

/** Sets the default settings, and makes the application inherit from the one it is mounted on. */
function defaultConfiguration(this: Application): void {
  setDefaults(asBase(this));
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
  asOwn(app).router.handle(req, res, out);
}

/**
 * Renders a view and passes the HTML to the callback.
 *
 * @param name relative to the setting `views`, or an absolute path; never take it from client input
 * @param options locals, or nothing; `cache` overrides the setting `view cache`
 * @param callback called with the error or the HTML
 * @throws Error if the view's engine cannot be loaded, or the name has no extension and `view engine` is not set
 * @example app.render('email', { name: 'Tobi' }, (err, html) => { … });
 */
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
