/** The mutually recursive core types of 5.x: application, request, response, router and handlers. */
/* eslint-disable @typescript-eslint/no-explicit-any -- bodies, errors, results of handlers and values of settings are what programs make of them */
import type { EventEmitter } from 'node:events';
import type * as http from 'node:http';
import type { ParsedUrlQuery } from 'node:querystring';
import type { ApplicationMembers } from '@ristretto/private-engine/lib/types/application-members';
import type { CookieOptions } from '@ristretto/private-engine/lib/types/cookie';
import type * as base from '@ristretto/private-engine/lib/types/core';
import type { ServeStaticOptions, StaticHandler } from '@ristretto/private-engine/lib/types/files';
import type { MethodName } from '@ristretto/private-engine/lib/types/method-names';
import type { NextFunction } from '@ristretto/private-engine/lib/types/core-basics';
import type { RequestNegotiation } from '@ristretto/private-engine/lib/types/request-negotiation';
import type { RequestNetwork } from '@ristretto/private-engine/lib/types/request-network';
import type { RequestTarget } from '@ristretto/private-engine/lib/types/request-target';
import type { ResponseContent } from '@ristretto/private-engine/lib/types/response-content';
import type { ResponseSending } from '@ristretto/private-engine/lib/types/response-sending';
import type {
  ListedRoute,
  RouteAdditions,
  RouterAdditions,
} from '@ristretto/private-engine/lib/types/route-list';
import type { SettingsMembers } from '@ristretto/private-engine/lib/types/settings';
import type { SocketMatcher } from '@ristretto/private-engine/lib/types/websocket';
import type { ParamsDictionary, RouteParameters } from './path-parameters';
import type { ResponseHeaders } from '../../types/response-headers';

export type { CookieOptions, NextFunction, ParamsDictionary, RouteParameters };

/** The type of `req.query` unless a handler declares its own: nested with the setting `query parser: 'extended'`. */
export type Query = ParsedUrlQuery;

/** A path, a regular expression, or a list of both. */
export type PathParams = string | RegExp | readonly (string | RegExp)[];

type ParamsOf<Path> = Path extends string ? RouteParameters<Path> : ParamsDictionary;

/** A request handler. If an async handler rejects, the reason is passed to the error handlers. */
export type RequestHandler<P = ParamsDictionary, ResBody = any, ReqBody = any, ReqQuery = Query> = (
  req: Request<P, ResBody, ReqBody, ReqQuery>,
  res: Response<ResBody>,
  next: NextFunction,
) => any;

/** An error handler, which is recognized by its four parameters. */
export type ErrorRequestHandler<P = ParamsDictionary> = (
  err: any,
  req: Request<P>,
  res: Response,
  next: NextFunction,
) => any;

/** A request or error handler, or an arbitrarily nested list of them. */
export type Handlers = RequestHandler<any> | ErrorRequestHandler<any> | readonly Handlers[];

/** A callback of `app.param()`; the value of a wildcard is a list. */
export type RequestParamHandler = (
  req: Request,
  res: Response,
  next: NextFunction,
  value: any,
  name: string,
) => any;

/** Register handlers for a method; at least one is required. */
export interface RouteMatcher<T> {
  <Path extends string>(path: Path, ...handlers: RequestHandler<ParamsOf<Path>>[]): T;
  <P, ResBody = any, ReqBody = any, ReqQuery = Query>(
    path: PathParams,
    ...handlers: RequestHandler<P, ResBody, ReqBody, ReqQuery>[]
  ): T;
  (path: PathParams, ...handlers: Handlers[]): T;
}

/** Register handlers of a route. */
export interface RouteHandlers<T, P = ParamsDictionary> {
  (...handlers: RequestHandler<P>[]): T;
  (...handlers: Handlers[]): T;
}

/** The match of a layer's path. */
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
interface Routing extends Omit<Record<MethodName, RouteMatcher<any>>, 'get'>, RouterAdditions {
  all: RouteMatcher<this>;
  ws: SocketMatcher<this>;
  /**
   * Register middleware, routers or applications for every path, or for a path and all paths below it.
   * @example router.use('/files', web.static('public'));
   */
  use(...handlers: RequestHandler[]): this;
  use<Path extends string>(path: Path, ...handlers: RequestHandler<ParamsOf<Path>>[]): this;
  use(path: PathParams, ...handlers: RequestHandler[]): this;
  use(...handlers: Handlers[]): this;
  use(path: PathParams, ...handlers: Handlers[]): this;
  /** Register middleware with other types, such as those of connect or of 4.x. */
  use(...handlers: ((...args: any[]) => any)[]): this;
  use(path: PathParams, ...handlers: ((...args: any[]) => any)[]): this;
  /** Create a route, to register handlers for several methods of one path. */
  route<Path extends string>(path: Path): Route<ParamsOf<Path>>;
  route(path: PathParams): Route;
}

/** A router: middleware and routes that can be mounted. */
export interface Router extends Routing {
  listRoutes(): ListedRoute<Router>[];
  (req: http.IncomingMessage, res: http.ServerResponse, next: (err?: any) => void): void;
  get: RouteMatcher<this>;
  param(name: string, fn: RequestParamHandler): this;
  /** The layers, in the order in which they run. The array may be modified. */
  stack: Layer[];
  caseSensitive: boolean | undefined;
  mergeParams: boolean | undefined;
  strict: boolean | undefined;
}

/** Options of `web.Router()`. */
export type RouterOptions = base.RouterOptions;

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
  /** The application that is handling the request. */
  app: Application;
  res?: Response<ResBody>;
  next?: NextFunction;
  /** The host and port that the client requested. */
  readonly host: string;
  /** An `AbortSignal` that is aborted if the client disconnects before the response is finished. */
  signal: AbortSignal;
  /** The query of the URL, parsed on each read. */
  readonly query: ReqQuery;
}

/** A response, as received by handlers. */
export interface Response<ResBody = any>
  extends
    http.ServerResponse,
    Express.Response,
    ResponseHeaders,
    ResponseSending<ResBody, number>,
    Omit<ResponseContent, 'sendfile' | 'redirect' | 'format'> {
  headersSent: boolean;
  /** The application that is handling the request. */
  app: Application;
  req: Request;
  /** Variables for views that are rendered in this response. Never take their names from client input. */
  locals: Record<string, any>;
  /** Redirect to a URL, with status 302 or the given one. */
  redirect(url: string): void;
  redirect(status: number, url: string): void;
  /** Call the handler for the media type that the client prefers. */
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
   * Read a setting, or register handlers for GET requests.
   * @example app.get('env'); app.get('/', (req, res) => res.send('Home'));
   */
  get: base.SettingReader & RouteMatcher<this>;
  /** Register a callback for route parameters. */
  param(name: string | string[], fn: RequestParamHandler): this;
  /**
   * Create an HTTP server with this application as its request listener, and start listening.
   * @param args those of Node's `server.listen`; a callback as the last argument also receives an error
   */
  listen(...args: any[]): http.Server;
  /** The application's router, created when first read. */
  readonly router: Router;
  /** The parent application. */
  parent?: Application;
  /** Variables for all views. Never take their names from client input. */
  locals: Record<string, any>;
  /** Handle a request. If no handler responds, `next` is called; without it, a 404 is sent, or the error's status. */
  handle(req: http.IncomingMessage, res: http.ServerResponse, next?: (err?: any) => void): void;
  /** The prototype of this application's requests. */
  request: Request;
  /** The prototype of this application's responses. */
  response: Response;
}

/** The application that `web()` creates. */
export type Express = Application;
