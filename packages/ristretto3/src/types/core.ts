/** The knot of 3.x: application, request, response and handlers, as programs see them. */
/* eslint-disable @typescript-eslint/no-explicit-any -- bodies, errors, results of handlers and values of settings are what programs make of them */
import type { EventEmitter } from 'node:events';
import type * as http from 'node:http';
import type { ApplicationMembers, EngineFunction } from 'ristretto/lib/types/application-members';
import type * as core from 'ristretto/lib/types/core';
import type { RequestNetwork } from 'ristretto/lib/types/request-network';
import type { RequestTarget } from 'ristretto/lib/types/request-target';
import type { SettingsMembers } from 'ristretto/lib/types/settings';
import type { MethodName } from 'ristretto/lib/types/method-names';
import type { NextFunction } from 'ristretto/lib/types/next-function';
import type { RequestNegotiation3 } from './negotiation';
import type { ResponseMembers } from './response-members';
import type { RouteEntry, Routes, StackEntry } from './routing';

type ParamsOf<Path> = Path extends string ? core.RouteParameters<Path> : core.ParamsDictionary;

/** A handler. */
export type RequestHandler<P = core.ParamsDictionary> = (
  req: Request<P>,
  res: Response,
  next: NextFunction,
) => any;

/** A handler of errors: its four parameters tell it from others. */
export type ErrorRequestHandler = (err: any, req: Request, res: Response, next: NextFunction) => any;

/** A handler of requests or errors, or a list of such, as deep as one likes. */
export type Handlers = RequestHandler<any> | ErrorRequestHandler | readonly Handlers[];

/** A callback of `app.param()`. */
export type ParamHandler = (req: Request, res: Response, next: NextFunction, value: any, name: string) => any;

/** What can be mounted: middleware, an application, a server, or anything with a `handle` function. */
export type Mountable = Handlers | Application | http.Server | { handle(...args: any[]): any };

/** Registers handlers for a method. */
export interface RouteMatcher<T> {
  <Path extends string>(path: Path, ...handlers: RequestHandler<ParamsOf<Path>>[]): T;
  (path: core.PathParams, ...handlers: RequestHandler<any>[]): T;
  // its handlers may take errors, or be lists: their parameters have to be declared
  (path: core.PathParams, ...handlers: Handlers[]): T;
}

/** Locals: a function that takes variables in, and carries them as its properties. */
export interface Locals {
  /**
   * Copy the properties of an object.
   * @returns the object
   * @example app.locals({ title: 'My blog' }); app.locals.title;
   */
  <Values>(values: Values): Values;
  // any: views take everything. The names of functions' own properties are taken (name, length, call, apply, bind, …)
  [name: string]: any;
}

/** A request, as handlers of 3.x get it. */
export interface Request<P = core.ParamsDictionary>
  extends
    http.IncomingMessage,
    Express.Request,
    RequestNegotiation3,
    Omit<RequestNetwork, 'host'>,
    RequestTarget<P, any, any> {
  method: string;
  url: string;
  /** The application that is running. */
  app: Application;
  /** The response to this request. */
  res?: Response;
  /** Pass control to what comes after the current application. */
  next?: NextFunction;
  /** The route that is running. */
  route: RouteEntry & Record<string, any>;
  /** The files of a multipart body, by field: what `web.multipart()` leaves. */
  files: any;
  /** What `web.session()` or `web.cookieSession()` keeps for the client. */
  session: any;
  /** The name and password of HTTP Basic authentication. */
  readonly auth: { username: string; password: string } | undefined;
  /** The host name of the `Host` field, without the port. */
  readonly host: string;
}

/** A response, as handlers of 3.x get it. */
export interface Response extends http.ServerResponse, Express.Response, ResponseMembers {
  /** The application that is running. */
  app: Application;
  /** The request that is responded to. */
  req: Request;
  /** Variables for the views of this response. Never take the names from a client. */
  locals: Locals;
}

/** An application of 3.x: middleware, routes and settings; and itself a handler of requests. */
export interface Application
  extends
    EventEmitter,
    Express.Application,
    Omit<ApplicationMembers, 'router' | 'routes' | 'resource' | 'map'>,
    SettingsMembers,
    Omit<Record<MethodName, RouteMatcher<any>>, 'get'> {
  (req: http.IncomingMessage, res: http.ServerResponse, next?: (err?: any) => void): void;
  /**
   * Read a setting, or register handlers of GET requests.
   * @example app.get('env'); app.get('/', (req, res) => res.send('Home'));
   */
  get: core.SettingReader & RouteMatcher<Application>;
  /** Register handlers for every method. */
  all: RouteMatcher<Application>;
  /** @deprecated Use `app.delete()`. */
  del: RouteMatcher<Application>;
  /**
   * Mount middleware, applications or servers: at a path, which a `/` or a `.` may follow, or for all requests.
   * @example app.use('/files', web.static('public'));
   */
  use(...handlers: Mountable[]): Application;
  use(path: string, ...handlers: Mountable[]): Application;
  /** The same for middleware that is typed for something else: for connect, or for the 4.x interface. */
  use(...handlers: ((...args: any[]) => any)[]): Application;
  use(path: string, ...handlers: ((...args: any[]) => any)[]): Application;
  /**
   * Register a callback for a parameter of routes, or for several.
   * @example app.param('user', (req, res, next, id) => { … next(); });
   */
  param(name: string | readonly string[], handler: ParamHandler): Application;
  /** Register what a function of `app.param(fn)` understands, such as a regular expression. */
  param(name: string, value: unknown): Application;
  /** @deprecated Use path patterns. */
  param(hook: (name: string, value: any) => ParamHandler | undefined): Application;
  /**
   * Call a function, at once, where the application runs in one of the environments, or in any where none is named.
   * @deprecated Use `if (app.get('env') === 'production')`.
   */
  configure(callback: (this: Application) => void): Application;
  configure(env: string, ...more: (string | ((this: Application) => void))[]): Application;
  /** The routes as middleware, to say with `app.use(app.router)` where among the middleware they run. */
  readonly router: (req: any, res: any, next: (err?: any) => void) => void;
  /** The routes, by method. Editing the lists edits the application. */
  readonly routes: Routes;
  /** The middleware with the paths they are mounted at. Editing the list edits the application. */
  stack: StackEntry[];
  /** The path that the application is mounted at. */
  route: string;
  /** The application that this one is mounted in. */
  parent?: Application;
  /** Variables for all views. */
  locals: Locals;
  /** Handle a request; without `next`, what is left over gets a 404 or the error. */
  handle(req: http.IncomingMessage, res: http.ServerResponse, next?: (err?: any) => void): void;
  /** The prototype of the requests of this application. */
  request: Request;
  /** The prototype of the responses of this application. */
  response: Response;
}

export type { EngineFunction, NextFunction };
