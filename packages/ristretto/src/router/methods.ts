/** The request methods for which routes can be registered: all that Node's parser supports, in lower case. */
import { METHODS } from 'node:http';

/** For example `['acl', 'bind', …, 'm-search', …]`, in Node's order. */
export const methods: readonly string[] = METHODS.map(method => method.toLowerCase());

const lowerCase = new Map(METHODS.map(method => [method, method.toLowerCase()]));

/** Returns the name under which a request's method is registered, or the value itself if it is not a string. */
export function methodName(method: string): string {
  const known = lowerCase.get(method);
  if (known !== undefined) return known;
  return typeof method === 'string' ? method.toLowerCase() : method;
}
