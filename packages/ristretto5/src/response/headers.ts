/**
 * Sets headers of a response as 5.x does: types from mime-types 3, lists of links, and `Vary`, which requires a name.
 */
import { appendVary, registeredContentType } from '@ristretto/private-engine/lib/protocol';
import { mistakesOf } from '@ristretto/private-engine/lib/response';
import type { Response } from '@ristretto/private-engine/lib/types/internals';

/**
 * Sets one header, or several given as an object. `Content-Type` gets the charset of its type; an extension is replaced
 * by its type.
 *
 * @param val text, or an array for a header that is sent several times; other values are converted to text
 * @returns the response, for chaining
 * @throws TypeError for an array as `Content-Type`, an invalid name, or a line break in a value
 * @example res.set('X-Frame-Options', 'DENY').set({ 'X-A': '1', 'X-B': ['2', '3'] });
 */
export function header(this: Response, field: string | Record<string, unknown>, val?: unknown): Response {
  // An explicit undefined is a value (and is sent as such), so only the number of arguments distinguishes the forms.
  if (arguments.length === 2) {
    setHeader(this, field as string, val);
    return this;
  }
  for (const name in field as Record<string, unknown>) {
    this.set(name, (field as Record<string, string>)[name]);
  }
  return this;
}

function setHeader(res: Response, name: string, val: unknown): void {
  if (val === undefined) mistakesOf(res)?.warnOfUndefined(`res.set('${name}')`);
  const value = Array.isArray(val) ? val.map(String) : String(val);
  if (name.toLowerCase() !== 'content-type') {
    res.setHeader(name, value);
  } else {
    if (Array.isArray(value)) throw new TypeError('Content-Type cannot be set to an Array');
    // An unknown word becomes false, as in Express: the header counts as missing, but is sent unless it is set again
    res.setHeader(name, registeredContentType(value) as string);
  }
}

/**
 * Sets `Content-Type`: to the type itself if it contains a '/', otherwise to the type of the extension; for an unknown
 * one, to `application/octet-stream`.
 *
 * @example res.type('json'); res.type('image/png'); res.type('.html');
 */
export function contentType(this: Response, type: string): Response {
  return this.set(
    'Content-Type',
    type.includes('/') ? type : registeredContentType(type) || 'application/octet-stream',
  );
}

/**
 * Adds links to the `Link` header (RFC 8288).
 *
 * @param links maps each relation's name to its URL, or to a list of URLs
 * @returns the response, for chaining
 * @example res.links({ next: '/users?page=2' }); // Link: </users?page=2>; rel="next"
 */
export function links(this: Response, links: Record<string, string | readonly string[]>): Response {
  const previous = this.get('Link');
  const added = Object.keys(links).flatMap(relation => {
    const urls = links[relation]!;
    const list: readonly unknown[] = Array.isArray(urls) ? urls : [urls];
    return list.map(url => `<${String(url)}>; rel="${relation}"`);
  });
  return this.set('Link', (previous ? `${previous}, ` : '') + added.join(', '));
}

/**
 * Adds a header name to `Vary` unless it is already listed (RFC 9110 section 12.5.5).
 *
 * @param field a name, several separated by commas, or an array
 * @throws TypeError without a name, and for a name that is not a token
 * @example res.vary('User-Agent').render('docs');
 */
export function vary(this: Response, field: string | string[]): Response {
  if (!field) throw new TypeError('field argument is required');
  const present = this.getHeader('Vary') ?? '';
  const value = appendVary(Array.isArray(present) ? present.join(', ') : String(present), field);
  if (value) this.setHeader('Vary', value);
  return this;
}
