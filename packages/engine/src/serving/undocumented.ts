/**
 * Finds undocumented members of Node's objects, which it stores under symbols that can only be distinguished by their
 * descriptions.
 */

/** Returns the symbol with this description among an object's own keys, or undefined if there is none. */
export function symbolNamed(of: object, name: string): symbol | undefined {
  return Object.getOwnPropertySymbols(of).find(({ description }) => description === name);
}

/** Returns the value under a symbol with this description, or undefined if there is none. */
export function undocumented<Value>(of: object, name: string): Value | undefined {
  const symbol = symbolNamed(of, name);
  return symbol && (of as Record<symbol, Value>)[symbol];
}
