/** The application with its internal members, and its type in the shared engine. */
import type * as base from '@ristretto/private-engine/lib/types/internals';
import type Router = require('../routing/index');
import type * as core from '../types/core';

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

/** Returns the application that the engine's functions pass on, with its own type. */
export function asOwn(app: object): Application {
  return app as Application;
}
