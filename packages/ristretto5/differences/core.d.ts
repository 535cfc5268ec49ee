/**
 * Application, request, response, router and path parameters of 5.x, under the module name that programs written for
 * Express augment. The declarations of `ristretto` from which these are built refer to them by that name, so that their
 * signatures of `app.get`, `web.valid` and all others are those of 5.x here. A program cannot use both: see
 * docs/which.md.
 */
/// <reference path="../express-serve-static-core.d.ts" />
import type * as http from 'node:http';
import type * as http2 from 'node:http2';
import type { ListenOptions } from 'node:net';
import type { ApplicationBasics } from '@ristretto/private-engine/lib/types/application-members';
import type { NegotiationBasics } from '@ristretto/private-engine/lib/types/request-negotiation';
import type { TargetBasics } from '@ristretto/private-engine/lib/types/request-target';
import type { ContentBasics } from '@ristretto/private-engine/lib/types/response-content';
import type { HandlerArgument, Settled } from '@ristretto/private-engine/lib/types/routing';
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

  interface ILayer {
    /** @removed */
    params: never;
    /** @removed */
    keys: never;
    /** @removed */
    path: never;
    /** @removed */
    regexp: never;
    /** The path as it was registered. */
    rawPath: PathParams;
    /** Whether the layer runs for every path. */
    slash: boolean;
    method?: string;
    /**
     * Match a path against the layer's path.
     * @returns the parameters and the part that matched, or false
     * @example app.router.stack[0].match('/users/7'); // { params: { id: '7' }, path: '/users/7', … }
     */
    match(path: string): { params: Record<string, string | string[] | undefined>; path: string } | false;
  }

  // The path may be a regular expression, as in `@types/express@5`, so that declarations compiled against either are
  // interchangeable.
  interface IRoute<Route extends string | RegExp = string>
    extends
      RouteAdditions,
      Record<MethodName | 'all', IRouterHandler<IRoute<Route>, Route extends string ? Route : string>> {
    query?: IRouterHandler<IRoute<Route>, Route extends string ? Route : string>;
  }

  interface IRouter extends RequestHandler, RoutingMethods, RouterAdditions<IRouter> {
    /**
     * @throws TypeError for arguments that are not functions, and for an invalid path
     * @example
     * router.all('/private/*path', (req, res, next) => (req.get('Authorization') ? next() : res.sendStatus(403)));
     * // DELETE /private/notes -> 403
     */
    all;
    /**
     * @throws TypeError if there is no function among the arguments, or the path is invalid
     * @example
     * router.use('/files', web.static('public'));
     * // GET /files/app.css -> 200 (Content-Type: text/css; charset=utf-8) p { color: red }
     * // GET /users -> 404
     */
    use;
    /** Register a callback that runs before the routes that have the parameter; the value of a wildcard is an array. */
    param(name: string, handler: RequestParamHandler): this;
    /**
     * @throws TypeError for an invalid path
     * @example
     * router.route('/users/:id').get(show).put(change);
     * // GET /users/7 -> 200 show
     * // PUT /users/7 -> 200 change
     * // OPTIONS /users/7 -> 200 (Allow: GET, HEAD, PUT)
     */
    route;
    /** @removed */
    stack: never;
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

  interface Router extends IRouter {
    stack;
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
    /**
     * The host and port of the request, from `X-Forwarded-Host` if a trusted proxy sent it.
     * @example
     * req.host; // 'example.com:3000'
     * // GET / (Host: example.com:3000)
     */
    host;
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
    params;
  }

  interface Response<
    ResBody = any,
    LocalsObj extends Record<string, any> = Record<string, any>,
    StatusCode extends number = number,
  >
    extends
      http.ServerResponse,
      Express.Response,
      ResponseSending<ResBody, StatusCode>,
      ResponseHeaders,
      ContentBasics {
    /** @throws TypeError if the status is not an integer, RangeError if it is not between 100 and 999 */
    status;
    /** @throws TypeError if the status is not an integer, RangeError if it is not between 100 and 999 */
    sendStatus;
    /** @default dotfiles 'ignore' */
    sendFile;
    /**
     * @default dotfiles 'ignore'
     * @example
     * res.download('files/7.pdf', 'report.pdf');
     * // GET / -> 200 (Content-Disposition: attachment; filename=report.pdf) 0123456789
     */
    download;
    /** @param url a URL */
    redirect(url: string): void;
    redirect(status: number, url: string): void;
  }

  interface Application<LocalsObj extends Record<string, any> = Record<string, any>>
    extends EventEmitter, IRouter, Express.Application, ApplicationBasics, SettingsMembers {
    /** @throws */
    init;
    /** @throws */
    defaultConfiguration;
    /**
     * Register a callback that runs before the routes that have one of the parameters; the value of a wildcard is an
     * array.
     */
    param(name: string | string[], handler: RequestParamHandler): this;
    /** @throws TypeError if there is no function among the arguments, or the path is invalid */
    use;
    /** @removed */
    del: never;
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
    /** @param callback called when the server listens, or with the error */
    listen(port: number, hostname: string, backlog: number, callback?: (error?: Error) => void): http.Server;
    listen(port: number, hostname: string, callback?: (error?: Error) => void): http.Server;
    listen(port: number, callback?: (error?: Error) => void): http.Server;
    listen(callback?: (error?: Error) => void): http.Server;
    listen(port: `${number}`, callback?: (error?: Error) => void): http.Server;
    listen(path: string, callback?: (error?: Error) => void): http.Server;
    listen(options: ListenOptions, callback?: (error?: Error) => void): http.Server;
    listen(
      options: ListenOptions & http2.SecureServerOptions & { http2: true },
      callback?: (error?: Error) => void,
    ): http2.Http2SecureServer;
    // any: handles have no common declared type
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
export type {} from '@ristretto/private-engine/lib/types/global';
export type {} from '@ristretto/private-engine/lib/types/handlers';
export type {} from '@ristretto/private-engine/lib/types/next-function';
export type {} from '@ristretto/private-engine/lib/types/router-options';
