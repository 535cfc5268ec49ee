/** The members of a response that set headers. */
import type { CookieOptions } from 'ristretto/lib/types/cookie';

type Value = string | number | boolean | readonly string[];

/** Headers of the response (RFC 9110, section 6.3). */
export interface ResponseHeaders5 {
  /**
   * Set a header, or several. A charset is added to a `Content-Type` of text that has none.
   * @throws TypeError for a list of content types, and for names and values that HTTP does not allow
   * @example res.set('X-Frame-Options', 'DENY').set({ 'X-A': '1' });
   */
  set(fields: object): this;
  set(field: string, value?: Value): this;
  /** The same as `res.set()`. */
  header(fields: object): this;
  header(field: string, value?: Value): this;
  /**
   * The value of a header of the response, whatever the case of the name.
   * @example res.get('Content-Type'); // 'text/html; charset=utf-8'
   */
  get(field: string): string | undefined;
  /**
   * Add a value to a header; a later `res.set()` replaces all of them.
   * @example res.append('Warning', '199 Miscellaneous warning');
   */
  append(field: string, value?: string | readonly string[]): this;
  /**
   * Add names to `Vary` (RFC 9110, section 12.5.5) that are not there yet.
   * @throws TypeError for a name that is no field name
   * @example res.vary('Accept-Language');
   */
  vary(field: string | readonly string[]): this;
  /**
   * Set `Content-Type` to a media type, or to the one of an extension.
   * @example res.type('json'); // application/json; charset=utf-8
   */
  type(type: string): this;
  /** The same as `res.type()`. */
  contentType(type: string): this;
  /**
   * Add links to the `Link` header (RFC 8288), one or several for each relation.
   * @example res.links({ next: '/list?page=2', alternate: ['/en', '/fr'] });
   */
  links<Links extends { [K in keyof Links]: string | readonly string[] }>(links: Links): this;
  /**
   * Set `Location` (RFC 9110, section 10.2.2); what needs escaping is escaped.
   * @example res.location('/users/7');
   */
  location(url: string): this;
  /**
   * Make the response a download (RFC 6266), under a file name if one is given; also set the type of its extension.
   * @example res.attachment('report.pdf');
   */
  attachment(filename?: string): this;
  /**
   * Set a cookie (RFC 6265). Values that are not text are sent as JSON.
   * @throws Error for `signed` without a secret; TypeError for names and values that a cookie can't have
   * @example res.cookie('theme', 'dark', { maxAge: 3600_000, httpOnly: true });
   */
  cookie(name: string, val: unknown, options?: CookieOptions): this;
  /**
   * Tell the client to drop a cookie; domain and path must be those it was set with, `maxAge` and `expires` are ignored.
   * @example res.clearCookie('theme');
   */
  clearCookie(name: string, options?: CookieOptions): this;
}
