/**
 * The mutually recursive core types: application, request, response, router and their handlers. They are declared under
 * the module name that programs written for Express augment, so that every handler sees the added members.
 */
// eslint-disable-next-line @typescript-eslint/triple-slash-reference -- it declares a module name, and has no exports
/// <reference path="../../express-serve-static-core.d.ts" preserve="true" />
import type { EventEmitter } from 'node:events';
import type * as http from 'node:http';
import type { ParsedQs } from 'qs';
import type { ApplicationMembers } from './application-members';
// prettier-ignore
import type {
  ApplicationHandler, LayerBasics, RequestBasics, ResponseBasics, RouteBasics,
} from './core-basics';
import type { Nothing } from './inferred-request';
import type { MethodName } from './method-names';
import type { RequestNegotiation } from './request-negotiation';
import type { RequestNetwork } from './request-network';
import type { RequestTarget } from './request-target';
import type { ResponseContent } from './response-content';
import type { ResponseHeaders } from './response-headers';
import type { ResponseSending } from './response-sending';
import type { RouteAdditions, RouterAdditions } from './route-list';
import type { FollowingHandler } from './routing';
import type { RoutingMethods } from './routing-methods';
import type { SettingsMembers } from './settings';

// Programs written for Express rely on `any` as the default of type parameters, the type of errors and the result of
// handlers: an untyped `req.body`, `err.status`, `return res.json()`, async handlers.
/* eslint-disable @typescript-eslint/no-explicit-any -- see above */

declare module 'express-serve-static-core' {
  /** An entry of a stack: a handler, and the path for which it runs. */
  interface ILayer extends LayerBasics {
    /** The parameters of the last path that matched. */
    params?: Record<string, any>;
    /** The parameters in the path, in order. */
    // Any: they are objects with a `name`, which Express's types declare as strings
    keys: any[];
    /** The part of the last path that matched. */
    path?: string;
    /** The method in lower case, if the layer belongs to a route. */
    method: string;
    /** The path as a regular expression. */
    regexp: RegExp;
  }

  /** The handlers of one path, by method: returned by `app.route(path)`. */
  interface IRoute<Route extends string = string>
    extends RouteBasics, RouteAdditions, Record<MethodName, IRouterHandler<IRoute<Route>, Route>> {
    /** Register handlers for all methods. Handlers of single methods see the members that they add. */
    all: FollowingHandler<IRoute<Route>, Route, 'route', Nothing> & IRouterHandler<IRoute<Route>, Route>;
    /** Present if Node.js supports the method: Node 20.19.3, 22.2 and newer. */
    query?: IRouterHandler<IRoute<Route>, Route>;
  }

  /** The members shared by routers and applications: one method for each HTTP method of Node.js, `all` and `use`. */
  interface IRouter extends RequestHandler, RoutingMethods, RouterAdditions {
    /**
     * Register middleware for every path, or for a path and all paths below it.
     * @throws TypeError if there is no function among the arguments
     * @example
     * router.use('/files', web.static('public'));
     * // GET /files/app.css -> 200 (Content-Type: text/css; charset=UTF-8) p { color: red }
     * // GET /users -> 404
     */
    use: IRouterHandler<this> & IRouterMatcher<this>;
    /**
     * Register a callback that runs before the routes that have the parameter.
     * @throws TypeError if the handler is not a function
     * @example
     * router.param('id', (req, res, next, id) => next(/^\d+$/.test(id) ? undefined : 'route'));
     * router.get('/users/:id', (req, res) => res.send(`User ${req.params.id}`));
     * // GET /users/7 -> 200 User 7
     * // GET /users/me -> 404
     */
    param(name: string, handler: RequestParamHandler): this;
    /** @deprecated Pass the name of the parameter. */
    param(callback: (name: string, matcher: RegExp) => RequestParamHandler): this;
    /**
     * Create a route, to register handlers for several methods of one path.
     * @returns the route
     * @throws TypeError for a path that is neither a string nor a regular expression, or an array of them
     * @example
     * router.route('/users/:id').get(show).put(change);
     * // GET /users/7 -> 200 show
     * // PUT /users/7 -> 200 change
     * // OPTIONS /users/7 -> 200 (Allow: GET,PUT,HEAD)
     */
    route<T extends string>(prefix: T): IRoute<T>;
    route(prefix: PathParams): IRoute;
    /**
     * The layers, in the order in which they run. The array may be modified.
     * @example
     * router.get('/', function home(req, res) { res.send('Home'); });
     * router.stack.length; // 1
     */
    stack: ILayer[];
  }

  /** A router: middleware and routes that can be mounted. */
  interface Router extends IRouter {}

  /** A request as passed to handlers: Node's own, with the framework's members. */
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
      RequestNetwork,
      RequestBasics<ResBody, LocalsObj> {
    method: string;
    url: string;
    // Declared here, too, so that editors show them as members of `Request`
    params: P;
    query: ReqQuery;
    body: ReqBody;
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
      ResponseContent {
    headersSent: boolean;
    req: Request;
  }

  /** An application: a router with settings, views and a server, and itself a request handler. */
  interface Application<LocalsObj extends Record<string, any> = Record<string, any>>
    extends
      ApplicationHandler<LocalsObj>,
      EventEmitter,
      IRouter,
      Express.Application,
      ApplicationMembers,
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
     * Register a callback that runs before the routes that have the parameters.
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
    /** @deprecated Pass the name of the parameter. */
    param(callback: (name: string, matcher: RegExp) => RequestParamHandler): this;
    /**
     * Register middleware, routers or applications for every path, or for a path and all paths below it.
     * @throws TypeError if there is no function among the arguments
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
    /** @deprecated Use `app.delete()`. */
    del: IRouterMatcher<this>;
  }
}

// prettier-ignore
export type {
  Application, CookieOptions, DownloadOptions, Errback, ErrorRequestHandler, Express, Handler, IRoute, IRouter,
  IRouterHandler, IRouterMatcher, Locals, MediaType, NextFunction, ParamsDictionary, PathParams, Query, Request,
  RequestHandler, RequestParamHandler, Response, RouteParameters, Router, RouterOptions, Send, SendFileOptions,
  SettingReader, Settings,
} from 'express-serve-static-core';
// These declare names under the same module, so an import of this file has to load them too.
export type {} from './handlers';
export type {} from './path-parameters';
export type {} from './routing';
