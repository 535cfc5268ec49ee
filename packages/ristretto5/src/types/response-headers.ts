/** The members of a response that set headers. */
import type { CookieOptions } from 'ristretto/lib/types/cookie';

type Value = string | number | boolean | readonly string[];

/** Headers of the response (RFC 9110, section 6.3). */
export interface ResponseHeaders5 {
  /**
   * Set a header, or several. A charset is added to a textual `Content-Type` that has none.
   * @throws TypeError for an array as `Content-Type`, and for invalid names and values
   * @example res.set('X-Frame-Options', 'DENY').set({ 'X-A': '1' });
   */
  set(fields: object): this;
  set(field: string, value?: Value): this;
  /** Set a header, like `res.set()`. */
  header(fields: object): this;
  header(field: string, value?: Value): this;
  /**
   * Return the value of a header of the response. Names are case-insensitive.
   * @example res.get('Content-Type'); // 'text/html; charset=utf-8'
   */
  get(field: string): string | undefined;
  /**
   * Add a value to a header; a later `res.set()` replaces all values.
   * @example res.append('Warning', '199 Miscellaneous warning');
   */
  append(field: string, value?: string | readonly string[]): this;
  /**
   * Add header names to `Vary` (RFC 9110, section 12.5.5) unless they are already listed.
   * @throws TypeError for a name that is not a token
   * @example res.vary('Accept-Language');
   */
  vary(field: string | readonly string[]): this;
  /**
   * Set `Content-Type` to a media type, or to that of an extension.
   * @example res.type('json'); // application/json; charset=utf-8
   */
  type(type: string): this;
  /** Set `Content-Type`, like `res.type()`. */
  contentType(type: string): this;
  /**
   * Add links to the `Link` header (RFC 8288), one or several for each relation.
   * @example res.links({ next: '/list?page=2', alternate: ['/en', '/fr'] });
   */
  links<Links extends { [K in keyof Links]: string | readonly string[] }>(links: Links): this;
  /**
   * Set `Location` (RFC 9110, section 10.2.2). Characters that are not allowed in a URL are percent-encoded.
   * @example res.location('/users/7');
   */
  location(url: string): this;
  /**
   * Make the response a download (RFC 6266), optionally under a file name, whose extension then determines the type.
   * @example res.attachment('report.pdf');
   */
  attachment(filename?: string): this;
  /**
   * Set a cookie (RFC 6265). Objects are sent as JSON, with the prefix `j:`.
   * @throws Error for `signed` without a secret; TypeError for invalid names and values
   * @example res.cookie('theme', 'dark', { maxAge: 3600_000, httpOnly: true });
   */
  cookie(name: string, val: unknown, options?: CookieOptions): this;
  /**
   * Make the client delete a cookie. Domain and path must be those it was set with; `maxAge` and `expires` are ignored.
   * @example res.clearCookie('theme');
   */
  clearCookie(name: string, options?: CookieOptions): this;
}
