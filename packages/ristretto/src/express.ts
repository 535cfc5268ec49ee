/** The package's entry: `web()` creates an application, and everything else is a member of that function. */
import { EventEmitter } from 'node:events';
import type { Server } from 'node:net';
import application = require('./application');
import { webMembers, createFunction, mixin } from '@ristretto/private-engine/lib/application';
import { createParsers } from '@ristretto/private-engine/lib/body';
import { givePrototypes } from '@ristretto/private-engine/lib/serving';
import { noteVersionRoot } from '@ristretto/private-engine/lib/report';
import query = require('./middleware/query');
import { defineRemoved } from './middleware/removed';
import request = require('./request');
import response = require('./response');
import Route = require('./router/route');
import Router = require('./router/index');
import { reportPathCompiler } from './router/tracing';
import { createStatic } from '@ristretto/private-engine/lib/static';
import { version } from './version';
import type * as core from '@ristretto/private-engine/lib/types/core';
import type {
  NextHandleFunction,
  Options,
  OptionsJson,
  OptionsText,
  OptionsUrlencoded,
} from '@ristretto/private-engine/lib/types/body';
import type * as events from '@ristretto/private-engine/lib/types/events';
import type * as descriptions from '@ristretto/private-engine/lib/types/description';
import type * as httpErrors from '@ristretto/private-engine/lib/types/http-error';
import type * as diagnostics from '@ristretto/private-engine/lib/types/diagnostics';
import type * as fetching from '@ristretto/private-engine/lib/types/fetch';
import type * as files from '@ristretto/private-engine/lib/types/files';
import type { QueryParser, QueryParserOptions } from '@ristretto/private-engine/lib/types/query';
import type * as known from '@ristretto/private-engine/lib/types/inferred-request';
import type * as operation from '@ristretto/private-engine/lib/types/operation';
import type * as openapis from '@ristretto/private-engine/lib/types/openapi';
import type * as listing from '@ristretto/private-engine/lib/types/route-list';
import type { KnowingRouter, MountedRouter } from '@ristretto/private-engine/lib/types/routing';
import type * as stopping from '@ristretto/private-engine/lib/types/stop';
import type * as validation from '@ristretto/private-engine/lib/types/validation';
import type * as websockets from '@ristretto/private-engine/lib/types/websocket';

/**
 * Create an application.
 * @returns a function to pass to `http.createServer`, with all the members of an application
 * @example
 * const app = web();
 * app.get('/', (req, res) => res.send('hello'));
 * app.listen(3000);
 */
function createApplication(): createApplication.Express {
  const app = createFunction();
  mixin(app, EventEmitter.prototype);
  mixin(app, application);
  givePrototypes(app, request, response);
  app.init();
  return app;
}

/** All members that the namespace below declares. */
type Members = { [Name in keyof typeof createApplication]: (typeof createApplication)[Name] };

const { json, raw, text, urlencoded } = createParsers(version);

// Uses the order of Express. The types of the members are written by hand: the compiler does not see those that are
// defined by loops and accessors.
Object.assign(createApplication, {
  application: application as unknown as Members['application'],
  request,
  response,
  Route: Route as unknown as Members['Route'],
  Router: Router as unknown as Members['Router'],
  json,
  query,
  raw,
  static: createStatic(version),
  text,
  urlencoded,
  ...webMembers,
} satisfies Members);

reportPathCompiler();
noteVersionRoot(typeof __dirname === 'string' ? __dirname : undefined);

defineRemoved(createApplication);

/**
 * The members of the function, and the types that programs use through it. It is a namespace with functions and
 * variables because plugins declare more of them (`declare module 'express' { function Router(): … }`).
 */
/* eslint-disable @typescript-eslint/no-explicit-any -- see types/core.ts */

// Libraries compiled against this package may be used with `@types/express`, where our types do not exist or have other
// names. For unnamed types, the compiler writes their members into the libraries' declarations.
type Unnamed<T> = { [K in keyof T]: T[K] };
type UnnamedFunction<F extends (...args: any) => unknown> = (...args: Parameters<F>) => ReturnType<F>;
type BodyParser = UnnamedFunction<NextHandleFunction>;

declare namespace createApplication {
  /** The prototype of applications. Members added to it exist on all of them. */ let application: Application;
  /** The prototype of requests. Members added to it exist on those of all applications. */ let request: Request;
  /** The prototype of responses. Members added to it exist on those of all applications. */ let response: Response;

  /**
   * Create a route for one path, as `router.route(path)` does, without registering it.
   * @example new web.Route('/users/:id').path; // '/users/:id'
   */
  let Route: new <Path extends string>(path: Path) => IRoute<Path>;
  /**
   * Create a router. The function is also the prototype of routers.
   * @returns the router; with a type argument, one whose handlers know the parameters of its mount path
   * @example const posts = web.Router({ mergeParams: true }).get('/', (req, res) => res.json(req.params));
   * app.use('/users/:id/posts', posts);
   * // GET /users/7/posts -> 200 {"id":"7"}
   */
  function Router(options?: RouterOptions): Router;
  /**
   * Create a router that knows the parameters of the path under which it is mounted.
   * @example web.Router<{ tenant: string }>({ mergeParams: true }).get('/:id', (req, res) => res.send(req.params.tenant));
   */
  function Router<Mount extends object>(
    options: RouterOptions & { mergeParams: true },
  ): KnowingRouter<{ mount: Mount }> & Router;
  /**
   * Create a router that is mounted behind middleware that adds members to the request. Elsewhere, the program does not compile.
   * `Added` are these members, or the type of the middleware; `Mount` are the parameters of its mount path, or `{}`.
   * @example const notes = web.Router<{}, typeof requireUser>();
   * notes.get('/', (req, res) => res.json(req.user.name));
   * app.use('/notes', requireUser, notes);
   */
  function Router<Mount extends Record<string, never>, Added>(
    options?: RouterOptions,
  ): MountedRouter<Mount, Added>;
  function Router<Mount extends object, Added>(
    options: RouterOptions & { mergeParams: true },
  ): MountedRouter<Mount, Added>;

  /**
   * Create middleware that parses JSON bodies (RFC 8259). Errors are passed to `next` with a 4xx `status` and a `type`.
   * @throws TypeError for an invalid `limit`, and for a `verify` that is not a function
   * @example app.post('/', web.json({ limit: '1mb' }), (req, res) => res.json(req.body));
   * // POST / {"a":1} -> 200 {"a":1}
   */
  let json: (options?: Unnamed<OptionsJson>) => BodyParser;
  /**
   * Create middleware that reads bodies as a Buffer: those of type `application/octet-stream`, or of the option `type`.
   * @throws TypeError for an invalid `limit`, and for a `verify` that is not a function
   * @example app.post('/', web.raw({ type: 'image/*', limit: '5mb' }), (req, res) => res.json(req.body.length));
   * // POST / (Content-Type: image/png) 0123 -> 200 4
   */
  let raw: (options?: Unnamed<Options>) => BodyParser;
  /**
   * Create middleware that reads bodies as a string: those of type `text/plain`, or of the option `type`.
   * @throws TypeError for an invalid `limit`, and for a `verify` that is not a function
   * @example app.post('/', web.text({ type: 'text/*' }), (req, res) => res.send(req.body));
   * // POST / (Content-Type: text/markdown) # Hi -> 200 # Hi
   */
  let text: (options?: Unnamed<OptionsText>) => BodyParser;
  /**
   * Create middleware that parses bodies of HTML forms, `application/x-www-form-urlencoded`.
   * @throws TypeError for an invalid `limit` or `parameterLimit`, and for a `verify` that is not a function
   * @example app.post('/', web.urlencoded({ extended: true }), (req, res) => res.json(req.body));
   * // POST / user[name]=Ada -> 200 {"user":{"name":"Ada"}}
   */
  let urlencoded: (options?: Unnamed<OptionsUrlencoded>) => BodyParser;
  /**
   * Create middleware that parses the query string into `req.query`. Applications already include it.
   * @param options options of the extended parser, or a custom parser
   * @example router.use(web.query({ depth: 1 }));
   */
  function query(options?: Unnamed<QueryParserOptions> | UnnamedFunction<QueryParser>): Handler;
  /**
   * Create middleware that serves the files below a directory. `web.static.mime` is its table of media types.
   * @param root the directory, absolute or relative to the working directory
   * @throws TypeError if `root` is missing or not a string, or an option is invalid
   * @example app.use('/assets', web.static('public', { maxAge: '1 day' }));
   * // GET /assets/app.css -> 200 (Cache-Control: public, max-age=86400) p { color: red }
   */
  let static: {
    (
      root: string,
      options?: Unnamed<files.ServeStaticOptions<Response>>,
    ): UnnamedFunction<files.StaticHandler<Response>>;
    /** The table of media types, by file extension. */
    mime: Unnamed<files.Mime>;
  };

  /**
   * Stop a server without failing a request. It accepts no new connections, closes connections without a request and
   * the others after their response, and cuts off what is left after the timeout. HTTP/2 sessions get a GOAWAY; those
   * opened before `web.stopOnSignals` was called are known from their next request on.
   * @param server the server returned by `app.listen`, `http.createServer` and the like, or by `Bun.serve` or `Deno.serve`
   * @param options `timeout` ('10s' by default), `delay` and `drain`: milliseconds, or strings such as '5s'
   * @returns a promise of the number of connections that ended in each way; it never rejects
   * @throws TypeError if it is not a server, or an option is not a duration; RangeError if an option is out of range
   * @example (await web.stop(server, { timeout: 5000 })).forced; // 0
   */
  let stop: (server: Server | stopping.HostServer, options?: StopOptions) => Promise<StopReport>;
  /**
   * Stop servers on SIGTERM, SIGINT, or other signals, as `web.stop` does. A second signal, half a second or more
   * later, cuts off what is still in flight. Does not exit the process, but the servers no longer keep it alive.
   * @param servers one server, or an array of servers
   * @param options those of `web.stop`; `signals`, and `onStop`, called when the first signal arrives
   * @returns a promise of the signal and of the number of connections that ended in each way; it never rejects
   * @throws TypeError if one is not a server, or an option is invalid; RangeError if a time is out of range
   * @example void web.stopOnSignals(app.listen(3000), { timeout: 8000 }).then(() => database.end());
   */
  let stopOnSignals: (
    servers: Server | stopping.HostServer | readonly (Server | stopping.HostServer)[],
    options?: StopOnSignalsOptions,
  ) => Promise<SignalReport>;

  /**
   * Create middleware that limits the time for handling a request. If nothing has been sent when it expires, the error
   * handlers get an error with status 503 and `code` `'ETIMEDOUT'`, and the handler's later output is ignored. A
   * response that has begun continues. In both cases `req.signal` is aborted. See https://github.com/ristretto-web/ristretto/blob/main/docs/guide/deadlines.md.
   * @param time milliseconds, or a string such as `'10s'`
   * @param options `retryAfter`, '10s' by default; `destroy`, which aborts a response that has begun
   * @throws TypeError or RangeError for an invalid time, and for an invalid option
   * @example app.use(web.deadline('50ms')).get('/', () => new Promise(() => {})); // never responds
   * // GET / -> 503 (Retry-After: 10)
   */
  let deadline: (time: number | string, options?: DeadlineOptions) => Handler;
  /**
   * Create middleware that responds to `GET /livez` with 200, and to `GET /readyz` with 200, or with 503 if a check
   * fails or takes too long, or while a server of the process is being stopped. See https://github.com/ristretto-web/ristretto/blob/main/docs/guide/health.md.
   * @param options `checks`, functions by name; `live` and `ready`, the paths, or false; `timeout`, `maxAge`, `details`
   * @throws TypeError for a check that is not a function, a bad path or duration; RangeError for a time out of range
   * @example app.use(web.health({ checks: { database: () => pool.query('select 1') } }));
   * // GET /readyz -> 200 {"status":"ok","checks":{"database":…}}
   */
  let health: (options?: HealthOptions) => Handler;
  /**
   * Create middleware that sets `req.id`: to `X-Request-Id` or the trace id of `traceparent` if the peer is a trusted
   * proxy (the setting `trust proxy`), otherwise to a new UUID. It is sent back as `X-Request-Id`. See
   * https://github.com/ristretto-web/ristretto/blob/main/docs/guide/request-id.md for how to declare its type.
   * @param options `header`, another name; `trust`, the trusted peers; `generate`; `respond: false` to send none
   * @throws TypeError for an invalid `header` name, an invalid `trust`, and a `generate` that is not a function
   * @example app.use(web.requestId());
   * // GET / -> 404 (X-Request-Id: …-…-…-…-…)
   */
  let requestId: (options?: RequestIdOptions) => Handler;
  /**
   * Create middleware that responds with 503 and `Retry-After` while the process is overloaded: the event
   * loop is late, too many requests wait for a response, or memory is short. Health checks are never rejected. Register
   * it first. See https://github.com/ristretto-web/ristretto/blob/main/docs/guide/overload.md.
   * @param options `maxDelay`, `maxRequests`, `maxHeap`, `maxRss`, `retryAfter` and `priority`
   * @throws TypeError for an invalid option; RangeError for a time out of range
   * @example app.use(web.overload()).get('/', (req, res) => res.send('hello'));
   * // GET / -> 200 hello
   */
  let overload: (options?: OverloadOptions) => Handler;
  /**
   * Measure the requests of all applications of the process, and create a handler that sends the metrics in the text
   * format of Prometheus, or as OpenMetrics to clients that accept it. See https://github.com/ristretto-web/ristretto/blob/main/docs/guide/metrics.md.
   * @param options `buckets`, `maxSeries`, `process`, and `register`, a registry of prom-client to include
   * @throws TypeError for an invalid option
   * @example app.get('/metrics', web.metrics());
   * // GET /metrics -> 200 # HELP http_server_request_duration_seconds …
   */
  let metrics: (options?: MetricsOptions) => MetricsHandler;
  /**
   * Report the requests of all applications of the process to OpenTelemetry: spans and metrics by its semantic conventions,
   * with nothing patched. Needs the package `@opentelemetry/api`. See https://github.com/ristretto-web/ristretto/blob/main/docs/guide/opentelemetry.md.
   * @param options `handlers: false` for spans of requests only; `api`, the package
   * @returns an object whose `close()` ends this
   * @throws TypeError for an invalid option; Error if `@opentelemetry/api` is not installed
   * @example web.openTelemetry();
   */
  let openTelemetry: (options?: OpenTelemetryOptions) => OpenTelemetryBridge;
  /**
   * An error with a status, for `throw` and `next`, and functions for the usual ones: `web.HttpError.notFound(…)`. The
   * default error handler sends its status and headers, and its other members as problem details (RFC 9457) if the
   * setting `error format` is `'problem'`. Those of a status of 500 or more are not sent, unless `expose` is true.
   * @throws RangeError for a status outside of 400 to 599; TypeError for a message, headers or `expose` of another type
   * @example app.get('/users/:id', () => { throw new web.HttpError(404, 'No such user', { code: 'user.missing' }); });
   * // GET /users/7 -> 404
   */
  let HttpError: httpErrors.HttpErrorConstructor;
  /** An instance of `web.HttpError`. */
  type HttpError = httpErrors.HttpError;
  /**
   * Create middleware that validates a request with schemas of zod 4, valibot, arktype or any other library that
   * implements Standard Schema. The output of each schema replaces its part of the request, which has its type in later
   * handlers of the same call. Requests that do not match cause a `ValidationError` with status 400.
   * @param schemas for `params`, `query`, `headers`, `cookies`, `body`, and for `response` by status
   * @param options `status`, `includeValues`, `maxIssues`, `timeout` and `onInvalid`
   * @throws TypeError for a value that is not a schema, and for an invalid option
   * @example app.post('/users', web.json(), web.validate({ body: User }), (req, res) => res.json(req.body.email));
   * // POST /users {"email":"ada@example.com"} -> 200 "ada@example.com"
   */
  let validate: <S extends Schemas>(schemas: S, options?: ValidateOptions) => ValidateHandler<S>;
  /**
   * Create middleware that tells `web.openApi` what schemas do not express about its route, or about all later routes of
   * its router. It does nothing else.
   * @param description `summary`, `tags`, `security`, `responses`, `errors`, … as in OpenAPI
   * @throws TypeError for an unknown name, and for `errors` that are not statuses
   * @example app.get('/users', web.describe({ summary: 'Lists users', errors: [401] }), (req, res) => res.json([]));
   * // GET /users -> 200 []
   */
  let describe: (description: RouteDescription) => DescribeHandler;

  /**
   * Create a handler that sends an OpenAPI 3.1 document of all routes of an application or a router, including mounted
   * ones. Schemas and descriptions come from `web.validate`. The document is created on the first request, and again after
   * the routes have changed; the handler's `document()` returns it as an object. See https://github.com/ristretto-web/ristretto/blob/main/docs/guide/openapi.md.
   * @param app an application or a router
   * @param options `info` with title and version; `servers`, `security`, `securitySchemes`, `tags`, `filter`, …
   * @throws TypeError if `app` is neither an application nor a router, and for an invalid option
   * @example app.get('/openapi.json', web.openApi(app, { info: { title: 'Users', version: '1.0.0' } }));
   * // GET /openapi.json -> 200 {"openapi":"3.1.…
   */
  let openApi: (app: Application | core.IRouter, options: OpenApiOptions) => OpenApiHandler;
  /**
   * Create middleware that serves a page for reading and trying out an API: Swagger UI, from the package
   * `swagger-ui-dist`, under a strict Content-Security-Policy.
   * @param url the URL of the document, relative to the host (`/openapi.json`) or to the page (`../openapi.json`)
   * @param options `title`; `connect`, other origins that the page may send requests to; `ui`, parameters of Swagger UI
   * @throws Error if `swagger-ui-dist` is not installed; TypeError for a URL of another host and an invalid option
   * @example app.use('/docs', web.openApiPage('/openapi.json'));
   */
  let openApiPage: (url: string, options?: OpenApiPageOptions) => Handler;

  /**
   * Middleware that adds members to the request, which the handlers after it see: in the same call, on the same route, and
   * in a router that `web.Router().use(middleware)` returned. `Needed` are members that it needs itself.
   * @example const requireUser: web.Adds<{ user: User }> = (req, res, next) => {
   *   req.user = { name: 'Ada' };
   *   next();
   * };
   * app.get('/me', requireUser, (req, res) => res.json(req.user.name));
   */
  type Adds<Added extends object, Needed = unknown> = known.Adds<Added, Needed>;
  /** Options of `web.openApiPage()`. */
  interface OpenApiPageOptions extends openapis.OpenApiPageOptions {}
  /** An application, as seen by handlers. */
  interface Application extends core.Application {}
  /** Options of `res.cookie()` and `res.clearCookie()`. */
  interface CookieOptions extends core.CookieOptions {}
  /** The handler from `web.describe()`. */
  interface DescribeHandler extends descriptions.DescribeHandler {}
  /** Options of `web.deadline()`. */
  interface DeadlineOptions extends operation.DeadlineOptions {}
  /** Options of `res.download()`. */
  interface DownloadOptions extends core.DownloadOptions {}
  /** A callback of `res.sendFile()` and `res.download()`. */
  interface Errback extends core.Errback {}
  /** An error handler, with four parameters. */
  // prettier-ignore
  interface ErrorRequestHandler<P = core.ParamsDictionary, ResBody = any, ReqBody = any, ReqQuery = core.Query, Locals extends Record<string, any> = Record<string, any>>
    extends core.ErrorRequestHandler<P, ResBody, ReqBody, ReqQuery, Locals> {}
  /** The event stream returned by `res.sse()`. */
  interface EventStream extends events.EventStream {}
  /** Options of `res.sse()`. */
  interface EventStreamOptions extends events.EventStreamOptions {}
  /** The application that `web()` returns, with its prototypes of requests and responses. */
  interface Express extends core.Express {}
  /** A message of the tracing channel `express.router.request`. */
  interface HandlerTrace extends diagnostics.HandlerTrace {}
  /** A handler. */
  interface Handler extends core.Handler {}
  /** Options of `web.health()`. */
  interface HealthOptions extends operation.HealthOptions {}
  /** A request for `app.inject()`. */
  interface InjectOptions extends fetching.InjectOptions {}
  /** Options of `app.inject.ws()`. */
  interface InjectSocketOptions extends fetching.InjectSocketOptions {}
  /** A client of `app.inject.ws()`. */
  interface InjectedSocket extends fetching.InjectedSocket {}
  /** The response from `app.inject()`. */
  interface InjectResponse extends fetching.InjectResponse {}
  /** The route of one path that `app.route()` returns; it registers handlers by method. */
  interface IRoute<Route extends string = string> extends core.IRoute<Route> {}
  /** The members that routers and applications share. */
  interface IRouter extends core.IRouter {}
  /** A method that registers handlers without a path. */
  interface IRouterHandler<T> extends core.IRouterHandler<T> {}
  /** A method that registers handlers for a path. */
  interface IRouterMatcher<T> extends core.IRouterMatcher<T> {}
  /** The declared names in `res.locals` and `app.locals`. */
  interface Locals extends core.Locals {}
  /** An entry of the `Accept` header. */
  interface MediaType extends core.MediaType {}
  /** The handler from `web.metrics()`. */
  interface MetricsHandler extends operation.MetricsHandler {}
  /** Options of `web.metrics()`. */
  interface MetricsOptions extends operation.MetricsOptions {}
  /** What `web.openTelemetry()` returns. */
  interface OpenTelemetryBridge extends operation.OpenTelemetryBridge {}
  /** Options of `web.openTelemetry()`. */
  interface OpenTelemetryOptions extends operation.OpenTelemetryOptions {}
  /** Passes control to the next handler, or an error to the next error handler. */
  interface NextFunction extends core.NextFunction {}
  /** The document of `web.openApi()`. */
  interface OpenApiDocument extends openapis.OpenApiDocument {}
  /** The handler that `web.openApi()` returns, with `document()`. */
  interface OpenApiHandler extends openapis.OpenApiHandler {}
  /** Options of `web.openApi()`. */
  interface OpenApiOptions extends openapis.OpenApiOptions {}
  /** A message of the tracing channel `ristretto.render`. */
  interface RenderTrace extends diagnostics.RenderTrace {}
  /** A request, as received by handlers. */
  // prettier-ignore
  interface Request<P = core.ParamsDictionary, ResBody = any, ReqBody = any, ReqQuery = core.Query, Locals extends Record<string, any> = Record<string, any>>
    extends core.Request<P, ResBody, ReqBody, ReqQuery, Locals> {}
  /** A handler: `(req, res, next) => …`. */
  // prettier-ignore
  interface RequestHandler<P = core.ParamsDictionary, ResBody = any, ReqBody = any, ReqQuery = core.Query, Locals extends Record<string, any> = Record<string, any>>
    extends core.RequestHandler<P, ResBody, ReqBody, ReqQuery, Locals> {}
  /** Options of `web.requestId()`. */
  interface RequestIdOptions extends operation.RequestIdOptions {}
  /** A callback of `app.param()`. */
  interface RequestParamHandler extends core.RequestParamHandler {}
  /** A message of the tracing channel `ristretto.request`. */
  interface RequestTrace extends diagnostics.RequestTrace {}
  /** A response, as received by handlers. */
  // prettier-ignore
  interface Response<ResBody = any, Locals extends Record<string, any> = Record<string, any>> extends core.Response<ResBody, Locals> {}
  /** The argument of `web.describe()`. */
  interface RouteDescription extends descriptions.RouteDescription {}
  /** A message of the channel `ristretto.request.route`. */
  interface RouteReport extends diagnostics.RouteReport {}
  /** The router that `web.Router()` returns: middleware and routes that can be mounted. */
  interface Router extends core.Router {}
  /** An entry of `app.routes()`. */
  interface RouteInfo extends listing.RouteInfo {}
  /** Options of `web.Router()`. */
  interface RouterOptions extends core.RouterOptions {}
  /** Sends a body, as `res.send` and `res.json` do. */
  interface Send extends core.Send {}
  /** Options of `res.sendFile()`. */
  interface SendFileOptions extends core.SendFileOptions {}
  /** An open WebSocket, as handlers of `app.ws()` get it. */
  interface Socket<Message = Buffer> extends websockets.Socket<Message> {}
  /** A handler of `app.ws()`. */
  interface SocketHandler<P = core.ParamsDictionary, Message = Buffer> extends websockets.SocketHandler<
    P,
    Message
  > {}
  /** The error of a message that does not match the schema of `app.ws()`. */
  interface SocketMessageError extends websockets.SocketMessageError {}
  /** Options of `app.ws()`. */
  interface SocketOptions extends websockets.SocketOptions {}
  /** Options of `web.overload()`. */
  interface OverloadOptions extends operation.OverloadOptions {}
  /** A message of the channel `ristretto.overload`. */
  interface OverloadReport extends operation.OverloadReport {}
  /** An event of `res.sse()`. */
  interface ServerSentEvent extends events.ServerSentEvent {}
  /** Options of `web.static()`. */
  interface ServeStaticOptions extends files.ServeStaticOptions<core.Response> {}
  /** The values of settings, by name. */
  interface Settings extends core.Settings {}
  /** The result of `web.stopOnSignals()`: the signal, and how connections ended. */
  interface SignalReport extends stopping.SignalReport {}
  /** Options of `web.stopOnSignals()`. */
  interface StopOnSignalsOptions extends stopping.StopOnSignalsOptions {}
  /** Options of `web.stop()`. */
  interface StopOptions extends stopping.StopOptions {}
  /** How `web.stop()` ended connections. */
  interface StopReport extends stopping.StopReport {}
  /** The schemas of `web.validate()`, by part of the request. */
  interface Schemas extends validation.Schemas {}
  /** A schema of any library that implements Standard Schema. */
  interface StandardSchema<Input = unknown, Output = Input> extends validation.StandardSchema<
    Input,
    Output
  > {}
  /** The error of a request that does not match its schemas. */
  interface ValidationError extends validation.ValidationError {}
  /** An issue of a `ValidationError`. */
  interface ValidationIssue extends validation.ValidationIssue {}
  /**
   * A handler for routes with these schemas, in a file of its own. `Added` are the members that middleware before it adds to
   * the request, such as `{ user: User }`, or the type of this middleware.
   * @example
   * const rename: web.Validated<typeof schemas, typeof requireUser> = (req, res) => res.json([req.user.id, req.body.name]);
   * app.put('/me', requireUser, web.json(), web.validate(schemas), rename);
   */
  type Validated<S extends Schemas, Added = unknown> = validation.ValidatedHandler<
    S,
    core.ParamsDictionary,
    Record<string, any>,
    Added
  >;
  /** The handler from `web.validate()`. */
  type ValidateHandler<S> = validation.ValidateHandler<S>;
  /** Options of `web.validate()`. */
  interface ValidateOptions extends validation.ValidateOptions {}
  /** The parameters of a path: `{ id: string }` for `/users/:id`. */
  type RouteParameters<Path extends string> = core.RouteParameters<Path>;
}

export = createApplication;
