/** Defines faster, non-enumerable versions of Node's methods on our prototypes. */

/**
 * Adds such methods to a prototype.
 * @param prototype one that inherits from Node's
 * @param functions the methods, by their names in Node
 * @returns a function that returns the methods they override: usually Node's own, but applications and tools change the
 * base class, for example to that of HTTP/2 or of a test client
 */
export function defineHidden<Functions extends object>(
  prototype: object,
  functions: Functions,
): () => Functions {
  for (const [name, value] of Object.entries(functions)) {
    Object.defineProperty(prototype, name, { configurable: true, writable: true, value: value as unknown });
  }
  return () => Object.getPrototypeOf(prototype) as Functions;
}
