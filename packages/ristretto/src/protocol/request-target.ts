/** The form of a request target, by the letter: for applications that take nothing else (`strict http`). */
import { hostnameOf } from './host';

/** What a target is; `authority` where it names a host. */
export interface RequestTarget {
  form: 'origin' | 'absolute' | 'authority' | 'asterisk';
  authority?: string;
}

/** Never in a target: controls, space, what is beyond ASCII, `"`, `#`, `<` and `>`. */
const NEVER = /[^!$-;=?-~]/;
/** Never in a path; in a query browsers leave these as they are. */
const NEVER_IN_PATH = /[\\`{}]/;

/**
 * Reads a request target in the form that its method allows.
 *
 * What no URL has makes it none, but for what browsers send all the same (WHATWG URL): `[`, `]`, `^` and `|`, a bare
 * percent sign, and in a query also `\`, the grave accent, `{` and `}`.
 * @param method the request's method: only CONNECT has an authority, only OPTIONS the asterisk
 * @returns undefined where the target is none
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
 * list, no malformed percent-encoding. An empty text is none.
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
