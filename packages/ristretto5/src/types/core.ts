/** The knot of 5.x: application, request, response, router and handlers, as programs see them. */
/* eslint-disable @typescript-eslint/no-explicit-any -- bodies, errors, results of handlers and values of settings are what programs make of them */
import type { EventEmitter } from 'node:events';
import type * as http from 'node:http';
import type { ParsedUrlQuery } from 'node:querystring';
import type { ApplicationMembers } from 'ristretto/lib/types/application-members';
import type { CookieOptions } from 'ristretto/lib/types/cookie';
import type * as base from 'ristretto/lib/types/core';
import type { ServeStaticOptions, StaticHandler } from 'ristretto/lib/types/files';
import type { MethodName } from 'ristretto/lib/types/method-names';
import type { NextFunction } from 'ristretto/lib/types/next-function';
import type { RequestNegotiation } from 'ristretto/lib/types/request-negotiation';
import type { RequestNetwork } from 'ristretto/lib/types/request-network';
import type { RequestTarget } from 'ristretto/lib/types/request-target';
import type { ResponseContent } from 'ristretto/lib/types/response-content';
import type { EventStream, EventStreamOptions } from 'ristretto/lib/types/events';
import type { ResponseHooks } from 'ristretto/lib/types/response-hooks';
import type { RouteAdditions, RouterAdditions } from 'ristretto/lib/types/route-list';
import type { SettingsMembers } from 'ristretto/lib/types/settings';
import type { ParamsDictionary, RouteParameters } from './path-parameters';
import type { ResponseHeaders5 } from './response-headers';

export type { CookieOptions, NextFunction, ParamsDictionary, RouteParameters };

/** The type of `req.query` unless a handler declares its own: nested with the setting `query parser: 'extended'`. */
export type Query = ParsedUrlQuery;

/** A path, a regular expression, or a list of both. */
export type PathParams = string | RegExp | readonly (string | RegExp)[];

type ParamsOf<Path> = Path extends string ? RouteParameters<Path> : ParamsDictionary;

/** A handler. The promise of an async handler may reject: the reason goes to the error handlers. */
export type RequestHandler<P = ParamsDictionary, ResBody = any, ReqBody = any, ReqQuery = Query> = (
  req: Request<P, ResBody, ReqBody, ReqQuery>,
  res: Response<ResBody>,
  next: NextFunction,
) => any;

/** An error handler: it is recognized by its four parameters. */
export type ErrorRequestHandler<P = ParamsDictionary> = (
  err: any,
  req: Request<P>,
  res: Response,
  next: NextFunction,
) => any;

/** A handler of requests or errors, or a list of such, as deep as one likes. */
export type Handlers = RequestHandler<any> | ErrorRequestHandler<any> | readonly Handlers[];

/** A callback of `app.param()`; the value of a wildcard is a list. */
export type RequestParamHandler = (
  req: Request,
  res: Response,
  next: NextFunction,
  value: any,
  name: string,
) => any;

/** Registers handlers for a method; there must be one. */
export interface RouteMatcher<T> {
  <Path extends string>(path: Path, ...handlers: RequestHandler<ParamsOf<Path>>[]): T;
  <P, ResBody = any, ReqBody = any, ReqQuery = Query>(
    path: PathParams,
    ...handlers: RequestHandler<P, ResBody, ReqBody, ReqQuery>[]
  ): T;
  (path: PathParams, ...handlers: Handlers[]): T;
}

/** Registers handlers of a route. */
export interface RouteHandlers<T, P = ParamsDictionary> {
  (...handlers: RequestHandler<P>[]): T;
  (...handlers: Handlers[]): T;
}

/** What a layer's path has matched. */
export interface LayerMatch {
  params: Record<string, string | string[]>;
  path: string;
  keys: string[];
  pattern: unknown;
}

/** An entry of a stack. */
export interface Layer {
  handle: (...args: any[]) => any;
  name: string;
  rawPath: unknown;
  slash: boolean;
  route?: Route;
  method?: string;
  match(path: string): LayerMatch | false;
}

/** The handlers of one path, by method. */
export interface Route<P = ParamsDictionary>
  extends RouteAdditions, Record<MethodName | 'all', RouteHandlers<Route<P>, P>> {
  path: PathParams;
  stack: Layer[];
  methods: Record<string, boolean | undefined>;
}

/** The members that routers and applications share. */
interface Routing extends Omit<Record<MethodName, RouteMatcher<any>>, 'get'>, RouterAdditions<Router> {
  all: RouteMatcher<this>;
  /**
   * Registers middleware, routers or applications, for every path or for those that start with one.
   * @example router.use('/files', web.static('public'));
   */
  use(...handlers: RequestHandler[]): this;
  use<Path extends string>(path: Path, ...handlers: RequestHandler<ParamsOf<Path>>[]): this;
  use(path: PathParams, ...handlers: RequestHandler[]): this;
  use(...handlers: Handlers[]): this;
  use(path: PathParams, ...handlers: Handlers[]): this;
  /** The same for middleware that is typed for something else: for connect, or for the 4.x interface. */
  use(...handlers: ((...args: any[]) => any)[]): this;
  use(path: PathParams, ...handlers: ((...args: any[]) => any)[]): this;
  /** Makes a route, to register handlers of several methods under one path. */
  route<Path extends string>(path: Path): Route<ParamsOf<Path>>;
  route(path: PathParams): Route;
}

/** A router: middleware and routes that can be mounted. */
export interface Router extends Routing {
  (req: http.IncomingMessage, res: http.ServerResponse, next: (err?: any) => void): void;
  get: RouteMatcher<this>;
  param(name: string, fn: RequestParamHandler): this;
  /** The layers in the order in which they run; it may be changed. */
  stack: Layer[];
  caseSensitive: boolean | undefined;
  mergeParams: boolean | undefined;
  strict: boolean | undefined;
}

/** Options of `web.Router()`. */
export interface RouterOptions {
  /** Whether upper and lower case differ in paths. */
  caseSensitive?: boolean | undefined;
  /** Whether `req.params` has the parameters of the parent too. */
  mergeParams?: boolean | undefined;
  /** Whether a trailing slash makes a difference. */
  strict?: boolean | undefined;
}

export interface RouterConstructor {
  (options?: RouterOptions): Router;
  new (options?: RouterOptions): Router;
  prototype: Router;
}

export type StaticFactory = (
  root: string,
  options?: ServeStaticOptions,
) => StaticHandler<http.ServerResponse>;

type OldNegotiation = 'acceptsEncoding' | 'acceptsCharset' | 'acceptsLanguage' | 'accepted';

/** A request, as received by handlers. */
export interface Request<P = ParamsDictionary, ResBody = any, ReqBody = any, ReqQuery = Query>
  extends
    http.IncomingMessage,
    Express.Request,
    Omit<RequestNegotiation, OldNegotiation>,
    Omit<RequestNetwork, 'host'>,
    Omit<RequestTarget<P, ReqBody, ReqQuery>, 'query' | 'param'> {
  method: string;
  url: string;
  /** The application that is running. */
  app: Application;
  res?: Response<ResBody>;
  next?: NextFunction;
  /** The host and port that the client asked for. */
  readonly host: string;
  /** Is aborted when the client disconnects before the response is finished. */
  signal: AbortSignal;
  /** The query of the URL, parsed at each read. */
  readonly query: ReqQuery;
}

/** A response, as received by handlers. */
export interface Response<ResBody = any>
  extends
    http.ServerResponse,
    Express.Response,
    ResponseHeaders5,
    ResponseHooks,
    Omit<ResponseContent, 'sendfile' | 'redirect' | 'format'> {
  /** The application that is running. */
  app: Application;
  req: Request;
  /** Variables for the views of this response. Never take the names from a client. */
  locals: Record<string, any>;
  /** Sets the status, an integer of 100 to 999. */
  status(code: number): this;
  /** Sends the status with its name as body. */
  sendStatus(code: number): this;
  /** Sends text, bytes, or anything else as JSON. */
  send(body?: ResBody): this;
  /** Begins a response of server-sent events, and sends its header at once. */
  sse(options?: EventStreamOptions): EventStream;
  /** Sends JSON. */
  json(body?: ResBody): this;
  /** Sends JSON wrapped in a call of the function that the query names. */
  jsonp(body?: ResBody): this;
  /** Redirects, with status 302 or the one given. */
  redirect(url: string): void;
  redirect(status: number, url: string): void;
  /** Calls the handler of the type that the client likes best. */
  format(handlers: object): this;
}

/** An application: a router with settings, views and a server, and itself a request handler. */
export interface Application
  extends
    EventEmitter,
    Express.Application,
    Routing,
    Omit<ApplicationMembers, 'router' | 'routes' | 'resource' | 'map' | '_router' | 'listen'>,
    SettingsMembers {
  (req: http.IncomingMessage, res: http.ServerResponse, next?: (err?: any) => void): void;
  /**
   * Reads a setting, or registers handlers of GET requests.
   * @example app.get('env'); app.get('/', (req, res) => res.send('Home'));
   */
  get: base.SettingReader & RouteMatcher<this>;
  /** Registers a callback for parameters of routes. */
  param(name: string | string[], fn: RequestParamHandler): this;
  /**
   * Makes an HTTP server with this application as its handler and listens.
   * @param args those of Node's `server.listen`; the callback at the end also hears of an error
   */
  listen(...args: any[]): http.Server;
  /** The application's router, made when it is first read. */
  readonly router: Router;
  /** The parent application. */
  parent?: Application;
  /** Variables for all views. Never take the names from a client. */
  locals: Record<string, any>;
  /** Handles a request; without `next`, what is left over is sent as 404 or the error. */
  handle(req: http.IncomingMessage, res: http.ServerResponse, next?: (err?: any) => void): void;
  /** The prototype of this application's requests. */
  request: Request;
  /** The prototype of this application's responses. */
  response: Response;
}

/** The application that `web()` creates. */
export type Express = Application;
