/** Reads undocumented members of Node's HTTP/2 servers and sessions. */

/** Returns the value under a symbol with this description, or undefined if there is none. */
export function undocumented<Value>(of: object, name: string): Value | undefined {
  const symbol = Object.getOwnPropertySymbols(of).find(({ description }) => description === name);
  return symbol && (of as Record<symbol, Value>)[symbol];
}
