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
   * @example
   * app.locals({ title: 'My blog' });
   * app.locals.title; // 'My blog'
   */
  <Values>(values: Values): Values;
  // any: views take everything. The names of functions' own properties are taken (name, length, call, apply, bind, …)
  [name: string]: any;
}

/** A request, as handlers of 3.x get it. */
export interface Request<P = core.ParamsDictionary>
  extends
    RequestTarget<P, any, any>,
    http.IncomingMessage,
    Express.Request,
    RequestNegotiation3,
    Omit<RequestNetwork, 'host'> {
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
  /**
   * The files of a multipart body, by field: what `web.multipart()` leaves.
   * @example
   * app.post('/photo', web.multipart(), (req, res) => res.send(req.files.photo.name));
   * // POST /photo (Content-Type: multipart/form-data; boundary=x)
   * //   --x\r\nContent-Disposition: form-data; name="photo"; filename="a.png"\r\n\r\n0123\r\n--x--\r\n
   * //   -> 200 a.png
   */
  files: any;
  /**
   * What `web.session()` or `web.cookieSession()` keeps for the client.
   * @example
   * app.use(web.cookieParser('keyboard cat')).use(web.session());
   * app.get('/', (req, res) => res.send(String((req.session.visits = (req.session.visits || 0) + 1))));
   * // GET / -> 200 (Set-Cookie: connect.sid=…; Path=/; HttpOnly) 1
   */
  session: any;
  /**
   * The name and password of HTTP Basic authentication.
   * @example
   * req.auth; // { username: 'ada', password: 'secret' }
   * // GET / (Authorization: Basic YWRhOnNlY3JldA==)
   */
  readonly auth: { username: string; password: string } | undefined;
  /**
   * The host name of the `Host` field, without the port.
   * @example
   * req.host; // 'example.com'
   * // GET / (Host: example.com:8080)
   */
  readonly host: string;
}

/** A response, as handlers of 3.x get it. */
export interface Response extends http.ServerResponse, Express.Response, ResponseMembers {
  /** The application that is running. */
  app: Application;
  /** The request that is responded to. */
  req: Request;
  /**
   * Variables for the views of this response. Never take the names from a client.
   * @returns the object that it is given
   * @example
   * res.locals({ title: 'Home' });
   * res.render('index');
   * // GET / -> 200 <h1>Home</h1>
   */
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
   * @returns the value of the setting, or the application
   * @example
   * app.get('env'); // 'development'
   * app.get('/', (req, res) => res.send('Home'));
   * // GET / -> 200 Home
   */
  get: core.SettingReader & RouteMatcher<Application>;
  /**
   * Register handlers for every method.
   * @example
   * app.all('/private/*', (req, res, next) => (req.get('Authorization') ? next() : res.send(403)));
   * // DELETE /private/notes -> 403 Forbidden
   */
  all: RouteMatcher<Application>;
  /** @deprecated Use `app.delete()`. */
  del: RouteMatcher<Application>;
  /**
   * Mount middleware, applications or servers: at a path, which a `/` or a `.` may follow, or for all requests.
   * @throws TypeError for what can not be mounted, and for a path that is not text
   * @example
   * app.use('/files', web.static('public'));
   * // GET /files/app.css -> 200 p { color: red }
   */
  use(...handlers: Mountable[]): Application;
  use(path: string, ...handlers: Mountable[]): Application;
  /** The same for middleware that is typed for something else: for connect, or for the 4.x interface. */
  use(...handlers: ((...args: any[]) => any)[]): Application;
  use(path: string, ...handlers: ((...args: any[]) => any)[]): Application;
  /**
   * Register a callback for a parameter of routes, or for several.
   * @example
   * app.param('id', (req, res, next, id) => {
   *   res.locals({ user: users.get(id) });
   *   next();
   * });
   * app.get('/users/:id', (req, res) => res.send(res.locals.user.name));
   * // GET /users/7 -> 200 Ada
   */
  param(name: string | readonly string[], handler: ParamHandler): Application;
  /** Register what a function of `app.param(fn)` understands, such as a regular expression. */
  param(name: string, value: unknown): Application;
  /** @deprecated Use path patterns. */
  param(hook: (name: string, value: any) => ParamHandler | undefined): Application;
  /**
   * Call a function, at once, where the application runs in one of the environments, or in any where none is named.
   * @deprecated Use `if (app.get('env') === 'production')`.
   * @example
   * app.configure('development', () => app.set('title', 'My site, unfinished'));
   * app.get('title'); // 'My site, unfinished'
   */
  configure(callback: (this: Application) => void): Application;
  /** @deprecated Use `if (app.get('env') === 'production')`. */
  configure(env: string, ...more: (string | ((this: Application) => void))[]): Application;
  /**
   * The routes as middleware, to say with `app.use(app.router)` where among the middleware they run.
   * @example
   * app.use(app.router);
   * app.use((req, res) => res.send(404, 'No such page'));
   * app.get('/', (req, res) => res.send('Home'));
   * // GET / -> 200 Home
   * // GET /users -> 404 No such page
   */
  readonly router: (req: any, res: any, next: (err?: any) => void) => void;
  /**
   * The routes, by method. Editing the lists edits the application.
   * @example
   * app.get('/users/:id', show);
   * app.routes.get[0].path; // '/users/:id'
   */
  readonly routes: Routes;
  /**
   * The middleware with the paths they are mounted at. Editing the list edits the application.
   * @example
   * app.use('/files', web.static('public'));
   * app.stack[app.stack.length - 1].route; // '/files'
   */
  stack: StackEntry[];
  /**
   * The path that the application is mounted at.
   * @example
   * const admin = web();
   * app.use('/admin', admin);
   * admin.route; // '/admin'
   */
  route: string;
  /**
   * The application that this one is mounted in.
   * @example
   * const admin = web();
   * app.use('/admin', admin);
   * admin.parent === app; // true
   */
  parent?: Application;
  /**
   * Variables for all views.
   * @returns the object that it is given
   * @example
   * app.locals.title = 'My site';
   * app.get('/', (req, res) => res.render('index'));
   * // GET / -> 200 <h1>My site</h1>
   */
  locals: Locals;
  /** Handle a request; without `next`, what is left over gets a 404 or the error. */
  handle(req: http.IncomingMessage, res: http.ServerResponse, next?: (err?: any) => void): void;
  /** The prototype of the requests of this application. */
  request: Request;
  /** The prototype of the responses of this application. */
  response: Response;
}

export type { EngineFunction, NextFunction };
