/** Node's functions that our prototypes have too, done faster: there for everyone who calls them, and not enumerable. */

/**
 * Gives a prototype such functions.
 * @param prototype one that inherits from Node's
 * @param functions by the names that they have in Node
 * @returns finds the functions beneath them: mostly Node's own, but applications and tools put other classes there,
 *   such as those of HTTP/2 or of a test client
 */
export function hide<Functions extends object>(prototype: object, functions: Functions): () => Functions {
  for (const [name, value] of Object.entries(functions)) {
    Object.defineProperty(prototype, name, { configurable: true, writable: true, value: value as unknown });
  }
  return () => Object.getPrototypeOf(prototype) as Functions;
}
