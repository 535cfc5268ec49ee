/** The prototype of 3.x applications: each member, and where it is implemented. */
import {
  disable,
  disabled,
  enable,
  enabled,
  engine,
  fetching,
  handleWith,
  inherit,
  init as expressInit,
  listen,
  path,
  onSend,
  render,
  set,
  setDefaults,
} from '@ristretto/private-engine/lib/application';
import type { Application as BaseApplication } from '@ristretto/private-engine/lib/types/internals';
import type { Next } from '@ristretto/private-engine/lib/types/next';
import type { DispatchedRequest, OptionsResponse } from '@ristretto/private-engine/lib/router';
import { sendFinalResponse } from './application/final-handler';
import { use } from './application/mounting';
import {
  asBase,
  asOwn,
  del,
  lazyrouter,
  noteRouter,
  param,
  router,
  routes,
  verbs,
  ws,
} from './application/routing';
import type { Application } from './application/routing';
import { deprecated } from './deprecate';
import { makeLocals } from './locals';
import query = require('./middleware/query');
import { ListRouter } from './router/list-router';
import { makeMountLayer } from './router/layers';
import type { StackEntry } from './types/routing';
import { version } from './version';

/** The walks over the stacks of applications, by application. */
const walks = new WeakMap<Application, ListRouter<StackEntry>>();

/** Initializes the state of a new application. */
function init(this: Application): void {
  this.cache = {};
  this.engines = {};
  this.settings = {} as Application['settings'];
  this.defaultConfiguration();
}

/** Sets the defaults of the settings, and the initial members of the application. */
function defaultConfiguration(this: Application): void {
  setDefaults(asBase(this), version);
  this.on('mount', (parent: Application) => {
    inherit(asBase(this), asBase(parent));
  });
  this.locals = makeLocals('app');
  this.locals.settings = this.settings;
  this.route = this.mountpath = '/';
  this._usedRouter = false;
  this.lazyrouter();
  this.stack = [];
  this.use(query()).use(expressInit(asBase(this)));
}

function stackRouter(app: Application): ListRouter<StackEntry> {
  return new ListRouter(
    makeMountLayer,
    ({ route }) => route,
    router => {
      noteRouter(app, router);
    },
  );
}

/** Passes a request through the stack. */
function enterStack(base: BaseApplication, req: DispatchedRequest, res: OptionsResponse, out: Next): void {
  const app = asOwn(base);
  let walk = walks.get(app);
  if (walk === undefined) walks.set(app, (walk = stackRouter(app)));
  walk.handle(app.stack, req, res, out);
}

/** Calls a function immediately if the application runs in one of the environments, or if none or `'all'` is named. */
function configure(this: Application, ...args: unknown[]): Application {
  const callback = args[args.length - 1];
  const environments = args.slice(0, -1);
  if (typeof callback !== 'function') {
    throw new TypeError(`app.configure(): expected a function as the last argument, got ${typeof callback}`);
  }
  const isForAll = environments.length === 0 || String(environments) === 'all';
  if (isForAll || environments.includes(this.get('env'))) callback.call(this);
  return this;
}

const application = Object.assign(Object.create(null) as Application, {
  init,
  defaultConfiguration,
  lazyrouter,
  handle: handleWith(enterStack, (app, req, res, err) => {
    sendFinalResponse(asOwn(app), req, res, err);
  }),
  use,
  engine,
  param,
  set,
  path,
  enabled,
  disabled,
  enable,
  disable,
  ...verbs,
  del,
  render,
  listen,
  configure: deprecated("app.configure: Check app.get('env') in an if statement", configure),
});

// Accessors come last: they are copied as accessors to each application
Object.defineProperties(application, {
  ...fetching,
  onSend: { configurable: true, value: onSend, writable: true },
  ws: { configurable: true, value: ws, writable: true },
  router: { configurable: true, enumerable: true, get: router },
  routes: { configurable: true, enumerable: true, get: routes },
});

export = application;
