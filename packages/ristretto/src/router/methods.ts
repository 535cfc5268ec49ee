/** The request methods that routes can be registered for: all that the runtime's parser knows, in lower case. */
import { METHODS } from 'node:http';

/** For example `['acl', 'bind', …, 'm-search', …]`, in the runtime's order. */
export const methods: readonly string[] = METHODS.map(method => method.toLowerCase());
