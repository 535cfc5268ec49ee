/** Deprecation notices: the one place where a member is marked, with what to use instead. */
import depd = require('depd');

/**
 * Marks a function: whoever calls it is told, once for each place in a program, what to use in its stead.
 *
 * @param message the name of the member and its replacement
 * @example export = deprecated("limit: use the option 'limit' of the body parsers", limit);
 */
export function deprecated<F extends (...args: never[]) => unknown>(message: string, member: F): F {
  // Programs silence the notices of Express by this name (NO_DEPRECATION=express). One for each member: in a bundle,
  // which is one file, notices of several members from the line below would pass for the same.
  const notify = depd('express');
  // The notice names the caller of this very function, so nothing may stand between the two.
  const marked = function (this: unknown, ...args: Parameters<F>): unknown {
    notify(message);
    return Reflect.apply(member, this, args);
  };
  return Object.defineProperties(marked, Object.getOwnPropertyDescriptors(member)) as F;
}
