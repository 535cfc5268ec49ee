/** The settings of an application: their store, their defaults, and the functions compiled from them. */
import { resolve } from 'node:path';
import { deferred } from '../deferred';
import { reportsMistakes } from '../report/development';
import type * as names from '../dev/setting-names';
import { timerDuration } from '../amount';
import { compileETag } from '../protocol/entity-tag';
import { compileHosts } from '../protocol/host';
import { compileTrust } from '../protocol/proxy';
import { debug } from '../report/debug';
import { compileErrorLogger } from '../report/log';
import { shown } from '../shown';
import type { Application, ViewConstructor } from '../types/internals';
import { VERSION, setVersion, versionOf } from '../version';
import type { Version } from '../version';
import View = require('../view');
import type * as strictHttp from './strict-http';

const settingChecks = deferred(() => require('../dev/setting-names') as typeof names, reportsMistakes);

type Store = Record<string, unknown>;

/** Settings whose value is compiled to a function when it is set; the function is stored under the name plus ` fn`. */
const compilers: Record<string, (value: never) => unknown> = {
  'error logger': compileErrorLogger,
  'error page hosts': compileHosts,
  etag: compileETag,
  'trust proxy': compileTrust,
};

/** Settings that are durations, with the other values that they may have. */
const durations: Record<string, unknown[]> = {
  'keep-alive timeout': [undefined, null],
  'stuck warning': [undefined, null, false, 0],
};

/** The classes of views that load engines by the name of their extension; an application's own may not. */
const usualViews = new WeakSet();

/** Stores whose `trust proxy` was never set explicitly: the parent's value replaces it. */
const trustsByDefault = new WeakSet();

/** Sets a setting, or returns it if called with the name alone. */
export function set(this: Application, name: string, value?: unknown): unknown {
  const store = this.settings as Store;

  if (arguments.length === 1) return read(store, name);
  if (reportsMistakes(store)) settingChecks().checkSetting(store, name, value);
  if (name === 'error format' && value !== 'problem' && value !== 'html') {
    throw new TypeError(`Expected 'problem' or 'html' for the setting 'error format', got ${shown(value)}`);
  }
  if (Object.hasOwn(durations, name) && !durations[name]!.includes(value))
    timerDuration(`the setting '${name}'`, value, 1);
  debug.application?.('set "%s" to %o', name, value);
  store[name] = value;
  const compile = compilerOf(this, name);
  if (compile) {
    const compiled = (store[`${name} fn`] = compileValue(compile, name, value, store));
    debug.application?.('set "%s" to %o', `${name} fn`, compiled);
  }
  if (name === 'trust proxy') trustsByDefault.delete(store);
  if (name === 'strict http' && value) {
    // Few applications use it, so the others do not load it
    (require('./strict-http') as typeof strictHttp).enforceStrictHttp(this);
  }
  // Loaded now, because otherwise the first request that renders a view would load it.
  if (name === 'view engine') deferred(() => loadEngine(this, value), isQuiet);
  return this;
}

function compileValue(
  compile: (value: never) => unknown,
  name: string,
  value: unknown,
  store: Store,
): unknown {
  try {
    return compile(value as never);
  } catch (error) {
    if (reportsMistakes(store)) settingChecks().explainValue(error, name, value);
    throw error;
  }
}

/**
 * Reads a setting for the program, and warns if the program seems to define a route. The framework itself uses `set`, which
 * does not check.
 * @returns the value; undefined if it is set neither here nor on a parent
 */
export function readSetting(app: Application, name: string): unknown {
  const value: unknown = app.set(name);
  if (value === undefined && reportsMistakes(app.settings)) settingChecks().checkRead(name);
  return value;
}

function compilerOf(app: Application, name: string): ((value: never) => unknown) | undefined {
  if (name === 'query parser') return versionOf(app).application.compileQueryParser;
  return Object.hasOwn(compilers, name) ? compilers[name] : undefined;
}

/** Whether views are not logged. With DEBUG, a view that no request has asked for would be. */
const isQuiet = (): boolean => debug.view === undefined;

/** Loads the default template engine, unless it is registered; if this fails, each view that needs it reports it. */
function loadEngine(app: Application, defaultEngine: unknown): boolean {
  if (typeof defaultEngine !== 'string' || !usualViews.has(app.get('view') as object)) return false;
  try {
    new View('', { defaultEngine, engines: app.engines, root: [] });
    return true;
  } catch {
    return false;
  }
}

/** Returns a setting from here or a parent; names that objects inherit, such as `constructor`, are not settings. */
function read(settings: Store, name: string): unknown {
  for (
    let store = settings;
    store && store !== Object.prototype;
    store = Object.getPrototypeOf(store) as Store
  ) {
    if (Object.hasOwn(store, name)) return store[name];
  }
  return undefined;
}

/** Whether a setting is on. @example app.enabled('etag') // true */
export function enabled(this: Application, name: string): boolean {
  return Boolean(this.set(name));
}

/** Whether a setting is off. @example app.disabled('etag') // false */
export function disabled(this: Application, name: string): boolean {
  return !this.set(name);
}

/** Sets a setting to true. @example app.enable('trust proxy') */
export function enable(this: Application, name: string): Application {
  return this.set(name, true);
}

/** Sets a setting to false. @example app.disable('x-powered-by') */
export function disable(this: Application, name: string): Application {
  return this.set(name, false);
}

/** Sets the default value of every setting that has one. @param version that of the application's members */
export function setDefaults(app: Application, version: Version): void {
  // Programs also assemble applications from the members of `web.application`, as Express itself does
  if (!Object.hasOwn(app, VERSION)) setVersion(app, version);
  const { jsonSpaces, queryParser, View } = version.application;
  const env = process.env.NODE_ENV || 'development';
  app.enable('x-powered-by');
  app.set('etag', 'weak');
  app.set('env', env);
  app.set('query parser', queryParser);
  app.set('subdomain offset', 2);
  app.set('trust proxy', false);
  trustsByDefault.add(app.settings);
  debug.application?.('booting in %s mode', env);
  app.set('view', View as ViewConstructor);
  usualViews.add(View);
  app.set('views', resolve('views'));
  app.set('jsonp callback name', 'callback');
  if (env === 'production') app.enable('view cache');
  if (env === 'development' && jsonSpaces !== undefined) app.set('json spaces', jsonSpaces);
}

/** Makes a sub-application inherit its parent's settings: those without a default, and `trust proxy`. */
export function inheritSettings(app: Application, parent: Application): void {
  const store = app.settings as Store;
  if (trustsByDefault.has(store) && typeof (parent.settings as Store)['trust proxy fn'] === 'function') {
    delete store['trust proxy'];
    delete store['trust proxy fn'];
  }
  Object.setPrototypeOf(store, parent.settings);
}
