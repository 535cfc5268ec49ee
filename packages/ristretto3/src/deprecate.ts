/** Deprecation notices: marks a member as deprecated and names its replacement. */
import depd = require('depd');

/**
 * Wraps a function so that it logs a deprecation notice, once for each place in a program that calls it. The wrapper
 * has the function's members: a page that a program assigns to `web.directory.html` reaches the package.
 * @param message the name of the member and its replacement
 * @example export = deprecated("limit: use the option 'limit' of the body parsers", limit);
 */
export function deprecated<F extends (...args: never[]) => unknown>(message: string, member: F): F {
  // Programs silence the notices of Express by this name (NO_DEPRECATION=express). Each member gets its own depd
  // instance: in a bundle, which is one file, one shared instance would treat notices of several members from the same
  // line as duplicates.
  const notify = depd('express');
  return new Proxy(member, {
    // Depd reports the caller of this function as the place, so no other function may be in between.
    apply(target, self, args) {
      notify(message);
      return Reflect.apply(target, self, args) as unknown;
    },
  });
}
