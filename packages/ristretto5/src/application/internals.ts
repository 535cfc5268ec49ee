/** The application with the members that programs do not use, and how the shared engine sees it. */
import type * as base from 'ristretto/lib/types/internals';
import type Router = require('../routing/index');
import type * as core from '../types/core';

export interface Application extends Omit<core.Application, 'router'> {
  cache: base.Application['cache'];
  engines: base.Application['engines'];
  settings: base.SettingsTable;
  router: InstanceType<typeof Router>;
}

/** The same application as functions of the engine see it: what they use of it is the same. */
export function asBase(app: object): base.Application {
  return app as base.Application;
}
