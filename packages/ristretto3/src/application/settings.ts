/** Settings: the defaults of 3.x, and `app.configure`. */
import { setDefaults as setBaseDefaults } from 'ristretto/lib/application/settings';
import type { Application } from './internals';
import { asBase } from './internals';
import View = require('../view');

/** Gives all settings that have one their default: those of 4.x, but for the view, and JSON that is easy to read while developing. */
export function setDefaults(app: Application): void {
  setBaseDefaults(asBase(app));
  app.set('view', View);
  if (app.get('env') === 'development') app.set('json spaces', 2);
}

/**
 * Calls a function, at once, where the application runs in one of the environments, or in any where none is named.
 *
 * @param env names of environments, the function last
 * @throws TypeError where the last argument is no function
 * @example app.configure('production', () => app.enable('view cache'));
 */
export function configure(this: Application, ...args: unknown[]): Application {
  const callback = args[args.length - 1];
  const environments = args.slice(0, -1).flat();
  if (typeof callback !== 'function') {
    throw new TypeError(`app.configure(): expected a function as the last argument, got ${typeof callback}`);
  }
  if (environments.length === 0 || environments.includes(this.get('env'))) callback.call(this);
  return this;
}
