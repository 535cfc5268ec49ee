/** The prototype of applications: one line for each member, imported from the file that implements it. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import {
  disable,
  disabled,
  enable,
  enabled,
  engine,
  fetching,
  handleWith,
  inherit,
  listen,
  path,
  onSend,
  render,
  set,
  setDefaults,
  use,
} from '@ristretto/private-engine/lib/application';
import type { Next } from '@ristretto/private-engine/lib/types/next';
import { routesProperty } from '@ristretto/private-engine/lib/router';
import { all, del, lazyrouter, param, remove, route, verbs, ws } from './application/routing';
import { debug } from '@ristretto/private-engine/lib/report';
import type { Application } from '@ristretto/private-engine/lib/types/internals';
import { version } from './version';

/** Initializes the state of a new application. */
function init(this: Application): void {
  this.cache = {};
  this.engines = {};
  this.settings = {} as Application['settings'];
  this.defaultConfiguration();
}

/** Sets the default settings, and makes the application inherit from the one it is mounted on. */
function defaultConfiguration(this: Application): void {
  setDefaults(this, version);
  this.on('mount', function onmount(this: Application, parent: Application) {
    inherit(this, parent);
  });
  this.locals = Object.create(null) as Application['locals'];
  this.mountpath = '/';
  this.locals.settings = this.settings;
  Object.defineProperty(this, 'router', {
    get() {
      throw new Error(
        "'app.router' is deprecated!\nPlease see the 3.x to 4.x migration guide for details on how to update your app.",
      );
    },
  });
}

/** Passes a request through the router, if there is one. */
function enterRouter(app: Application, req: IncomingMessage, res: ServerResponse, out: Next): void {
  const router = app._router;
  if (router !== undefined) {
    router.handle(req, res, out);
    return;
  }
  debug.application?.('no routes defined on app');
  out();
}

const application = {
  init,
  defaultConfiguration,
  lazyrouter,
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
  del,
  render,
  listen,
};

// Not enumerable: Express has none of these, and code that lists an application's members should not see them.
Object.defineProperties(application, {
  ...fetching,
  onSend: { value: onSend, configurable: true, writable: true },
  remove: { value: remove, configurable: true, writable: true },
  routes: routesProperty,
  ws,
});

export = application;
