/** The request methods that routes can be registered for: all that Node's parser knows, in lower case. */
import { METHODS } from 'node:http';

/** For example `['acl', 'bind', …, 'm-search', …]`, in Node's order. */
export const methods: readonly string[] = METHODS.map(method => method.toLowerCase());

const lowerCase = new Map(METHODS.map(method => [method, method.toLowerCase()]));

/** The name under which a request's method is registered; a request without one has none. */
export function methodName(method: string): string {
  const known = lowerCase.get(method);
  if (known !== undefined) return known;
  return typeof method === 'string' ? method.toLowerCase() : method;
}
