/**
 * Application, request, response, router and path parameters of 5.x, under the module name that programs written for
 * Express augment. The engine's types, which have the members that 4.x and 5.x share, refer to them by that name, so that
 * their signatures of `app.get`, `web.validate` and all others are those of 5.x here. A program cannot use both: see
 * https://github.com/ristretto-web/ristretto/blob/main/docs/which.md.
 */
/// <reference path="../express-serve-static-core.d.ts" />
import type { EventEmitter } from 'node:events';
import type * as http from 'node:http';
import type * as http2 from 'node:http2';
import type { ListenOptions } from 'node:net';
import type { ApplicationBasics } from '@ristretto/private-engine/lib/types/application-members';
// prettier-ignore
import type {
  ApplicationHandler, LayerBasics, RequestBasics, ResponseBasics, RouteBasics,
} from '@ristretto/private-engine/lib/types/core-basics';
import type { Nothing } from '@ristretto/private-engine/lib/types/inferred-request';
import type { MethodName } from '@ristretto/private-engine/lib/types/method-names';
import type { NegotiationBasics } from '@ristretto/private-engine/lib/types/request-negotiation';
import type { RequestNetwork } from '@ristretto/private-engine/lib/types/request-network';
import type { TargetBasics } from '@ristretto/private-engine/lib/types/request-target';
import type { ContentBasics } from '@ristretto/private-engine/lib/types/response-content';
import type { ResponseSending } from '@ristretto/private-engine/lib/types/response-sending';
import type {
  ListedRoute,
  RouteAdditions,
  RouterAdditions,
} from '@ristretto/private-engine/lib/types/route-list';
import type { FollowingHandler, HandlerArgument, Settled } from '@ristretto/private-engine/lib/types/routing';
import type { RoutingMethods } from '@ristretto/private-engine/lib/types/routing-methods';
import type { SettingsMembers } from '@ristretto/private-engine/lib/types/settings';
import type * as paths from '../lib/types/path-parameters';
import type { ResponseHeaders } from './response-headers';

declare module 'express-serve-static-core' {
  /**
   * Parameters of a path that the compiler cannot read (a variable, a list of paths): strings, or arrays of segments
   * for wildcards.
   */
  interface ParamsDictionary {
    [key: string]: string | string[];
    [key: number]: string;
  }

  /** Parameters of a regular expression: its groups by name and number. */
  interface ParamsFlatDictionary {
    [key: string]: string;
    [key: number]: string;
  }

  /** Any parameters. */
  type Params = ParamsDictionary | ParamsFlatDictionary;

  /**
   * The parameters of a path.
   *
   * - `/users/:id{/:tab}` gives `{ id: string; tab?: string }`
   * - `/files/*path` gives `{ path: string[] }`
   * - a path with an escape, or one that is not a literal, gives any keys
   * @example
   * type Found = RouteParameters<'/users/:id'>; // { id: string }
   */
  type RouteParameters<Route extends string> = paths.RouteParameters<Route, ParamsDictionary>;

  // This adds one signature; the first ones are those of the engine's `routing.ts`.
  interface IRouterMatcher<
    T,
    _Method extends 'all' | 'get' | 'post' | 'put' | 'delete' | 'patch' | 'options' | 'head' | 'query' = any,
  > {
    <
      P = ParamsFlatDictionary,
      ResBody = any,
      ReqBody = any,
      ReqQuery = Query,
      LocalsObj extends Record<string, any> = Record<string, any>,
    >(
      path: RegExp,
      ...handlers: HandlerArgument<Settled<P>, ResBody, ReqBody, ReqQuery, LocalsObj>[]
    ): T;
  }

  /** An entry of a stack: a handler, and the path for which it runs. */
  interface ILayer extends LayerBasics {
    /** The method in lower case, if the layer belongs to a route. */
    method?: string;
    /** The path as it was registered. */
    rawPath: PathParams;
    /** Whether the layer runs for every path. */
    slash: boolean;
    /**
     * Match a path against the layer's path.
     * @returns the parameters and the part that matched, or false
     * @example app.router.stack[0].match('/users/7'); // { params: { id: '7' }, path: '/users/7', … }
     */
    match(path: string): { params: Record<string, string | string[] | undefined>; path: string } | false;
  }

  /** The handlers of one path, by method: returned by `app.route(path)`. */
  // The path may be a regular expression, as in `@types/express@5`, so that declarations compiled against either are
  // interchangeable.
  interface IRoute<Route extends string | RegExp = string>
    extends
      RouteBasics,
      RouteAdditions,
      Record<MethodName, IRouterHandler<IRoute<Route>, Route extends string ? Route : string>> {
    /** Register handlers for all methods. Handlers of single methods see the members that they add. */
    all: FollowingHandler<IRoute<Route>, Route extends string ? Route : string, 'route', Nothing> &
      IRouterHandler<IRoute<Route>, Route extends string ? Route : string>;
    /** Present if Node.js supports the method: Node 20.19.3, 22.2 and newer. */
    query?: IRouterHandler<IRoute<Route>, Route extends string ? Route : string>;
  }

  /** The members shared by routers and applications: one method for each HTTP method of Node.js, `all` and `use`. */
  interface IRouter extends RequestHandler, RoutingMethods, RouterAdditions {
    /**
     * Register middleware for every path, or for a path and all paths below it.
     * @throws TypeError if there is no function among the arguments, or the path is invalid
     * @example
     * router.use('/files', web.static('public'));
     * // GET /files/app.css -> 200 (Content-Type: text/css; charset=utf-8) p { color: red }
     * // GET /users -> 404
     */
    use: IRouterHandler<this> & IRouterMatcher<this>;
    /**
     * Register a callback that runs before the routes that have the parameter; the value of a wildcard is an array.
     * @throws TypeError if the handler is not a function
     * @example
     * router.param('id', (req, res, next, id) => next(/^\d+$/.test(id) ? undefined : 'route'));
     * router.get('/users/:id', (req, res) => res.send(`User ${req.params.id}`));
     * // GET /users/7 -> 200 User 7
     * // GET /users/me -> 404
     */
    param(name: string, handler: RequestParamHandler): this;
    /**
     * Create a route, to register handlers for several methods of one path.
     * @returns the route
     * @throws TypeError for an invalid path
     * @example
     * router.route('/users/:id').get(show).put(change);
     * // GET /users/7 -> 200 show
     * // PUT /users/7 -> 200 change
     * // OPTIONS /users/7 -> 200 (Allow: GET, HEAD, PUT)
     */
    route<T extends string>(prefix: T): IRoute<T>;
    route(prefix: PathParams): IRoute;
    /**
     * Register handlers for all methods.
     * @throws TypeError for arguments that are not functions, and for an invalid path
     * @example
     * router.all('/private/*path', (req, res, next) => (req.get('Authorization') ? next() : res.sendStatus(403)));
     * // DELETE /private/notes -> 403
     */
    all: IRouterMatcher<this, 'all'>;
    /**
     * Handle a request, as calling the router does.
     * @param done called if nothing responds, with the error if there is one
     * @example
     * router.get('/', (req, res) => res.send('Home'));
     * app.use((req, res, next) => router.handle(req, res, next));
     * // GET / -> 200 Home
     */
    handle(req: http.IncomingMessage, res: http.ServerResponse, done: (err?: any) => void): void;
  }

  /** A router: middleware and routes that can be mounted. */
  interface Router extends IRouter {
    /**
     * List the routes and mounts of this router, one entry per path, in the order in which they run; `routes()` lists
     * the whole tree.
     * @returns an object for each path, with `router` if it is a mount
     * @example
     * router.get('/users/:id', show);
     * router.listRoutes(); // [{ path: '/users/:id', methods: ['GET', 'HEAD'] }]
     */
    listRoutes(): ListedRoute<IRouter>[];
    /**
     * The layers, in the order in which they run. The array may be modified.
     * @example
     * router.get('/', function home(req, res) { res.send('Home'); });
     * router.stack.length; // 1
     */
    stack: ILayer[];
    /**
     * Whether paths are case-sensitive.
     * @example
     * web.Router({ caseSensitive: true }).caseSensitive; // true
     */
    caseSensitive: boolean | undefined;
    /**
     * Whether `req.params` includes the parameters of the mount path.
     * @example
     * web.Router({ mergeParams: true }).mergeParams; // true
     */
    mergeParams: boolean | undefined;
    /**
     * Whether a trailing slash is significant.
     * @example
     * web.Router({ strict: true }).strict; // true
     */
    strict: boolean | undefined;
  }

  /** A request as passed to handlers: Node's own, with the framework's members. */
  interface Request<
    P = ParamsDictionary,
    ResBody = any,
    ReqBody = any,
    ReqQuery = Query,
    LocalsObj extends Record<string, any> = Record<string, any>,
  >
    extends
      TargetBasics<P, ReqBody, ReqQuery>,
      http.IncomingMessage,
      Express.Request,
      NegotiationBasics,
      RequestNetwork,
      RequestBasics<ResBody, LocalsObj> {
    method: string;
    url: string;
    // Declared here, too, so that editors show it as a member of `Request`
    body: ReqBody;
    /**
     * The host and port of the request, from `X-Forwarded-Host` if a trusted proxy sent it.
     * @example
     * req.host; // 'example.com:3000'
     * // GET / (Host: example.com:3000)
     */
    readonly host: string;
    /**
     * The query string, parsed on each read according to the setting `query parser`, which is flat by default.
     * @example
     * req.query; // { page: '2', 'filter[price]': '5' }
     * // GET /list?page=2&filter[price]=5
     */
    readonly query: ReqQuery;
    /**
     * The decoded parameters of the path: strings by name, arrays of segments for wildcards, and numbered strings for
     * unnamed groups of regular expressions.
     * @example
     * app.get('/users/:id/*path', (req, res) => res.json(req.params));
     * // GET /users/7/a%20b/c -> 200 {"id":"7","path":["a b","c"]}
     */
    params: P;
  }

  /** A response as passed to handlers: Node's own, with the framework's members. */
  interface Response<
    ResBody = any,
    LocalsObj extends Record<string, any> = Record<string, any>,
    StatusCode extends number = number,
  >
    extends
      ResponseSending<ResBody, StatusCode>,
      ResponseBasics<LocalsObj>,
      http.ServerResponse,
      Express.Response,
      ResponseHeaders,
      ContentBasics {
    headersSent: boolean;
    req: Request;
    /**
     * Set the status code.
     * @throws TypeError if the status is not an integer, RangeError if it is not between 100 and 999
     * @example
     * res.status(404).send('No such page');
     * // GET / -> 404 No such page
     */
    status(code: StatusCode): this;
    /**
     * Set the status code and send its standard text, or the number if it has none.
     * @throws TypeError if the status is not an integer, RangeError if it is not between 100 and 999
     * @example
     * res.sendStatus(404);
     * // GET / -> 404 (Content-Type: text/plain; charset=utf-8) Not Found
     */
    sendStatus(code: StatusCode): this;
    /**
     * Send a file, with a `Content-Type` from its extension and support for ranges and conditional requests (RFC 9110,
     * sections 13 and 14).
     * @param path absolute, or relative to the option `root`, which it cannot leave
     * @param fn called on completion, or with an error, to which it must then respond; without it, errors go to `next`
     * @throws TypeError if the path is missing, not a string, or relative without `root`
     * @default dotfiles 'ignore'
     * @example
     * res.sendFile('report.pdf', { root: 'files' });
     * // GET / -> 200 (Content-Type: application/pdf) (Accept-Ranges: bytes) (Content-Length: 10) 0123456789
     * // GET / (Range: bytes=2-4) -> 206 (Content-Range: bytes 2-4/10) 234
     */
    sendFile(path: string, fn?: Errback): void;
    sendFile(path: string, options: SendFileOptions, fn?: Errback): void;
    /**
     * Send a file as a download (RFC 6266).
     * @param path absolute, or relative to the working directory or the option `root`
     * @param filename name under which the client saves the file; by default, the file's own name
     * @param fn called on completion, or with an error, to which it must then respond; without it, errors go to `next`
     * @default dotfiles 'ignore'
     * @throws TypeError for a path that is not a string
     * @example
     * res.download('files/7.pdf', 'report.pdf');
     * // GET / -> 200 (Content-Disposition: attachment; filename=report.pdf) 0123456789
     */
    download(path: string, fn?: Errback): void;
    download(path: string, options: DownloadOptions, fn?: Errback): void;
    download(path: string, filename: string, fn?: Errback): void;
    download(path: string, filename: string, options: DownloadOptions, fn?: Errback): void;
    /**
     * Redirect the client to another URL (RFC 9110, section 15.4), with status 302 by default.
     * @param url a URL
     * @example
     * res.redirect(303, '/done');
     * // GET / -> 303 (Location: /done)
     */
    redirect(url: string): void;
    redirect(status: number, url: string): void;
  }

  /** An application: a router with settings, views and a server, and itself a request handler. */
  interface Application<LocalsObj extends Record<string, any> = Record<string, any>>
    extends
      ApplicationHandler<LocalsObj>,
      EventEmitter,
      IRouter,
      Express.Application,
      ApplicationBasics,
      SettingsMembers {
    /**
     * Read a setting, or register handlers for GET requests.
     * @returns the value of the setting, or the application
     * @example
     * app.get('env'); // 'development'
     * @example
     * app.get('/', (req, res) => res.send('Home'));
     * // GET / -> 200 Home
     */
    get: SettingReader & IRouterMatcher<this>;
    /**
     * Register a callback that runs before the routes that have one of the parameters; the value of a wildcard is an
     * array.
     * @throws TypeError if the handler is not a function
     * @example
     * app.param('id', (req, res, next, id) => {
     *   req.user = users.get(id);
     *   next();
     * });
     * app.get('/users/:id', (req, res) => res.json(req.user));
     * // GET /users/7 -> 200 {"name":"Ada"}
     */
    param(name: string | string[], handler: RequestParamHandler): this;
    /**
     * Register middleware, routers or applications for every path, or for a path and all paths below it.
     * @throws TypeError if there is no function among the arguments, or the path is invalid
     * @example
     * app.use('/static', web.static('public'));
     * // GET /static/app.css -> 200 p { color: red }
     * // GET /app.css -> 404
     */
    use: ApplicationRequestHandler<this>;
    /**
     * Add an event listener. `mount` is emitted with the parent application when the application is mounted.
     * @example
     * const admin = web();
     * admin.on('mount', parent => admin.set('title', parent.get('title')));
     * app.set('title', 'My site').use('/admin', admin);
     * admin.get('title'); // 'My site'
     */
    on(event: 'mount', callback: (parent: Application) => void): this;
    on(event: string | symbol, listener: (...args: any[]) => void): this;
    /** Initialize the application's settings, engines and locals. `web()` calls this. */
    init(): void;
    /** Set all settings to their default values. `app.init()` calls this. */
    defaultConfiguration(): void;
    /**
     * Handle a request.
     * @param done called if nothing responds, with the error if there is one; without it, the application responds
     * @example
     * const admin = web();
     * admin.get('/', (req, res) => res.send('Admin'));
     * app.use('/admin', (req, res, next) => admin.handle(req, res, next));
     * // GET /admin -> 200 Admin
     */
    handle(req: http.IncomingMessage, res: http.ServerResponse, done?: (err?: any) => void): void;
    /**
     * Create an HTTP server with this application as its request listener, and start listening.
     * @param port port number; 0 or omitted for any free port
     * @param callback called when the server listens, or with the error
     * @returns the server
     * @example app.listen(3000, () => console.log('ready'));
     */
    listen(port: number, hostname: string, backlog: number, callback?: (error?: Error) => void): http.Server;
    listen(port: number, hostname: string, callback?: (error?: Error) => void): http.Server;
    listen(port: number, callback?: (error?: Error) => void): http.Server;
    listen(callback?: (error?: Error) => void): http.Server;
    /** @deprecated Pass the port as a number. Other strings are paths of sockets or pipes. */
    listen(port: `${number}`, callback?: (error?: Error) => void): http.Server;
    listen(path: string, callback?: (error?: Error) => void): http.Server;
    listen(options: ListenOptions, callback?: (error?: Error) => void): http.Server;
    /**
     * Create an HTTP/2 server (RFC 9113): over TLS with HTTP/1.1 fallback if `key` and `cert` are set, otherwise in
     * cleartext.
     * @param options those of `server.listen` and of `http2.createSecureServer`
     * @example app.listen({ http2: true, port: 443, key, cert });
     */
    listen(
      options: ListenOptions & http2.SecureServerOptions & { http2: true },
      callback?: (error?: Error) => void,
    ): http2.Http2SecureServer;
    // Any: handles have no common declared type
    listen(handle: any, listeningListener?: (error?: Error) => void): http.Server;
    /**
     * The router, created when it is first read: `app.router.stack` holds the layers.
     * @example
     * app.get('/users/:id', show);
     * app.router.stack.map(({ name }) => name); // ['handle']
     */
    readonly router: Router;
    /**
     * The application in which this one is mounted.
     * @example
     * const admin = web();
     * app.use('/admin', admin);
     * admin.parent === app; // true
     */
    parent?: Application;
  }
}

// prettier-ignore
export type {
  Application, CookieOptions, DownloadOptions, Errback, ErrorRequestHandler, Express, Handler, IRoute, IRouter,
  IRouterHandler, IRouterMatcher, Locals, MediaType, NextFunction, ParamsDictionary, PathParams, Query, Request,
  RequestHandler, RequestParamHandler, Response, RouteParameters, Router, RouterOptions, Send, SendFileOptions, Settings,
} from 'express-serve-static-core';
// These files declare names under the same module, so a program that imports this file has to load them too.
export type {} from '@ristretto/private-engine/lib/types/core-basics';
export type {} from '@ristretto/private-engine/lib/types/handlers';
