/**
 * The types of the package. They are declared here and in types/core.d.ts, and not by the code in lib/, which knows the types
 * of `ristretto` as well: these are for programs that see those of 5.x only.
 */
import type * as bodies from './lib/types/body';
import type * as core from './types/core';
import type * as body from 'ristretto/lib/types/body';
import type * as deadlines from 'ristretto/lib/types/deadline';
import type * as descriptions from 'ristretto/lib/types/description';
import type * as diagnostics from 'ristretto/lib/types/diagnostics';
import type * as events from 'ristretto/lib/types/events';
import type * as fetching from 'ristretto/lib/types/fetch';
import type * as files from 'ristretto/lib/types/files';
import type * as healths from 'ristretto/lib/types/health';
import type * as openapis from 'ristretto/lib/types/openapi';
import type * as requestIds from 'ristretto/lib/types/request-id';
import type * as listing from 'ristretto/lib/types/route-list';
import type * as stopping from 'ristretto/lib/types/stop';
import type * as validation from 'ristretto/lib/types/validation';
import type { Server } from 'node:net';

// Libraries that are compiled against this package may be used with `@types/express`, where our types have no name or
// another one. The compiler writes the members of what has no name into their declarations.
type Unnamed<T> = { [K in keyof T]: T[K] };
type UnnamedFunction<F extends (...args: any) => unknown> = (...args: Parameters<F>) => ReturnType<F>;
type BodyParser = UnnamedFunction<body.NextHandleFunction>;

/**
 * Make an application.
 * @returns a function to be given to `http.createServer`, with all the members of an application
 * @example
 * const app = web();
 * app.get('/', (req, res) => res.send('hello'));
 * app.listen(3000);
 */
declare function web(): web.Express;

/** What hangs on the function, and the types that programs use as its members. */
declare namespace web {
  /** The prototype of applications: what is set here, all that are made afterwards have. */
  let application: Application;
  /** The prototype of requests: what is set here, those of all applications have. */
  let request: Request;
  /** The prototype of responses: what is set here, those of all applications have. */
  let response: Response;

  /**
   * Make the handlers of one path, as `router.route(path)` does, without registering them.
   * @example const route = new web.Route('/users/:id');
   */
  let Route: new <Path extends string>(path: Path) => IRoute<Path>;
  /**
   * Make a router, with or without `new`.
   * @example const router = web.Router({ mergeParams: true });
   */
  let Router: RouterConstructor;

  /**
   * Make middleware that parses JSON bodies (RFC 8259). Errors go to `next` with a 4xx `status` and a `type`.
   * @throws TypeError for a `limit` that can't be read and a `verify` that is not a function
   * @example app.use(web.json({ limit: '1mb' }));
   */
  let json: (options?: Unnamed<body.OptionsJson>) => BodyParser;
  /**
   * Make middleware that reads bodies as bytes, `application/octet-stream` unless the option `type` says otherwise.
   * @throws TypeError for a `limit` that can't be read and a `verify` that is not a function
   * @example app.post('/upload', web.raw({ type: 'image/*', limit: '5mb' }), save);
   */
  let raw: (options?: Unnamed<body.Options>) => BodyParser;
  /**
   * Make middleware that reads bodies as text, `text/plain` unless the option `type` says otherwise.
   * @throws TypeError for a `limit` that can't be read and a `verify` that is not a function
   * @example app.use(web.text({ type: 'text/*' }));
   */
  let text: (options?: Unnamed<body.OptionsText>) => BodyParser;
  /**
   * Make middleware that parses bodies of HTML forms, `application/x-www-form-urlencoded`; flat unless `extended` is set.
   * @throws TypeError for an option that can't be read
   * @example app.use(web.urlencoded({ extended: true }));
   */
  let urlencoded: (options?: Unnamed<bodies.OptionsUrlencoded5>) => BodyParser;
  /**
   * Make middleware that serves the files below a directory. What begins with a dot is a 404 unless `dotfiles` allows it.
   * @throws TypeError without a directory, and for an option that can't be read
   * @example app.use('/assets', web.static('public', { maxAge: '1 day' }));
   */
  let static: (
    root: string,
    options?: Unnamed<files.ServeStaticOptions<Response>>,
  ) => UnnamedFunction<files.StaticHandler<Response>>;

  /**
   * List the routes of an application or a router as data, mounted ones too, in the order in which they run.
   * @param app an application or a router, of this package, of `ristretto` or of Express
   * @throws TypeError when it is neither
   * @example web.routesOf(app).filter(({ kind }) => kind === 'route'); // [{ method: 'GET', path: '/users/:id', … }]
   */
  let routesOf: (app: Application | core.IRouter) => RouteInfo[];
  /**
   * Stop a server without failing a request; connections that are left at the deadline are cut off.
   * @param server what `app.listen`, `http.createServer` and their like return
   * @param options `deadline`, `delay` and `drain`, in milliseconds
   * @returns a promise of how many connections ended in which way; it never rejects
   * @throws TypeError when it is no server, or an option no number; RangeError when an option is out of range
   * @example const { forced } = await web.stop(server, { deadline: 5000 });
   */
  let stop: (server: Server, options?: StopOptions) => Promise<StopReport>;
  /**
   * Stop servers, as `web.stop` does, on SIGTERM, SIGINT, or other signals.
   * @param options those of `web.stop`; `signals`, and `onStop`, called when one has come
   * @throws TypeError when it is no server, or an option has no meaning; RangeError when a time is out of range
   * @example void web.stopOnSignals(app.listen(3000), { deadline: 8000 }).then(() => database.end());
   */
  let stopOnSignals: (
    servers: Server | readonly Server[],
    options?: StopOnSignalsOptions,
  ) => Promise<SignalReport>;
  /**
   * Make middleware that gives handlers a limited time; then error handlers get an error with status 503, and `req.signal`
   * is aborted. See docs/guide/deadlines.md.
   * @param time milliseconds, or text such as `'10s'`
   * @throws TypeError or RangeError for what is no time, and for a `retryAfter` that is no number of seconds
   * @example app.use(web.deadline('10s'));
   */
  let deadline: (time: number | string, options?: DeadlineOptions) => Handler;
  /**
   * Make middleware that responds to `GET /livez` and, by the outcome of checks, to `GET /readyz`. See docs/guide/health.md.
   * @throws TypeError for a check that is no function, a bad path and what is no duration; RangeError for a bad duration
   * @example app.use(web.health({ checks: { database: () => pool.query('select 1') } }));
   */
  let health: (options?: HealthOptions) => Handler;
  /**
   * Make middleware that sets `req.id` and sends it back as `X-Request-Id`. See docs/guide/request-id.md for its type.
   * @throws TypeError for an option of the wrong kind
   * @example app.use(web.requestId());
   */
  let requestId: (options?: RequestIdOptions) => Handler;
  /**
   * Make middleware that checks a request by schemas that implement Standard Schema. The output of each has its type in the
   * handlers that follow in the same call; what does not match is a `ValidationError` with status 400. See
   * docs/guide/validation.md.
   * @throws TypeError for what is no schema, and a bad option
   * @example app.post('/users', web.json(), web.valid({ body: User }), (req, res) => res.json(req.body.email));
   */
  let valid: <S extends Schemas>(schemas: S, options?: ValidOptions) => ValidHandler<S>;
  /**
   * Make a handler that sends an OpenAPI 3.1 document of all routes of an application or a router. See docs/guide/openapi.md.
   * @throws TypeError for what is no application or router, and a bad option
   * @example app.get('/openapi.json', web.openapi(app, { info: { title: 'Users', version: '1.0.0' } }));
   */
  let openapi: (app: Application | core.IRouter, options: OpenApiOptions) => OpenApiHandler;
  /**
   * Make middleware that serves a page on which an API can be read and tried out.
   * @param url the document: from the root of the host (`/openapi.json`), or from the page (`../openapi.json`)
   * @throws Error where `swagger-ui-dist` is not installed; TypeError for a URL of another host and a bad option
   * @example app.use('/docs', web.apiDocs('/openapi.json'));
   */
  let apiDocs: (url: string, options?: ApiDocsOptions) => Handler;

  /** What `web.Router` is: a function that is a constructor as well. */
  interface RouterConstructor {
    /** Make a router. */
    (options?: RouterOptions): Router;
    /** Make a router. */
    new (options?: RouterOptions): Router;
    /** What is set here, all routers have. */
    prototype: Router;
  }

  /** Options of `web.apiDocs()`. */ interface ApiDocsOptions extends openapis.ApiDocsOptions {}
  /** An application, as handlers see it. */ interface Application extends core.Application {}
  /** Options of `res.cookie()` and `res.clearCookie()`. */
  interface CookieOptions extends core.CookieOptions {}
  /** Options of `web.deadline()`. */ interface DeadlineOptions extends deadlines.DeadlineOptions {}
  /** Options of `res.download()`. */ interface DownloadOptions extends core.DownloadOptions {}
  /** A callback of `res.sendFile()` and `res.download()`. */ interface Errback extends core.Errback {}
  /** An error handler, of four parameters. */
  interface ErrorRequestHandler<
    P = core.ParamsDictionary,
    ResBody = any,
    ReqBody = any,
    ReqQuery = core.Query,
    Locals extends Record<string, any> = Record<string, any>,
  > extends core.ErrorRequestHandler<P, ResBody, ReqBody, ReqQuery, Locals> {}
  /** What `res.sse()` returns. */ interface EventStream extends events.EventStream {}
  /** Options of `res.sse()`. */ interface EventStreamOptions extends events.EventStreamOptions {}
  /** What `web()` returns: an application with its prototypes of requests and responses. */
  interface Express extends core.Express {}
  /** A message of the tracing channel `express.router.request`. */
  interface HandlerTrace extends diagnostics.HandlerTrace {}
  /** A handler. */ interface Handler extends core.Handler {}
  /** Options of `web.health()`. */ interface HealthOptions extends healths.HealthOptions {}
  /** A request for `app.inject()`. */ interface InjectOptions extends fetching.InjectOptions {}
  /** What `app.inject()` returns. */ interface InjectResponse extends fetching.InjectResponse {}
  /** The handlers of one path, by method: what `app.route()` returns. */
  interface IRoute<Route extends string = string> extends core.IRoute<Route> {}
  /** What routers and applications share. */ interface IRouter extends core.IRouter {}
  /** A method that registers handlers without a path. */
  interface IRouterHandler<T> extends core.IRouterHandler<T> {}
  /** A method that registers handlers for a path. */
  interface IRouterMatcher<T> extends core.IRouterMatcher<T> {}
  /** The names known to be in `res.locals` and `app.locals`. */ interface Locals extends core.Locals {}
  /** An entry of the `Accept` header. */ interface MediaType extends core.MediaType {}
  /** Passes control to the next handler, or an error to the next error handler. */
  interface NextFunction extends core.NextFunction {}
  /** What `web.openapi()` makes. */ interface OpenApiDocument extends openapis.OpenApiDocument {}
  /** What `web.openapi()` returns: a handler with `document()`. */
  interface OpenApiHandler extends openapis.OpenApiHandler {}
  /** Options of `web.openapi()`. */ interface OpenApiOptions extends openapis.OpenApiOptions {}
  /** A message of the tracing channel `ristretto.render`. */
  interface RenderTrace extends diagnostics.RenderTrace {}
  /** A request, as handlers get it. */
  interface Request<
    P = core.ParamsDictionary,
    ResBody = any,
    ReqBody = any,
    ReqQuery = core.Query,
    Locals extends Record<string, any> = Record<string, any>,
  > extends core.Request<P, ResBody, ReqBody, ReqQuery, Locals> {}
  /** A handler: `(req, res, next) => …`. */
  interface RequestHandler<
    P = core.ParamsDictionary,
    ResBody = any,
    ReqBody = any,
    ReqQuery = core.Query,
    Locals extends Record<string, any> = Record<string, any>,
  > extends core.RequestHandler<P, ResBody, ReqBody, ReqQuery, Locals> {}
  /** Options of `web.requestId()`. */ interface RequestIdOptions extends requestIds.RequestIdOptions {}
  /** A callback of `app.param()`. */ interface RequestParamHandler extends core.RequestParamHandler {}
  /** A message of the tracing channel `ristretto.request`. */
  interface RequestTrace extends diagnostics.RequestTrace {}
  /** A response, as handlers get it. */
  interface Response<
    ResBody = any,
    Locals extends Record<string, any> = Record<string, any>,
  > extends core.Response<ResBody, Locals> {}
  /** What `web.valid()` takes as `describe`. */
  interface RouteDescription extends descriptions.RouteDescription {}
  /** A message of the channel `ristretto.request.route`. */
  interface RouteReport extends diagnostics.RouteReport {}
  /** What `web.Router()` returns: middleware and routes that can be mounted. */
  interface Router extends core.Router {}
  /** An entry of `web.routesOf(app)`. */ interface RouteInfo extends listing.RouteInfo {}
  /** Options of `web.Router()`. */ interface RouterOptions extends core.RouterOptions {}
  /** Sends a body, as `res.send` and `res.json` do. */ interface Send extends core.Send {}
  /** Options of `res.sendFile()`. */ interface SendFileOptions extends core.SendFileOptions {}
  /** An event of `res.sse()`. */ interface ServerSentEvent extends events.ServerSentEvent {}
  /** Options of `web.static()`. */
  interface ServeStaticOptions extends files.ServeStaticOptions<core.Response> {}
  /** The values that settings take, by name. */ interface Settings extends core.Settings {}
  /** What `web.stopOnSignals()` reports: the signal, and how connections ended. */
  interface SignalReport extends stopping.SignalReport {}
  /** Options of `web.stopOnSignals()`. */
  interface StopOnSignalsOptions extends stopping.StopOnSignalsOptions {}
  /** Options of `web.stop()`. */ interface StopOptions extends stopping.StopOptions {}
  /** What `web.stop()` reports: how connections ended. */ interface StopReport extends stopping.StopReport {}
  /** The schemas of `web.valid()`, by part of the request. */ interface Schemas extends validation.Schemas {}
  /** A schema of any library that implements Standard Schema. */
  interface StandardSchema<Input = unknown, Output = Input> extends validation.StandardSchema<
    Input,
    Output
  > {}
  /** The error of a request that does not match its schemas. */
  interface ValidationError extends validation.ValidationError {}
  /** An issue of a `ValidationError`. */ interface ValidationIssue extends validation.ValidationIssue {}
  /** What `web.valid()` returns. */ interface ValidHandler<S> extends validation.ValidHandler<S> {}
  /** Options of `web.valid()`. */ interface ValidOptions extends validation.ValidOptions {}
  /** The parameters that a path promises: `{ id: string }` for `/users/:id`. */
  type RouteParameters<Path extends string> = core.RouteParameters<Path>;
}

export = web;
