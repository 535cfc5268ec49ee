/** The request methods for which routes can be registered: all that Node's parser supports, in lower case. */
import { METHODS } from 'node:http';

/** For example `['acl', 'bind', …, 'm-search', …]`, in Node's order. */
export const methods: readonly string[] = METHODS.map(method => method.toLowerCase());

type Register = (...args: never[]) => unknown;

/**
 * Adds an anonymous function for each method to an object, because they have no name in Express either.
 * @param target an application's verbs, or the prototype of routers or routes
 * @param create creates the function for one method
 * @param names lower-case method names
 */
export function defineVerbs(
  target: object,
  create: (method: string) => Register,
  names: readonly string[] = methods,
): void {
  for (const method of names) {
    const register = create(method);
    Object.defineProperty(register, 'name', { value: '' });
    (target as Record<string, Register>)[method] = register;
  }
}

/** Calls a route's function for a method, which a tool may have replaced. */
export function registerOn(route: unknown, method: string, handlers: unknown[]): void {
  (route as Partial<Record<string, (...handlers: unknown[]) => unknown>>)[method]?.(...handlers);
}

const lowerCase = new Map(METHODS.map(method => [method, method.toLowerCase()]));

/** The text of the 400 for any other method. */
export const UNKNOWN_METHOD = 'Unknown method: methods are case-sensitive';

/**
 * Whether Node's HTTP/1.1 parser knows a method, in this case (RFC 9110, section 9.1). It responds with 400 to others.
 * HTTP/2 servers and `app.fetch` do the same: otherwise, `delete` would pass a guard that compares with `DELETE`, and
 * match the route.
 */
export function isMethod(method: string | undefined): boolean {
  return method !== undefined && lowerCase.has(method);
}

/** Returns the name under which a request's method is registered, or the value itself if it is not a string. */
export function methodName(method: string): string {
  // Fast path for common methods
  if (method === 'GET') return 'get';
  const known = lowerCase.get(method);
  if (known !== undefined) return known;
  return typeof method === 'string' ? method.toLowerCase() : method;
}
