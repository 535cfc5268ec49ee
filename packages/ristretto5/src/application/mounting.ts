/** `app.use`. */
import { mountAll } from '@ristretto/private-engine/lib/application';
import { mountArguments } from '@ristretto/private-engine/lib/router';
import { asBase } from './internals';
import type { Application } from './internals';

/**
 * Mounts middleware, routers or applications at a path.
 *
 * @param path a path, a regular expression or an array of these; defaults to `/`
 * @param handlers functions, routers, applications, and arrays of them
 * @returns the application, for chaining
 * @throws TypeError if there is no function, or one of them is not a function; PathError if a path cannot be parsed
 * @example app.use('/static', web.static('public'));
 */
export function use(this: Application, _fn: unknown): Application {
  // eslint-disable-next-line prefer-rest-params -- the function's length is part of the interface
  mountAll(asBase(this), mountArguments(arguments, 'app.use()'), this.router);
  return this;
}
