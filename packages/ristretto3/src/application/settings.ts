/** `app.configure`: settings by environment. */
import type { Application } from './internals';

/**
 * Calls a function immediately if the application runs in one of the environments, or if none is named.
 *
 * @param env the names of environments, then the function as the last argument
 * @throws TypeError if the last argument is not a function
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
