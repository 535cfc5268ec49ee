/** Members of a response that set headers. */
import type { CookieOptions } from './cookie';

/** Headers of the response (RFC 9110, section 6.3): the members that are the same in Express 5. */
export interface HeaderBasics {
  /**
   * Set one or more headers. A charset is added to a `Content-Type` for text without one.
   * @throws TypeError for an array of content types, and for names and values that HTTP does not allow
   * @example
   * res.set('Content-Type', 'text/plain').set({ ETag: '"1"' }).send('hello');
   * // GET / -> 200 (Content-Type: text/plain; charset=utf-8) (ETag: "1") hello
   */
  set(fields: object): this;
  set(field: string, value?: string | number | boolean | readonly string[]): this;
  /**
   * Set one or more headers, like `res.set()`.
   * @example
   * res.header('ETag', '"1"');
   * // GET / -> 200 (ETag: "1")
   */
  header(fields: object): this;
  header(field: string, value?: string | number | boolean | readonly string[]): this;
  /**
   * Return the value of a response header. Names are case-insensitive.
   * @returns undefined if it is not set
   * @throws TypeError if the name is missing
   * @example
   * res.type('html');
   * res.get('content-type'); // 'text/html; charset=utf-8'
   */
  get(field: string): string | undefined;
  /**
   * Append a value to a header; a later `res.set()` replaces all values.
   * @example
   * res.append('Set-Cookie', 'a=1').append('Set-Cookie', 'b=2');
   * // GET / -> 200 (Set-Cookie: a=1, b=2)
   */
  append(field: string, value?: string | readonly string[]): this;
  /**
   * Set `Content-Type` to a media type, or to the media type of a file extension.
   * @example
   * res.type('json').send('{}');
   * // GET / -> 200 (Content-Type: application/json; charset=utf-8) {}
   */
  type(type: string): this;
  /**
   * Set `Content-Type`, like `res.type()`.
   * @example
   * res.contentType('txt');
   * // GET / -> 200 (Content-Type: text/plain; charset=utf-8)
   */
  contentType(type: string): this;
  /**
   * Set a cookie (RFC 6265). Objects are sent as JSON, with the prefix `j:`.
   * @throws Error for `signed` without a secret; TypeError for invalid cookie names and values
   * @example
   * res.cookie('theme', 'dark', { maxAge: 3600_000, httpOnly: true });
   * // GET / -> 200 (Set-Cookie: theme=dark; Max-Age=3600; Path=/; Expires=…; HttpOnly)
   */
  cookie(name: string, val: unknown, options?: CookieOptions): this;
}

/** Headers of the response (RFC 9110, section 6.3). */
export interface ResponseHeaders extends HeaderBasics {
  /**
   * Add names to the `Vary` header (RFC 9110, section 12.5.5), unless it contains them.
   * @throws TypeError for an invalid header name
   * @example
   * res.vary('Accept').vary(['Accept', 'Accept-Language']);
   * // GET / -> 200 (Vary: Accept, Accept-Language)
   */
  // eslint-disable-next-line @typescript-eslint/unified-signatures -- only the form without a name is deprecated
  vary(field: string | readonly string[]): this;
  /** @deprecated Pass the name of a header. */
  vary(): this;
  /**
   * Add links to the `Link` header (RFC 8288).
   * @throws TypeError without links, and for a URL with a line break
   * @example
   * res.links({ next: '/list?page=2', last: '/list?page=9' });
   * // GET / -> 200 (Link: </list?page=2>; rel="next", </list?page=9>; rel="last")
   */
  links<Links extends { [K in keyof Links]: string }>(links: Links): this;
  /**
   * Set the `Location` header (RFC 9110, section 10.2.2) to a URL, which is percent-encoded where necessary.
   * @param url a URL, or `'back'` (deprecated) for the `Referer` of the request, or `'/'` without one
   * @example
   * res.status(201).location('/users/7');
   * // GET / -> 201 (Location: /users/7)
   */
  location(url: string): this;
  /**
   * Mark the response as a download (RFC 6266). A file name is sent to the client, and sets `Content-Type` by its
   * extension.
   * @throws TypeError for a file name that is not a string
   * @example
   * res.attachment('report.pdf');
   * // GET / -> 200 (Content-Disposition: attachment; filename="report.pdf") (Content-Type: application/pdf)
   */
  attachment(filename?: string): this;
  /**
   * Clear a cookie in the client. `domain` and `path` must be those with which it was set.
   * @example
   * res.clearCookie('theme');
   * // GET / -> 200 (Set-Cookie: theme=; Path=/; Expires=Thu, 01 Jan 1970 00:00:00 GMT)
   */
  clearCookie(name: string, options?: CookieOptions): this;
  /** @deprecated Part of the 3.x API, not implemented. Use `res.type()`. */
  charset: string;
}
