/**
 * `DEBUG=express:*`: prints the same messages as Express about settings, registration, matching and views, through the
 * same package and under the same names. As in Express, the variable is read once, when the framework is loaded (`require('debug').enable()`
 * sets it too); the package is loaded only if it is set.
 */

/** Prints a line with the values in place of `%s` and `%o`. */
type Print = (format: string, ...values: unknown[]) => void;

/** Returns the printer of a topic; undefined if `DEBUG` is not set. */
export function printer(namespace: string): Print | undefined {
  return process.env.DEBUG ? (require('debug') as (namespace: string) => Print)(namespace) : undefined;
}

/** The printers by topic; undefined if `DEBUG` is not set. */
export const debug = {
  application: printer('express:application'),
  layer: printer('express:router:layer'),
  route: printer('express:router:route'),
  router: printer('express:router'),
  view: printer('express:view'),
};
