/**
 * Application, request, response, router and path parameters of 5.x, under the module name that programs written for Express
 * augment. The files of `ristretto` that these are made of refer to them by that name, so their signatures of `app.get`,
 * `web.valid` and all others are those of 5.x here. A program can't have both: see docs/which.md.
 */
/// <reference path="../express-serve-static-core.d.ts" />
import type { EventEmitter } from 'node:events';
import type * as http from 'node:http';
import type * as http2 from 'node:http2';
import type { ListenOptions } from 'node:net';
import type { ApplicationBasics } from 'ristretto/lib/types/application-members';
import type { MethodName } from 'ristretto/lib/types/method-names';
import type { NegotiationBasics } from 'ristretto/lib/types/request-negotiation';
import type { RequestNetwork } from 'ristretto/lib/types/request-network';
import type { TargetBasics } from 'ristretto/lib/types/request-target';
import type { ContentBasics } from 'ristretto/lib/types/response-content';
import type { ResponseSending } from 'ristretto/lib/types/response-sending';
import type { RouteAdditions, RouterAdditions } from 'ristretto/lib/types/route-list';
import type { HandlerArgument, Settled } from 'ristretto/lib/types/routing';
import type { RoutingMethods } from 'ristretto/lib/types/routing-methods';
import type { SettingsMembers } from 'ristretto/lib/types/settings';
import type * as paths from '../lib/types/path-parameters';
import type { ResponseHeaders5 } from '../lib/types/response-headers';

declare module 'express-serve-static-core' {
  /**
   * Parameters of a path that the compiler can't read (a variable, a list of paths): text, or a list of segments for a
   * wildcard.
   */
  interface ParamsDictionary {
    [key: string]: string | string[];
    [key: number]: string;
  }

  /** Parameters of a regular expression: names and numbers of its groups. */
  interface ParamsFlatDictionary {
    [key: string]: string;
    [key: number]: string;
  }

  /** Any parameters. */
  type Params = ParamsDictionary | ParamsFlatDictionary;

  /**
   * The parameters that a path promises.
   *
   * - `/users/:id{/:tab}` gives `{ id: string; tab?: string }`
   * - `/files/*path` gives `{ path: string[] }`
   * - a path with an escape, or one that is not a literal, gives any keys
   *
   * @example
   * type Found = RouteParameters<'/users/:id'>; // { id: string }
   */
  type RouteParameters<Route extends string> = paths.RouteParameters<Route, ParamsDictionary>;

  // The first signatures are those of ristretto's routing.ts.
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

  /** An entry of a stack: a handler and the path it runs for. */
  interface ILayer {
    /** The route that the layer leads to; undefined for middleware. */
    route?: IRoute;
    /** The name of the handler. */
    name: string;
    /** The path as it was registered. */
    rawPath: PathParams;
    /** Whether the layer runs for every path. */
    slash: boolean;
    /** The method, in lower case, when the layer belongs to a route. */
    method?: string;
    /** The handler. */
    handle: (req: Request, res: Response, next: NextFunction) => any;
    /**
     * Match a path.
     * @returns the parameters and the part that matched, or false
     * @example app.router.stack[0].match('/users/7'); // { params: { id: '7' }, path: '/users/7', … }
     */
    match(path: string): { params: Record<string, string | string[] | undefined>; path: string } | false;
  }

  /** The handlers of one path, by method: what `app.route(path)` makes. */
  interface IRoute<Route extends string = string>
    extends RouteAdditions, Record<MethodName | 'all', IRouterHandler<IRoute<Route>, Route>> {
    /** The path, as it was registered. */
    path: string;
    /** The handlers, in the order in which they run. */
    stack: ILayer[];
    /** Which methods have handlers; `_all` stands for all of them. */
    methods: Record<string, boolean>;
    /** Only where Node.js knows the method: Node 20.19.3, 22.2 and newer. */
    query?: IRouterHandler<IRoute<Route>, Route>;
  }

  /** What routers and applications share: one method for each HTTP method of Node.js, `all` and `use`. */
  interface IRouter extends RequestHandler, RoutingMethods, RouterAdditions<IRouter> {
    /**
     * Register middleware, for every path or for those that start with one.
     * @throws TypeError when there is no function among the arguments, or the path can't be read
     * @example router.use('/files', web.static('public'));
     */
    use: IRouterHandler<this> & IRouterMatcher<this>;
    /**
     * Register a trigger for a parameter of routes; the value of a wildcard is a list.
     * @example router.param('id', (req, res, next, id) => next(/^\d+$/.test(id) ? undefined : 'route'));
     */
    param(name: string, handler: RequestParamHandler): this;
    /**
     * Make a route, to register handlers of several methods under one path.
     * @example router.route('/users/:id').get(show).put(change);
     */
    route<T extends string>(prefix: T): IRoute<T>;
    route(prefix: PathParams): IRoute;
    /**
     * Handle a request, as calling the router does.
     * @param done called when nothing responds, with the error if there is one
     * @example router.handle(req, res, next);
     */
    handle(req: http.IncomingMessage, res: http.ServerResponse, done: (err?: any) => void): void;
  }

  /** A router: middleware and routes that can be mounted. */
  interface Router extends IRouter {
    /** The layers in the order in which they run; it may be changed. */
    stack: ILayer[];
    /** Whether upper and lower case differ in paths. */
    caseSensitive: boolean | undefined;
    /** Whether `req.params` has the parameters of the parent too. */
    mergeParams: boolean | undefined;
    /** Whether a slash at the end makes a difference. */
    strict: boolean | undefined;
  }

  /** A request, as handlers get it: Node's own, with the framework's members. */
  interface Request<
    P = ParamsDictionary,
    ResBody = any,
    ReqBody = any,
    ReqQuery = Query,
    LocalsObj extends Record<string, any> = Record<string, any>,
  >
    extends
      http.IncomingMessage,
      Express.Request,
      NegotiationBasics,
      RequestNetwork,
      TargetBasics<P, ReqBody, ReqQuery> {
    method: string;
    url: string;
    /** The application that is running. */
    app: Application;
    /** The response to this request. */
    res?: Response<ResBody, LocalsObj> | undefined;
    /** Passes control to what comes after the current application. */
    next?: NextFunction | undefined;
    /**
     * The host and the port that the client asked for, with `X-Forwarded-Host` of a trusted proxy.
     * @example req.host; // 'example.com:3000'
     */
    readonly host: string;
    /**
     * The query string, parsed at each read as the setting `query parser` says: flat by default.
     * @example req.query.page; // '2' for /list?page=2
     */
    readonly query: ReqQuery;
    /** Is aborted when the client disconnects before the response is finished, and by `web.deadline`; never later. */
    signal: AbortSignal;
  }

  /** A response, as handlers get it: Node's own, with the framework's members. */
  interface Response<
    ResBody = any,
    LocalsObj extends Record<string, any> = Record<string, any>,
    StatusCode extends number = number,
  >
    extends
      http.ServerResponse,
      Express.Response,
      ResponseSending<ResBody, StatusCode>,
      ResponseHeaders5,
      ContentBasics {
    headersSent: boolean;
    /** The application that is running. */
    app: Application;
    /** The request that is responded to. */
    req: Request;
    /**
     * Run the handler of the media type that the client likes best (RFC 9110, section 12.5.1) and set `Content-Type`
     * and `Vary`. Keys are media types or extensions; `default` runs where none fits, without it `next` gets a 406.
     * @example res.format({ html: () => res.send('<p>Hi</p>'), json: () => res.json({ hi: true }) });
     */
    format(handlers: Record<string, RequestHandler> | object): this;
    /**
     * Redirect (RFC 9110, section 15.4), with 302 unless a status is given.
     * @example res.redirect(303, '/done');
     */
    redirect(url: string): void;
    redirect(status: number, url: string): void;
    /**
     * Names that views of this response see. Never take the names from a client.
     * @example res.locals.user = req.user;
     */
    locals: LocalsObj & Locals;
  }

  /** An application: a router with settings, views and a server; and itself a handler of requests. */
  interface Application<LocalsObj extends Record<string, any> = Record<string, any>>
    extends EventEmitter, IRouter, Express.Application, ApplicationBasics, SettingsMembers {
    /**
     * Handle a request, as a handler of `http.createServer()` does.
     * @param next called when nothing responds; without it, that sends a 404, and an error a 500
     */
    (
      req: Request | http.IncomingMessage,
      res: Response | http.ServerResponse,
      next?: (err?: any) => void,
    ): any;
    /**
     * Read a setting, or register handlers of GET requests.
     * @example app.get('env'); // 'development'
     * @example app.get('/', (req, res) => res.send('Home'));
     */
    get: SettingReader & IRouterMatcher<this>;
    /**
     * Register a trigger for parameters of routes; the value of a wildcard is a list.
     * @example app.param('id', (req, res, next, id) => { req.user = users.get(id); next(); });
     */
    param(name: string | string[], handler: RequestParamHandler): this;
    /**
     * Register middleware, routers or applications, for every path or for those that start with one.
     * @throws TypeError when there is no function among the arguments, or the path can't be read
     * @example app.use('/static', web.static('public'));
     */
    use: ApplicationRequestHandler<this>;
    /** `mount` is emitted when the application is mounted, with the application it is mounted in. */
    on(event: 'mount', callback: (parent: Application) => void): this;
    on(event: string | symbol, listener: (...args: any[]) => void): this;
    /**
     * Handle a request.
     * @param done called when nothing responds, with the error if there is one; without it, the application responds
     * @example app.handle(req, res);
     */
    handle(req: http.IncomingMessage, res: http.ServerResponse, done?: (err?: any) => void): void;
    /**
     * Make an HTTP server with this application as its handler, and listen.
     * @param port 0 or none for any free port
     * @param callback called once the server listens, or with the error
     * @returns the server
     * @example app.listen(3000, () => console.log('ready'));
     */
    listen(port: number, hostname: string, backlog: number, callback?: (error?: Error) => void): http.Server;
    listen(port: number, hostname: string, callback?: (error?: Error) => void): http.Server;
    listen(port: number, callback?: (error?: Error) => void): http.Server;
    listen(callback?: (error?: Error) => void): http.Server;
    /** @deprecated Give the port as a number. Other text is the path of a socket or pipe. */
    listen(port: `${number}`, callback?: (error?: Error) => void): http.Server;
    listen(path: string, callback?: (error?: Error) => void): http.Server;
    listen(options: ListenOptions, callback?: (error?: Error) => void): http.Server;
    /**
     * Make a server of HTTP/2 (RFC 9113): with `key` and `cert` over TLS, where it speaks HTTP/1.1 too, else in cleartext.
     * @param options those of `server.listen` and of `http2.createSecureServer`
     * @example app.listen({ http2: true, port: 443, key, cert });
     */
    listen(
      options: ListenOptions & http2.SecureServerOptions & { http2: true },
      callback?: (error?: Error) => void,
    ): http2.Http2SecureServer;
    // any: handles have no common declared type
    listen(handle: any, listeningListener?: (error?: Error) => void): http.Server;
    /** The router, made when it is first read: `app.router.stack` holds the layers. */
    readonly router: Router;
    /** The application that this one is mounted in. */
    parent?: Application;
    /** Names that all views see. Never take the names from a client. */
    locals: LocalsObj & Locals;
  }

  /** What `web()` makes. */
  interface Express extends Application {
    /** The prototype of the requests of this application. */
    request: Request;
    /** The prototype of the responses of this application. */
    response: Response;
  }
}

// prettier-ignore
export type {
  Application, CookieOptions, DownloadOptions, Errback, ErrorRequestHandler, Express, Handler, IRoute, IRouter,
  IRouterHandler, IRouterMatcher, Locals, MediaType, NextFunction, ParamsDictionary, PathParams, Query, Request,
  RequestHandler, RequestParamHandler, Response, RouteParameters, Router, RouterOptions, Send, SendFileOptions, Settings,
} from 'express-serve-static-core';
// These declare names under the same module: whoever imports this file has to load them too.
export type {} from 'ristretto/lib/types/global';
export type {} from 'ristretto/lib/types/handlers';
export type {} from 'ristretto/lib/types/next-function';
export type {} from 'ristretto/lib/types/router-options';
