/** Members of a request that describe the client and the connection: addresses, host, protocol, caching. */

/**
 * The origin of the request. If the setting `trust proxy` is off, the values come from the server's socket and the
 * `Host` header; if it is on, the headers of trusted proxies apply (`X-Forwarded-For`, `-Proto`, `-Host`).
 */
export interface RequestNetwork {
  /**
   * The protocol of the request: `'https'` over TLS, otherwise `'http'`; behind a trusted proxy, the value of
   * `X-Forwarded-Proto`.
   * @example
   * req.protocol; // 'http'
   */
  readonly protocol: string;
  /**
   * Whether the protocol is `https`.
   * @example
   * if (!req.secure) res.redirect('https://example.com' + req.originalUrl);
   * // GET /users -> 302 (Location: https://example.com/users)
   */
  readonly secure: boolean;
  /**
   * The address of the client; undefined once the socket is closed.
   * @example
   * req.ip; // '127.0.0.1'
   */
  readonly ip: string | undefined;
  /**
   * The addresses in `X-Forwarded-For`, from the client, the first untrusted address, to the last proxy; empty without
   * trusted proxies.
   * @example
   * app.set('trust proxy', 'loopback, 10.0.0.0/8');
   * app.get('/', (req, res) => res.json(req.ips));
   * // GET / (X-Forwarded-For: 203.0.113.7, 10.0.0.2) -> 200 ["203.0.113.7","10.0.0.2"]
   */
  readonly ips: string[];
  /**
   * The labels of the host name that precede the domain, starting with the nearest; the setting `subdomain offset` is
   * the number of labels in the domain.
   * @example
   * req.subdomains; // ['shop', 'de']
   * // GET / (Host: de.shop.example.com)
   */
  readonly subdomains: string[];
  /**
   * The host name from the `Host` header (RFC 9110, section 7.2), without the port; behind a trusted proxy, from
   * `X-Forwarded-Host`.
   * @example
   * req.hostname; // 'example.com'
   * // GET / (Host: example.com:8080)
   */
  readonly hostname: string;
  /** @deprecated Use `req.hostname`. */
  readonly host: string;
  /**
   * Whether the client's cached copy is still fresh (RFC 9111, section 4.3). For GET and HEAD, compares `If-None-Match`
   * and `If-Modified-Since` with the `ETag` and `Last-Modified` of the response.
   * @example
   * res.set('ETag', '"1"');
   * res.status(req.fresh ? 304 : 200).end();
   * // GET / (If-None-Match: "1") -> 304 (ETag: "1")
   */
  readonly fresh: boolean;
  /**
   * The opposite of `req.fresh`.
   * @example
   * res.set('ETag', '"2"');
   * req.stale; // true
   * // GET / (If-None-Match: "1")
   */
  readonly stale: boolean;
  /**
   * Whether the request declares that a script sent it, with `X-Requested-With: XMLHttpRequest`.
   * @example
   * req.xhr; // true
   * // GET / (X-Requested-With: XMLHttpRequest)
   */
  readonly xhr: boolean;
}
