/** The response members that set headers. */
export interface ResponseHeaders {
  vary(field: string | readonly string[]): this;
  /**
   * Add links to the `Link` header (RFC 8288), one or several per relation.
   * @example
   * res.links({ next: '/list?page=2', alternate: ['/en', '/fr'] });
   * // GET / -> 200 (Link: </list?page=2>; rel="next", </en>; rel="alternate", </fr>; rel="alternate")
   */
  links<Links extends { [K in keyof Links]: string | readonly string[] }>(links: Links): this;
  /** @param url a URL */
  location;
  /**
   * @example
   * res.attachment('report.pdf');
   * // GET / -> 200 (Content-Disposition: attachment; filename=report.pdf) (Content-Type: application/pdf)
   */
  attachment;
  /** Clear a cookie. Domain and path must be those with which it was set; `maxAge` and `expires` are ignored. */
  clearCookie;
  /** @removed */
  charset: never;
}
