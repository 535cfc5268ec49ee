/** The functions that a response has before its hooks take their place. */
import type { ServerResponse } from 'node:http';

export type Method = (this: ServerResponse, ...args: unknown[]) => unknown;
export type Methods = Record<'writeHead' | 'write' | 'end', Method>;

/** The inherited functions of a recent response: those of most others are the same. */
let inheritedMethods: Methods | undefined;

/** Returns the functions that a response has. */
export function methodsOf(res: ServerResponse): Methods {
  const { writeHead, write, end } = res as unknown as Methods;
  const kept = inheritedMethods;
  if (kept?.end === end && kept.write === write && kept.writeHead === writeHead) return kept;
  const methods = { writeHead, write, end };
  // Methods of the response itself may refer to it, and caching them would keep it in memory.
  const isOwn = Object.hasOwn(res, 'writeHead') || Object.hasOwn(res, 'write') || Object.hasOwn(res, 'end');
  if (!isOwn) inheritedMethods = methods;
  return methods;
}
