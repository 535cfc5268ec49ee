/** Members of a response that set headers. */
import type { CookieOptions } from './cookie';

/** Headers of the response (RFC 9110, section 6.3). */
export interface ResponseHeaders {
  /**
   * Set a header, or several. A charset is added to a `Content-Type` of text that has none.
   * @throws TypeError for a list of content types, and for names and values that HTTP does not allow
   * @example
   * res.set('Content-Type', 'text/plain').set({ ETag: '"1"' }).send('hello');
   * // GET / -> 200 (Content-Type: text/plain; charset=utf-8) (ETag: "1") hello
   */
  set(fields: object): this;
  set(field: string, value?: string | number | boolean | readonly string[]): this;
  /**
   * The same as `res.set()`.
   * @example
   * res.header('ETag', '"1"');
   * // GET / -> 200 (ETag: "1")
   */
  header(fields: object): this;
  header(field: string, value?: string | number | boolean | readonly string[]): this;
  /**
   * The value of a header of the response, whatever the case of the name.
   * @returns undefined when it is not set
   * @example
   * res.type('html');
   * res.get('content-type'); // 'text/html; charset=utf-8'
   */
  get(field: string): string | undefined;
  /**
   * Add a value to a header; a later `res.set()` replaces all of them.
   * @example
   * res.append('Set-Cookie', 'a=1').append('Set-Cookie', 'b=2');
   * // GET / -> 200 (Set-Cookie: a=1, b=2)
   */
  append(field: string, value?: string | readonly string[]): this;
  /**
   * Add names to `Vary` (RFC 9110, section 12.5.5) that are not there yet.
   * @throws TypeError for a name that is no field name
   * @example
   * res.vary('Accept').vary(['Accept', 'Accept-Language']);
   * // GET / -> 200 (Vary: Accept, Accept-Language)
   */
  // eslint-disable-next-line @typescript-eslint/unified-signatures -- only the form without a name is deprecated
  vary(field: string | readonly string[]): this;
  /** @deprecated Name the field. */
  vary(): this;
  /**
   * Set `Content-Type` to a media type, or to the one of an extension.
   * @example
   * res.type('json').send('{}');
   * // GET / -> 200 (Content-Type: application/json; charset=utf-8) {}
   */
  type(type: string): this;
  /**
   * The same as `res.type()`.
   * @example
   * res.contentType('txt');
   * // GET / -> 200 (Content-Type: text/plain; charset=utf-8)
   */
  contentType(type: string): this;
  /**
   * Add links to the `Link` header (RFC 8288).
   * @example
   * res.links({ next: '/list?page=2', last: '/list?page=9' });
   * // GET / -> 200 (Link: </list?page=2>; rel="next", </list?page=9>; rel="last")
   */
  links<Links extends { [K in keyof Links]: string }>(links: Links): this;
  /**
   * Set `Location` (RFC 9110, section 10.2.2); what needs escaping is escaped.
   * @param url a URL, or `'back'` for the page the client came from
   * @example
   * res.status(201).location('/users/7');
   * // GET / -> 201 (Location: /users/7)
   */
  location(url: string): this;
  /**
   * Make the response a download (RFC 6266), under a file name if one is given; also set the type of its extension.
   * @example
   * res.attachment('report.pdf');
   * // GET / -> 200 (Content-Disposition: attachment; filename="report.pdf") (Content-Type: application/pdf)
   */
  attachment(filename?: string): this;
  /**
   * Set a cookie (RFC 6265). Values that are not text are sent as JSON.
   * @throws Error for `signed` without a secret; TypeError for names and values that a cookie can't have
   * @example
   * res.cookie('theme', 'dark', { maxAge: 3600_000, httpOnly: true });
   * // GET / -> 200 (Set-Cookie: theme=dark; Max-Age=3600; Path=/; Expires=…; HttpOnly)
   */
  cookie(name: string, val: unknown, options?: CookieOptions): this;
  /**
   * Tell the client to drop a cookie; domain and path must be those it was set with.
   * @example
   * res.clearCookie('theme');
   * // GET / -> 200 (Set-Cookie: theme=; Path=/; Expires=Thu, 01 Jan 1970 00:00:00 GMT)
   */
  clearCookie(name: string, options?: CookieOptions): this;
  /** @deprecated Part of the 3.x interface, absent here. Use `res.type()`. */
  charset: string;
}
