/** The methods of routers and applications that register handlers for an HTTP method. */
import type { IRouterMatcher } from 'express-serve-static-core';
import type { SocketMatcher } from './websocket';

/** One method for each HTTP method of Node.js, `all`, and `ws`. */
export interface RoutingMethods {
  /**
   * Register a route that only WebSocket requests enter. The handlers before the last one run as in any other route;
   * a response to the request rejects the socket. Needs the package `ws`. See https://github.com/ristretto-web/ristretto/blob/main/docs/guide/websockets.md.
   * @param path a path, as for other routes; after it, options if any: `origins`, `maxPayload`, `message`, …
   * @returns the router or application, for chaining
   * @throws TypeError for an unknown or invalid option, and without a handler; Error if `ws` is not installed
   * @example
   * router.ws('/rooms/:room', (socket, req) => {
   *   socket.on('message', data => socket.send(`${req.params.room}: ${data}`));
   * });
   * // GET /rooms/tea -> 404
   */
  ws: SocketMatcher<this>;
  /**
   * Register handlers for all methods.
   * @throws TypeError for arguments that are not functions
   * @example
   * router.all('/private/*', (req, res, next) => (req.get('Authorization') ? next() : res.sendStatus(403)));
   * // DELETE /private/notes -> 403
   */
  all: IRouterMatcher<this, 'all'>;
  /**
   * Register handlers for GET requests, and for HEAD requests unless a HEAD handler is registered before (RFC 9110,
   * section 9.3.1).
   * @example router.get('/users/:id', (req, res) => res.json({ id: req.params.id }));
   */
  get: IRouterMatcher<this, 'get'>;
  /**
   * Register handlers for POST requests (RFC 9110, section 9.3.3).
   * @example router.post('/users', web.json(), (req, res) => res.status(201).json(req.body));
   */
  post: IRouterMatcher<this, 'post'>;
  /**
   * Register handlers for PUT requests (RFC 9110, section 9.3.4).
   * @example router.put('/users/:id', web.json(), replace);
   */
  put: IRouterMatcher<this, 'put'>;
  /**
   * Register handlers for DELETE requests (RFC 9110, section 9.3.5).
   * @example router.delete('/users/:id', remove);
   */
  delete: IRouterMatcher<this, 'delete'>;
  /**
   * Register handlers for PATCH requests (RFC 5789).
   * @example router.patch('/users/:id', web.json(), change);
   */
  patch: IRouterMatcher<this, 'patch'>;
  /**
   * Register handlers for OPTIONS requests (RFC 9110, section 9.3.7); without one, the response lists the methods of
   * the path.
   * @example router.options('/users', (req, res) => res.set('Allow', 'GET').end());
   */
  options: IRouterMatcher<this, 'options'>;
  /**
   * Register handlers for HEAD requests (RFC 9110, section 9.3.2); without one, the GET handlers run.
   * @example router.head('/users/:id', (req, res) => res.end());
   */
  head: IRouterMatcher<this, 'head'>;
  /** Register handlers for QUERY requests. Present if Node.js supports the method: Node 20.19.3, 22.2 and newer. */
  query?: IRouterMatcher<this, 'query'>;
  /** Register handlers for ACL requests (RFC 3744). */
  acl: IRouterMatcher<this>;
  /** Register handlers for BIND requests (RFC 5842). */
  bind: IRouterMatcher<this>;
  /** Register handlers for CHECKOUT requests (RFC 3253). */
  checkout: IRouterMatcher<this>;
  /** Register handlers for CONNECT requests (RFC 9110, section 9.3.6). */
  connect: IRouterMatcher<this>;
  /** Register handlers for COPY requests (RFC 4918). */
  copy: IRouterMatcher<this>;
  /** Register handlers for LINK requests (RFC 2068). */
  link: IRouterMatcher<this>;
  /** Register handlers for LOCK requests (RFC 4918). */
  lock: IRouterMatcher<this>;
  /** Register handlers for M-SEARCH requests (UPnP). */
  'm-search': IRouterMatcher<this>;
  /** Register handlers for MERGE requests (RFC 3253). */
  merge: IRouterMatcher<this>;
  /** Register handlers for MKACTIVITY requests (RFC 3253). */
  mkactivity: IRouterMatcher<this>;
  /** Register handlers for MKCALENDAR requests (RFC 4791). */
  mkcalendar: IRouterMatcher<this>;
  /** Register handlers for MKCOL requests (RFC 4918). */
  mkcol: IRouterMatcher<this>;
  /** Register handlers for MOVE requests (RFC 4918). */
  move: IRouterMatcher<this>;
  /** Register handlers for NOTIFY requests (UPnP). */
  notify: IRouterMatcher<this>;
  /** Register handlers for PROPFIND requests (RFC 4918). */
  propfind: IRouterMatcher<this>;
  /** Register handlers for PROPPATCH requests (RFC 4918). */
  proppatch: IRouterMatcher<this>;
  /** Register handlers for PURGE requests (caching proxies). */
  purge: IRouterMatcher<this>;
  /** Register handlers for REBIND requests (RFC 5842). */
  rebind: IRouterMatcher<this>;
  /** Register handlers for REPORT requests (RFC 3253). */
  report: IRouterMatcher<this>;
  /** Register handlers for SEARCH requests (RFC 5323). */
  search: IRouterMatcher<this>;
  /** Register handlers for SOURCE requests (Icecast). */
  source: IRouterMatcher<this>;
  /** Register handlers for SUBSCRIBE requests (UPnP). */
  subscribe: IRouterMatcher<this>;
  /** Register handlers for TRACE requests (RFC 9110, section 9.3.8). */
  trace: IRouterMatcher<this>;
  /** Register handlers for UNBIND requests (RFC 5842). */
  unbind: IRouterMatcher<this>;
  /** Register handlers for UNLINK requests (RFC 2068). */
  unlink: IRouterMatcher<this>;
  /** Register handlers for UNLOCK requests (RFC 4918). */
  unlock: IRouterMatcher<this>;
  /** Register handlers for UNSUBSCRIBE requests (UPnP). */
  unsubscribe: IRouterMatcher<this>;
}
