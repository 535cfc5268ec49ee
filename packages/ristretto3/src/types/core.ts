/** The mutually recursive core types of 3.x: application, request, response and handlers. */
/* eslint-disable @typescript-eslint/no-explicit-any -- bodies, errors, results of handlers and values of settings are what programs make of them */
import type { EventEmitter } from 'node:events';
import type * as http from 'node:http';
import type {
  ApplicationMembers,
  EngineFunction,
} from '@ristretto/private-engine/lib/types/application-members';
import type * as core from '@ristretto/private-engine/lib/types/core';
import type { RequestBasics } from '@ristretto/private-engine/lib/types/core-basics';
import type { RequestNetwork } from '@ristretto/private-engine/lib/types/request-network';
import type { RequestTarget } from '@ristretto/private-engine/lib/types/request-target';
import type { SettingsMembers } from '@ristretto/private-engine/lib/types/settings';
import type { MethodName } from '@ristretto/private-engine/lib/types/method-names';
import type { NextFunction } from '@ristretto/private-engine/lib/types/core-basics';
import type { StandardSchema } from '@ristretto/private-engine/lib/types/validation';
import type {
  MessageOf,
  SocketHandler as BaseHandler,
  SocketOptions,
} from '@ristretto/private-engine/lib/types/websocket';
import type { RequestNegotiation3, ResponseMembers } from './members';
import type { RouteEntry, Routes, StackEntry } from './routing';

type ParamsOf<Path> = Path extends string ? core.RouteParameters<Path> : core.ParamsDictionary;

/** A handler. */
export type RequestHandler<P = core.ParamsDictionary> = (
  req: Request<P>,
  res: Response,
  next: NextFunction,
) => any;

/** An error handler, which is recognized by its four parameters. */
export type ErrorRequestHandler = (err: any, req: Request, res: Response, next: NextFunction) => any;

/** A request or error handler, or an arbitrarily nested list of them. */
export type Handlers = RequestHandler<any> | ErrorRequestHandler | readonly Handlers[];

/** A callback of `app.param()`. */
export type ParamHandler = (req: Request, res: Response, next: NextFunction, value: any, name: string) => any;

/** A value that can be mounted: middleware, an application, a server, or anything with a `handle` function. */
export type Mountable = Handlers | Application | http.Server | { handle(...args: any[]): any };

/** Register handlers for a method. */
export interface RouteMatcher<T> {
  <Path extends string>(path: Path, ...handlers: RequestHandler<ParamsOf<Path>>[]): T;
  (path: core.PathParams, ...handlers: RequestHandler<any>[]): T;
  // Error handlers, and lists of handlers, must declare their parameter types
  (path: core.PathParams, ...handlers: Handlers[]): T;
}

/** Register a route for WebSockets. */
export interface SocketMatcher<T> {
  <Path extends string>(path: Path, handler: SocketHandler<Path>): T;
  <Path extends string>(path: Path, first: RequestHandler<ParamsOf<Path>>, handler: SocketHandler<Path>): T;
  <Path extends string, Schema extends StandardSchema | undefined = undefined>(
    path: Path,
    options: SocketOptions<Schema>,
    handler: SocketHandler<Path, MessageOf<Schema>>,
  ): T;
  <Path extends string, Schema extends StandardSchema | undefined = undefined>(
    path: Path,
    options: SocketOptions<Schema>,
    first: RequestHandler<ParamsOf<Path>>,
    handler: SocketHandler<Path, MessageOf<Schema>>,
  ): T;
  (
    path: core.PathParams,
    ...handlers: (SocketOptions | ((...args: any[]) => any) | readonly Handlers[])[]
  ): T;
}

type SocketHandler<Path, Message = Buffer> = BaseHandler<ParamsOf<Path>, Message, Request<ParamsOf<Path>>>;

/** Locals: a function that copies variables into its own properties. */
export interface Locals {
  /**
   * Copy the properties of an object.
   * @returns the object
   * @example
   * app.locals({ title: 'My blog' });
   * app.locals.title; // 'My blog'
   */
  <Values>(values: Values): Values;
  // Any: views accept all values. The names of functions' own properties are taken (name, length, call, apply, bind, …)
  [name: string]: any;
}

/** A request, as received by 3.x handlers. */
export interface Request<P = core.ParamsDictionary>
  extends
    RequestTarget<P, any, any>,
    http.IncomingMessage,
    Express.Request,
    Pick<RequestBasics<any, any>, 'signal'>,
    RequestNegotiation3,
    Omit<RequestNetwork, 'host'> {
  method: string;
  url: string;
  /** The application that is handling the request. */
  app: Application;
  /** The response to this request. */
  res?: Response;
  /** Pass control to the code after the current application. */
  next?: NextFunction;
  /** The route that is handling the request. */
  route: RouteEntry & Record<string, any>;
  /**
   * The files of a multipart body, by field, set by `web.multipart()`.
   * @example
   * app.post('/photo', web.multipart(), (req, res) => res.send(req.files.photo.name));
   * // POST /photo (Content-Type: multipart/form-data; boundary=x)
   * //   --x\r\nContent-Disposition: form-data; name="photo"; filename="a.png"\r\n\r\n0123\r\n--x--\r\n
   * //   -> 200 a.png
   */
  files: any;
  /**
   * The client's session, set by `web.session()` or `web.cookieSession()`.
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
   * The host name in the `Host` header, without the port.
   * @example
   * req.host; // 'example.com'
   * // GET / (Host: example.com:8080)
   */
  readonly host: string;
}

/** A response, as received by 3.x handlers. */
export interface Response extends http.ServerResponse, Express.Response, ResponseMembers {
  /** The application that is handling the request. */
  app: Application;
  /** The request for this response. */
  req: Request;
  /**
   * Variables for views that are rendered in this response. Never take their names from client input.
   * @returns the object that was passed
   * @example
   * res.locals({ title: 'Home' });
   * res.render('index');
   * // GET / -> 200 <h1>Home</h1>
   */
  locals: Locals;
}

/** A 3.x application: middleware, routes and settings; itself a request handler. */
export interface Application
  extends
    EventEmitter,
    Express.Application,
    Omit<ApplicationMembers, 'router' | 'routes' | 'resource' | 'map'>,
    SettingsMembers,
    Omit<Record<MethodName, RouteMatcher<any>>, 'get'> {
  (req: http.IncomingMessage, res: http.ServerResponse, next?: (err?: any) => void): void;
  /**
   * Read a setting, or register handlers for GET requests.
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
  /**
   * Register a route that only WebSocket requests enter. Needs the package `ws`.
   * @returns the application, for chaining
   * @throws TypeError for an unknown or invalid option, and without a handler; Error if `ws` is not installed
   * @example
   * app.ws('/rooms/:room', (socket, req) => {
   *   socket.on('message', data => socket.send(`${req.params.room}: ${data}`));
   * });
   * // GET /rooms/tea -> 404
   */
  ws: SocketMatcher<Application>;
  /** @deprecated Use `app.delete()`. */
  del: RouteMatcher<Application>;
  /**
   * Mount middleware, applications or servers for all requests, or at a path, which a `/` or a `.` may follow.
   * @throws TypeError for a value that cannot be mounted, and for a path that is not a string
   * @example
   * app.use('/files', web.static('public'));
   * // GET /files/app.css -> 200 p { color: red }
   */
  use(...handlers: Mountable[]): Application;
  use(path: string, ...handlers: Mountable[]): Application;
  /** Mount middleware with other types, such as those of connect or of 4.x. */
  use(...handlers: ((...args: any[]) => any)[]): Application;
  use(path: string, ...handlers: ((...args: any[]) => any)[]): Application;
  /**
   * Register a callback for a route parameter, or for several.
   * @throws Error for a callback that is not a function
   * @example
   * app.param('id', (req, res, next, id) => {
   *   res.locals({ user: users.get(id) });
   *   next();
   * });
   * app.get('/users/:id', (req, res) => res.send(res.locals.user.name));
   * // GET /users/7 -> 200 Ada
   */
  param(name: string | readonly string[], handler: ParamHandler): Application;
  /** Register a value that a function passed to `app.param(fn)` supports, such as a regular expression. */
  param(name: string, value: unknown): Application;
  /** @deprecated Use path patterns. */
  param(hook: (name: string, value: any) => ParamHandler | undefined): Application;
  /**
   * Call a function immediately if the application runs in one of the environments, or if none or `'all'` is
   * named.
   * @deprecated Use `if (app.get('env') === 'production')`.
   * @throws TypeError for a callback that is not a function
   * @example
   * app.configure('development', () => app.set('title', 'My site, unfinished'));
   * app.get('title'); // 'My site, unfinished'
   */
  configure(callback: (this: Application) => void): Application;
  /** @deprecated Use `if (app.get('env') === 'production')`. */
  configure(env: string, ...more: (string | ((this: Application) => void))[]): Application;
  /**
   * The routes as middleware: `app.use(app.router)` determines where among the middleware they run.
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
   * @throws TypeError for an entry without a path and a handler
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
   * The parent application.
   * @example
   * const admin = web();
   * app.use('/admin', admin);
   * admin.parent === app; // true
   */
  parent?: Application;
  /**
   * Variables for all views.
   * @returns the object that was passed
   * @example
   * app.locals.title = 'My site';
   * app.get('/', (req, res) => res.render('index'));
   * // GET / -> 200 <h1>My site</h1>
   */
  locals: Locals;
  /** Handle a request. If no handler responds, `next` is called; without it, a 404 is sent, or the error's status. */
  handle(req: http.IncomingMessage, res: http.ServerResponse, next?: (err?: any) => void): void;
  /** The prototype of this application's requests. */
  request: Request;
  /** The prototype of this application's responses. */
  response: Response;
}

export type { EngineFunction, NextFunction };
