/** The response members that set headers. */
import type { CookieOptions } from '@ristretto/private-engine/lib/types/cookie';
import type { HeaderBasics } from '@ristretto/private-engine/lib/types/response-headers';

/** Headers of the response (RFC 9110, section 6.3). */
export interface ResponseHeaders extends HeaderBasics {
  /**
   * Add names to the `Vary` header (RFC 9110, section 12.5.5), unless it contains them.
   * @throws TypeError for an invalid header name
   * @example
   * res.vary('Accept').vary(['Accept', 'Accept-Language']);
   * // GET / -> 200 (Vary: Accept, Accept-Language)
   */
  vary(field: string | readonly string[]): this;
  /**
   * Add links to the `Link` header (RFC 8288), one or several per relation.
   * @throws TypeError without links, and for a URL with a line break
   * @example
   * res.links({ next: '/list?page=2', alternate: ['/en', '/fr'] });
   * // GET / -> 200 (Link: </list?page=2>; rel="next", </en>; rel="alternate", </fr>; rel="alternate")
   */
  links<Links extends { [K in keyof Links]: string | readonly string[] }>(links: Links): this;
  /**
   * Set the `Location` header (RFC 9110, section 10.2.2) to a URL, which is percent-encoded where necessary.
   * @param url a URL
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
   * // GET / -> 200 (Content-Disposition: attachment; filename=report.pdf) (Content-Type: application/pdf)
   */
  attachment(filename?: string): this;
  /**
   * Clear a cookie. Domain and path must be those with which it was set; `maxAge` and `expires` are ignored.
   * @example
   * res.clearCookie('theme');
   * // GET / -> 200 (Set-Cookie: theme=; Path=/; Expires=Thu, 01 Jan 1970 00:00:00 GMT)
   */
  clearCookie(name: string, options?: CookieOptions): this;
}
