/** Functions of the runtime's that our prototypes have too, done quicker: there for all who call them, and not listed. */

/**
 * Gives a prototype such functions.
 * @param prototype one that inherits from the runtime's
 * @param functions by the names that they have in the runtime
 * @returns where the functions underneath are to be called: not always the runtime's, since applications put the
 *   prototypes of HTTP/2 there
 */
export function hide<Functions extends object>(prototype: object, functions: Functions): () => Functions {
  for (const [name, value] of Object.entries(functions)) {
    Object.defineProperty(prototype, name, { configurable: true, writable: true, value: value as unknown });
  }
  return () => Object.getPrototypeOf(prototype) as Functions;
}
