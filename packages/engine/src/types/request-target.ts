/** Members of a request that describe its target: method, URL, parameters, and values parsed by middleware. */
/* eslint-disable @typescript-eslint/no-explicit-any -- each use has its reason beside it */

/**
 * The target of the request (RFC 9112, section 3) and the values parsed from it: the members that Express 5 has kept.
 */
export interface TargetBasics<P, ReqBody, ReqQuery> {
  /**
   * The HTTP method in upper case (RFC 9110, section 9).
   * @example
   * req.method; // 'POST'
   * // POST /
   */
  method: string;
  /**
   * The URL with its query string, relative to the mount path of the current router.
   * @example
   * app.use('/api', (req, res) => res.send(req.url));
   * // GET /api/users?page=2 -> 200 /users?page=2
   */
  url: string;
  /**
   * The URL as the client sent it.
   * @example
   * app.use('/api', (req, res) => res.send(req.originalUrl));
   * // GET /api/users?page=2 -> 200 /api/users?page=2
   */
  originalUrl: string;
  /**
   * The mount path that was removed from the URL: the text from the request, not the pattern.
   * @example
   * router.get('/users', (req, res) => res.send(req.baseUrl));
   * app.use('/:section', router);
   * // GET /admin/users -> 200 /admin
   */
  baseUrl: string;
  /**
   * The path of `req.url`, without the query string.
   * @example
   * req.path; // '/users/7'
   * // GET /users/7?page=2
   */
  readonly path: string;
  /**
   * The decoded parameters of the path, by name; wildcards and groups are numbered.
   * @example
   * app.get('/users/:id/*', (req, res) => res.json(req.params));
   * // GET /users/7/a%20b -> 200 {"0":"a b","id":"7"}
   */
  params: P;
  /**
   * The query string, parsed according to the setting `query parser`. Its values can be strings, arrays or objects.
   * @example
   * req.query; // { page: '2', filter: { price: '5' } }
   * // GET /list?page=2&filter[price]=5
   */
  query: ReqQuery;
  /**
   * The parsed body; undefined until a body parser has run.
   * @example
   * app.post('/', web.json(), (req, res) => res.json(req.body));
   * // POST / {"name":"Ada"} -> 200 {"name":"Ada"}
   */
  body: ReqBody;
  /**
   * The cookies, if cookie-parsing middleware is used.
   * @example
   * app.use(require('cookie-parser')());
   * app.get('/', (req, res) => res.send(req.cookies.theme));
   * // GET / (Cookie: theme=dark) -> 200 dark
   */
  // Any: middleware determines the type
  cookies: any;
  /**
   * The signed cookies, verified and without their signatures, if cookie-parsing middleware is used.
   * @example
   * app.use(require('cookie-parser')('secret'));
   * app.get('/', (req, res) => res.json(req.signedCookies));
   * // GET / (Cookie: user=s:ada.forged) -> 200 {"user":false}
   */
  // Any: middleware determines the type
  signedCookies: any;
  /**
   * The current route, with its `path`, `stack` and `methods`; undefined outside of routes.
   * @example
   * app.get('/users/:id', (req, res) => res.send(req.route.path));
   * // GET /users/7 -> 200 /users/:id
   */
  // Any: programs read it without checking for undefined, and tools add to it
  route: any;
  /**
   * The full pattern that the request has matched: the mount paths followed by the path of the route. It remains set in
   * error handlers and after the response has been sent, so it can serve as a label for metrics; it is undefined if
   * nothing has matched.
   *
   * In middleware with a path, it includes that path. Of an array of paths, it is the one that matched; a regular
   * expression is converted to a string.
   * @example
   * app.use('/api', router);
   * router.get('/users/:id', (req, res) => res.send(req.matchedPath));
   * // GET /api/users/7 -> 200 /api/users/:id
   */
  matchedPath: string | undefined;
  /**
   * The bytes of the body, decompressed, if its parser has the option `raw`; undefined otherwise, and without a body.
   * @example
   * app.post('/webhooks', web.json({ raw: true }), (req, res) => res.json(req.rawBody?.length));
   * // POST /webhooks {"a":1} -> 200 7
   */
  rawBody?: Buffer;
}

/** The same members, plus those that Express 5 removed. */
export interface RequestTarget<P, ReqBody, ReqQuery> extends TargetBasics<P, ReqBody, ReqQuery> {
  /**
   * Return a parameter of the path or, if there is none, of the body or the query string.
   * @deprecated Use `req.params`, `req.body` or `req.query`.
   */
  // Any: the default value is returned unchanged
  param(name: string, defaultValue?: any): string;
}
