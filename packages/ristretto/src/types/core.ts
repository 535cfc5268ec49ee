/**
 * The recursive knot: application, request, response, router and their handlers refer to each other. It is declared
 * under the module name that programs written for Express augment, so that what they add is seen by every handler.
 */
// eslint-disable-next-line @typescript-eslint/triple-slash-reference -- it declares a module name, and has no exports
/// <reference path="../../express-serve-static-core.d.ts" preserve="true" />
import type { EventEmitter } from 'node:events';
import type * as http from 'node:http';
import type { ParsedQs } from 'qs';
import type { ApplicationMembers } from './application-members';
import type { MethodName } from './method-names';
import type { RequestNegotiation } from './request-negotiation';
import type { RequestNetwork } from './request-network';
import type { RequestTarget } from './request-target';
import type { ResponseContent } from './response-content';
import type { ResponseHeaders } from './response-headers';
import type { ResponseSending } from './response-sending';
import type { RouteAdditions, RouterAdditions } from './route-list';
import type { RoutingMethods } from './routing-methods';
import type { SettingsMembers } from './settings';

// Programs written for Express rely on `any` as a default of the type parameters, as the type of errors and as the
// result of handlers: an untyped `req.body`, `err.status`, `return res.json()`, async handlers.
/* eslint-disable @typescript-eslint/no-explicit-any -- see above */

declare module 'express-serve-static-core' {
  /** An entry of a stack: a handler and the path it runs for. */
  interface ILayer {
    /** The route that the layer leads to; undefined for middleware. */
    route?: IRoute;
    /** The name of the handler. */
    name: string;
    /** The parameters of the last path that matched. */
    params?: Record<string, any>;
    /** The parameters that the path has, in order. */
    // any: they are objects with a `name`, which Express's types declare as text
    keys: any[];
    /** The part of the last path that matched. */
    path?: string;
    /** The method, in lower case, when the layer belongs to a route. */
    method: string;
    /** The path as a regular expression. */
    regexp: RegExp;
    /** The handler. */
    handle: (req: Request, res: Response, next: NextFunction) => any;
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
     * @throws TypeError when there is no function among the arguments
     * @example
     * router.use('/files', web.static('public'));
     * // GET /files/app.css -> 200 (Content-Type: text/css; charset=UTF-8) p { color: red }
     * // GET /users -> 404
     */
    use: IRouterHandler<this> & IRouterMatcher<this>;
    /**
     * Register a trigger for a parameter of routes.
     * @throws TypeError when the handler is not a function
     * @example
     * router.param('id', (req, res, next, id) => next(/^\d+$/.test(id) ? undefined : 'route'));
     * router.get('/users/:id', (req, res) => res.send(`User ${req.params.id}`));
     * // GET /users/7 -> 200 User 7
     * // GET /users/me -> 404
     */
    param(name: string, handler: RequestParamHandler): this;
    /** @deprecated Give the name of the parameter. */
    param(callback: (name: string, matcher: RegExp) => RequestParamHandler): this;
    /**
     * Make a route, to register handlers of several methods under one path.
     * @returns the route
     * @example
     * router.route('/users/:id').get(show).put(change);
     * // GET /users/7 -> 200 show
     * // PUT /users/7 -> 200 change
     * // OPTIONS /users/7 -> 200 (Allow: GET,PUT,HEAD)
     */
    route<T extends string>(prefix: T): IRoute<T>;
    route(prefix: PathParams): IRoute;
    /**
     * The layers in the order in which they run; it may be changed.
     * @example
     * router.get('/', function home(req, res) { res.send('Home'); });
     * router.stack.length; // 1
     */
    stack: ILayer[];
  }

  /** A router: middleware and routes that can be mounted. */
  interface Router extends IRouter {}

  /** A request, as handlers get it: Node's own, with the framework's members. */
  interface Request<
    P = ParamsDictionary,
    ResBody = any,
    ReqBody = any,
    ReqQuery = ParsedQs,
    LocalsObj extends Record<string, any> = Record<string, any>,
  >
    extends
      RequestTarget<P, ReqBody, ReqQuery>,
      http.IncomingMessage,
      Express.Request,
      RequestNegotiation,
      RequestNetwork {
    method: string;
    url: string;
    /**
     * The application that is running.
     * @example
     * req.app.get('title'); // undefined
     */
    app: Application;
    /**
     * The response to this request.
     * @example
     * req.res === res; // true
     */
    res?: Response<ResBody, LocalsObj> | undefined;
    /**
     * Passes control to what comes after the current application.
     * @example
     * typeof req.next; // 'function'
     */
    next?: NextFunction | undefined;
    /**
     * Is aborted when the client disconnects before the response is finished, and by `web.deadline`; never later.
     * @example
     * const rows = await pool.query('select * from users', { signal: req.signal });
     * res.json(rows);
     * // GET / -> 200 []
     */
    signal: AbortSignal;
  }

  /** A response, as handlers get it: Node's own, with the framework's members. */
  interface Response<
    ResBody = any,
    LocalsObj extends Record<string, any> = Record<string, any>,
    StatusCode extends number = number,
  >
    extends
      ResponseSending<ResBody, StatusCode>,
      http.ServerResponse,
      Express.Response,
      ResponseHeaders,
      ResponseContent {
    headersSent: boolean;
    /**
     * The application that is running.
     * @example
     * res.app === req.app; // true
     */
    app: Application;
    /**
     * The request that is responded to.
     * @example
     * res.req === req; // true
     */
    req: Request;
    format(handlers: Record<string, RequestHandler> | object): this;
    /**
     * Names that views of this response see. Never take the names from a client.
     * @example
     * res.locals.title = 'Home';
     * res.render('index');
     * // GET / -> 200 <h1>Home</h1>
     */
    locals: LocalsObj & Locals;
  }

  /** An application: a router with settings, views and a server; and itself a handler of requests. */
  interface Application<LocalsObj extends Record<string, any> = Record<string, any>>
    extends EventEmitter, IRouter, Express.Application, ApplicationMembers, SettingsMembers {
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
     * @returns the value of the setting, or the application
     * @example
     * app.get('env'); // 'development'
     * @example
     * app.get('/', (req, res) => res.send('Home'));
     * // GET / -> 200 Home
     */
    get: SettingReader & IRouterMatcher<this>;
    /**
     * Register a trigger for parameters of routes.
     * @throws TypeError when the handler is not a function
     * @example
     * app.param('id', (req, res, next, id) => {
     *   req.user = users.get(id);
     *   next();
     * });
     * app.get('/users/:id', (req, res) => res.json(req.user));
     * // GET /users/7 -> 200 {"name":"Ada"}
     */
    param(name: string | string[], handler: RequestParamHandler): this;
    /** @deprecated Give the name of the parameter. */
    param(callback: (name: string, matcher: RegExp) => RequestParamHandler): this;
    /**
     * Register middleware, routers or applications, for every path or for those that start with one.
     * @throws TypeError when there is no function among the arguments
     * @example
     * app.use('/static', web.static('public'));
     * // GET /static/app.css -> 200 p { color: red }
     * // GET /app.css -> 404
     */
    use: ApplicationRequestHandler<this>;
    /**
     * Listen to an event. `mount` is emitted when the application is mounted, with the application it is mounted in.
     * @example
     * const admin = web();
     * admin.on('mount', parent => admin.set('title', parent.get('title')));
     * app.set('title', 'My site').use('/admin', admin);
     * admin.get('title'); // 'My site'
     */
    on(event: 'mount', callback: (parent: Application) => void): this;
    on(event: string | symbol, listener: (...args: any[]) => void): this;
    /**
     * Names that all views see. Never take the names from a client.
     * @example
     * app.locals.title = 'My site';
     * app.get('/', (req, res) => res.render('index'));
     * // GET / -> 200 <h1>My site</h1>
     */
    locals: LocalsObj & Locals;
    /** @deprecated Use `app.delete()`. */
    del: IRouterMatcher<this>;
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
  RequestHandler, RequestParamHandler, Response, RouteParameters, Router, RouterOptions, Send, SendFileOptions,
  SettingReader, Settings,
} from 'express-serve-static-core';
// These declare names under the same module: whoever imports this file has to load them too.
export type {} from './global';
export type {} from './handlers';
export type {} from './next-function';
export type {} from './path-parameters';
export type {} from './router-options';
export type {} from './routing';
