/** Members of a request that tell what is asked for: method, URL, parameters, and what middleware parsed. */
/* eslint-disable @typescript-eslint/no-explicit-any -- each use has its reason beside it */

/** The target of the request (RFC 9112, section 3) and the values parsed from it: what Express 5 has kept of it. */
export interface TargetBasics<P, ReqBody, ReqQuery> {
  /**
   * The method, in upper case (RFC 9110, section 9).
   * @example
   * req.method; // 'POST'
   * // POST /
   */
  method: string;
  /**
   * The URL below the path where the current router is mounted, with the query string.
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
   * The part of the path that mounting took off, as it was sent, not as the pattern is written.
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
   * The decoded parameters of the path: names, and numbers for wildcards and groups.
   * @example
   * app.get('/users/:id/*', (req, res) => res.json(req.params));
   * // GET /users/7/a%20b -> 200 {"0":"a b","id":"7"}
   */
  params: P;
  /**
   * The parsed query string, as the setting `query parser` says. Its values may be text, lists or objects.
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
   * The cookies, when cookie-parsing middleware is used.
   * @example
   * app.use(require('cookie-parser')());
   * app.get('/', (req, res) => res.send(req.cookies.theme));
   * // GET / (Cookie: theme=dark) -> 200 dark
   */
  // any: middleware decides what it is
  cookies: any;
  /**
   * The signed cookies, checked and without their signature, when cookie-parsing middleware is used.
   * @example
   * app.use(require('cookie-parser')('secret'));
   * app.get('/', (req, res) => res.json(req.signedCookies));
   * // GET / (Cookie: user=s:ada.forged) -> 200 {"user":false}
   */
  // any: middleware decides what it is
  signedCookies: any;
  /**
   * The route that is running: its `path`, `stack` and `methods`; undefined outside routes.
   * @example
   * app.get('/users/:id', (req, res) => res.send(req.route.path));
   * // GET /users/7 -> 200 /users/:id
   */
  // any: programs read it without checking for undefined, and tools add to it
  route: any;
  /**
   * The whole pattern that the request has matched: those of the mounts and that of the route. It stays the same for
   * error handlers and once the response is sent, and is undefined where nothing has matched: the label for metrics.
   *
   * Middleware with a path of its own has matched that path. Of an array of paths it is the one that matched; a regular
   * expression is its text.
   * @example
   * app.use('/api', router);
   * router.get('/users/:id', (req, res) => res.send(req.matchedPath));
   * // GET /api/users/7 -> 200 /api/users/:id
   */
  matchedPath: string | undefined;
}

/** The same, with the members that Express 5 removed. */
export interface RequestTarget<P, ReqBody, ReqQuery> extends TargetBasics<P, ReqBody, ReqQuery> {
  /**
   * A parameter of the path, else of the body, else of the query string.
   * @deprecated Use `req.params`, `req.body` or `req.query`.
   */
  // any: the default value is handed back as it is
  param(name: string, defaultValue?: any): string;
}
