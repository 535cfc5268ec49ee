/** The type of 3.x applications, including their internal members. */
import type * as base from '@ristretto/private-engine/lib/types/internals';
import type Router = require('../router/index');
import type * as core from '../types/core';

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
