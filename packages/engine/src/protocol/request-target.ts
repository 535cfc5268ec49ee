/** Validates the form of a request target strictly, for applications that accept nothing else (`strict http`). */
import { hostnameOf } from './host';

/** The form of a target, and its `authority` if it names a host. */
export interface RequestTarget {
  form: 'origin' | 'absolute' | 'authority' | 'asterisk';
  authority?: string;
}

/** Not allowed in a target: control characters, spaces, non-ASCII characters, `"`, `#`, `<` and `>`. */
const NEVER = /[^!$-;=?-~]/;
/** Not allowed in a path; browsers do not escape these in a query. */
const NEVER_IN_PATH = /[\\`{}]/;

/**
 * Parses a request target in the form that its method allows.
 *
 * Characters that are not allowed in URLs make it invalid, except those that browsers send anyway (WHATWG URL): `[`,
 * `]`, `^` and `|`, a bare percent sign, and in a query also `\`, the grave accent, `{` and `}`.
 * @param method the request's method: authority form is only for CONNECT, asterisk form only for OPTIONS
 * @returns undefined if the target is invalid
 * @see RFC 9112, section 3.2
 * @example
 * parseRequestTarget('GET', '/pets?sort=name'); // { form: 'origin' }
 * parseRequestTarget('GET', 'http://example.com/pets'); // { form: 'absolute', authority: 'example.com' }
 * parseRequestTarget('GET', '/pets#first'); // undefined
 */
export function parseRequestTarget(method: string, target: string): RequestTarget | undefined {
  if (method === 'CONNECT') {
    return isAuthority(target) ? { form: 'authority', authority: target } : undefined;
  }
  if (target === '*') return method === 'OPTIONS' ? { form: 'asterisk' } : undefined;
  if (NEVER.test(target)) return undefined;
  if (target.startsWith('/')) return isPath(target) ? { form: 'origin' } : undefined;
  const match = /^https?:\/\/([^/?]*)/i.exec(target);
  const authority = match?.[1];
  if (authority === undefined || !isAuthority(authority) || !isPath(target)) return undefined;
  return { form: 'absolute', authority };
}

/**
 * Whether the text is a host with an optional port and nothing else (RFC 9110, section 4.2): no user information, no
 * list, no malformed percent-encoding. False for an empty text.
 * @example isAuthority('[::1]:8080'); // true
 */
export function isAuthority(text: string): boolean {
  return (
    hostnameOf(text) !== undefined && !text.startsWith(':') && text !== '' && !/%(?![\da-f]{2})/i.test(text)
  );
}

function isPath(target: string): boolean {
  const query = target.indexOf('?');
  return !NEVER_IN_PATH.test(query < 0 ? target : target.slice(0, query));
}
