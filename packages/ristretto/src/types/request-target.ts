/** Members of a request that tell what is asked for: method, URL, parameters, and what middleware parsed. */
/* eslint-disable @typescript-eslint/no-explicit-any -- each use has its reason beside it */

/** The target of the request (RFC 9112, section 3) and the values parsed from it: what Express 5 has kept of it. */
export interface TargetBasics<P, ReqBody, ReqQuery> {
  /** The method, in upper case (RFC 9110, section 9). */
  method: string;
  /** The URL below the path where the current router is mounted, with the query string. */
  url: string;
  /** The URL as the client sent it. */
  originalUrl: string;
  /**
   * The part of the path that mounting took off, as it was sent, not as the pattern is written.
   * @example req.baseUrl; // '/admin' in a router mounted at '/adm*'
   */
  baseUrl: string;
  /**
   * The path of `req.url`, without the query string.
   * @example req.path; // '/users/7'
   */
  readonly path: string;
  /**
   * The decoded parameters of the path: names, and numbers for wildcards and groups.
   * @example app.get('/users/:id', (req, res) => res.send(req.params.id));
   */
  params: P;
  /**
   * The parsed query string, as the setting `query parser` says. Its values may be text, lists or objects.
   * @example req.query.page; // '2' for /list?page=2
   */
  query: ReqQuery;
  /**
   * The parsed body; undefined until a body parser has run.
   * @example app.post('/', web.json(), (req, res) => res.json(req.body));
   */
  body: ReqBody;
  /** The cookies, when cookie-parsing middleware is used. */
  // any: middleware decides what it is
  cookies: any;
  /** The signed cookies, checked and without their signature, when cookie-parsing middleware is used. */
  // any: middleware decides what it is
  signedCookies: any;
  /** The route that is running: its `path`, `stack` and `methods`; undefined outside routes. */
  // any: programs read it without checking for undefined, and tools add to it
  route: any;
  /**
   * The whole pattern that the request has matched: those of the mounts and that of the route. It stays the same for
   * error handlers and once the response is sent, and is undefined where nothing has matched: the label for metrics.
   *
   * Middleware with a path of its own has matched that path. Of an array of paths it is the one that matched; a regular
   * expression is its text.
   * @example res.on('finish', () => count(req.matchedPath)); // '/api/users/:id'
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
