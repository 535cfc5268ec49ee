/** What Node keeps on servers and sessions of HTTP/2 without documenting it. */

/** The value under a symbol of this name; undefined where there is none. */
export function undocumented<Value>(of: object, name: string): Value | undefined {
  const symbol = Object.getOwnPropertySymbols(of).find(({ description }) => description === name);
  return symbol && (of as Record<symbol, Value>)[symbol];
}
