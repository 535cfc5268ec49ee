/**
 * `DEBUG=express:*`: what Express prints of settings, registration, matching and views, by the same package and under the
 * same names: those of Express 4, and for what Express 5 has from the package `router`, `DEBUG=router*`. As there, the variable is read once, when the framework is loaded (`require('debug').enable()` writes it
 * too); the package is loaded only where it is set.
 */

/** Prints a line; the values stand in it for `%s` and `%o`. */
type Print = (format: string, ...values: unknown[]) => void;

function printer(namespace: string): Print | undefined {
  return process.env.DEBUG ? (require('debug') as (namespace: string) => Print)(namespace) : undefined;
}

/** What prints, by what it is about; undefined where nothing is to be printed. */
export const debug = {
  application: printer('express:application'),
  layer: printer('express:router:layer'),
  route: printer('express:router:route'),
  router: printer('express:router'),
  view: printer('express:view'),
};

/** The same for what the package `router` prints, below Express 5. */
export const debug5 = {
  layer: printer('router:layer'),
  route: printer('router:route'),
  router: printer('router'),
};
