/** The application of 3.x, with the members that programs do not use. */
import type * as base from 'ristretto/lib/types/internals';
import type Router = require('../router/index');
import type * as core from '../types/core';

export interface Application extends core.Application {
  _router: InstanceType<typeof Router>;
  /** Whether the routes are among the middleware. */
  _usedRouter: boolean;
  cache: base.Application['cache'];
  engines: base.Application['engines'];
  settings: base.SettingsTable;
  init(): void;
  defaultConfiguration(): void;
  lazyrouter(): void;
}

/** The same application as functions of 4.x see it: what they use of it is the same. */
export function asBase(app: core.Application): base.Application {
  return app as unknown as base.Application;
}
