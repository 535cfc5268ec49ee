/** Members of a request that tell who asks and over what: addresses, host, protocol, caches. */

/**
 * Where the request came from. With the setting `trust proxy` off, all of it is what this server's socket and the
 * `Host` header say; with it on, the headers of trusted proxies count (`X-Forwarded-For`, `-Proto`, `-Host`).
 */
export interface RequestNetwork {
  /**
   * `'https'` over TLS, else `'http'`; from `X-Forwarded-Proto` behind a trusted proxy.
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
   * The addresses of `X-Forwarded-For` up to the first that is not trusted, the client first; empty without trust.
   * @example
   * app.set('trust proxy', 'loopback, 10.0.0.0/8');
   * app.get('/', (req, res) => res.json(req.ips));
   * // GET / (X-Forwarded-For: 203.0.113.7, 10.0.0.2) -> 200 ["203.0.113.7","10.0.0.2"]
   */
  readonly ips: string[];
  /**
   * The labels of the host name before the domain, nearest first; the setting `subdomain offset` says how long the
   * domain is.
   * @example
   * req.subdomains; // ['shop', 'de']
   * // GET / (Host: de.shop.example.com)
   */
  readonly subdomains: string[];
  /**
   * The host name of the `Host` header (RFC 9110, section 7.2) without port, or of `X-Forwarded-Host` behind a
   * trusted proxy.
   * @example
   * req.hostname; // 'example.com'
   * // GET / (Host: example.com:8080)
   */
  readonly hostname: string;
  /** @deprecated Use `req.hostname`. */
  readonly host: string;
  /**
   * Whether the client's copy is still good (RFC 9111, section 4.3): for GET and HEAD, from `If-None-Match` and
   * `If-Modified-Since` against the `ETag` and `Last-Modified` of the response.
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
   * Whether a script of a page made the request, as far as it says so with `X-Requested-With: XMLHttpRequest`.
   * @example
   * req.xhr; // true
   * // GET / (X-Requested-With: XMLHttpRequest)
   */
  readonly xhr: boolean;
}
