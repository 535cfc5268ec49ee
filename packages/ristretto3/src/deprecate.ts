/** Deprecation notices: marks a member as deprecated and names its replacement. */
import depd = require('depd');

/**
 * Wraps a function so that it logs a deprecation notice, once for each place in a program that calls it.
 *
 * @param message the name of the member and its replacement
 * @example export = deprecated("limit: use the option 'limit' of the body parsers", limit);
 */
export function deprecated<F extends (...args: never[]) => unknown>(message: string, member: F): F {
  // Programs silence the notices of Express by this name (NO_DEPRECATION=express). Each member gets its own depd
  // instance: in a bundle, which is one file, one shared instance would treat notices of several members from the same
  // line as duplicates.
  const notify = depd('express');
  // depd reports the caller of this function as the place, so no other function may be in between.
  const marked = function (this: unknown, ...args: Parameters<F>): unknown {
    notify(message);
    return Reflect.apply(member, this, args);
  };
  return Object.defineProperties(marked, Object.getOwnPropertyDescriptors(member)) as F;
}
