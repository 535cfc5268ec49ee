/** The package's entry: `web()` makes an application, and everything else hangs on it. */
import { EventEmitter } from 'node:events';
import type * as http from 'node:http';
import application = require('./application');
import { additions } from './application/additions';
import { isForeign, receiveForeign } from './application/foreign-requests';
import { mixin } from './application/mixin';
import { json } from './body/json';
import { raw } from './body/raw';
import { text } from './body/text';
import { urlencoded } from './body/urlencoded';
import { makeRequestPrototype, makeResponsePrototype } from './http/adopt';
import query = require('./middleware/query');
import { defineRemoved } from './middleware/removed';
import request = require('./request');
import response = require('./response');
import Route = require('./router/route');
import Router = require('./router/index');
import { reportPathCompiler } from './router/tracing';
import { serveStatic } from './static/serve-static';
import type { stopOnSignals as stopOnSignalsType } from './stop/signals';
import type { stop as stopType } from './stop/stop';
import type * as core from './types/core';
import type { Application } from './types/internals';
import type { NextHandleFunction, Options, OptionsJson, OptionsText, OptionsUrlencoded } from './types/body';
import type * as events from './types/events';
import type * as descriptions from './types/description';
import type * as deadlines from './types/deadline';
import type * as diagnostics from './types/diagnostics';
import type * as fetching from './types/fetch';
import type * as files from './types/files';
import type * as healths from './types/health';
import type { QueryParser, QueryParserOptions } from './types/query';
import type * as openapis from './types/openapi';
import type * as requestIds from './types/request-id';
import type * as listing from './types/route-list';
import type * as stopping from './types/stop';
import type * as validation from './types/validation';

/**
 * Make an application.
 * @returns a function to be given to `http.createServer`, with all the members of an application
 * @example
 * const app = web();
 * app.get('/', (req, res) => res.send('hello'));
 * app.listen(3000);
 */
function createApplication(): createApplication.Express {
  const app = function (req: http.IncomingMessage, res: http.ServerResponse, next?: core.NextFunction): void {
    // Tools wrap `handle`: it is called once for each request, with messages of the application.
    if (isForeign(app, req)) receiveForeign(app, req, res, next);
    else app.handle(req, res, next);
  } as unknown as Application;
  mixin(app, EventEmitter.prototype);
  mixin(app, application);
  app.request = makeRequestPrototype(request, app) as Application['request'];
  app.response = makeResponsePrototype(response, app) as Application['response'];
  app.init();
  return app;
}

/** Everything that the namespace below declares. */
type Members = { [Name in keyof typeof createApplication]: (typeof createApplication)[Name] };

Object.assign(createApplication, {
  application: application as unknown as Members['application'],
  request,
  response,
  Route: Route as unknown as Members['Route'],
  Router: Router as unknown as Members['Router'],
  json,
  query,
  raw,
  static: serveStatic,
  text,
  urlencoded,
  ...additions,
} satisfies Members);

reportPathCompiler();

defineRemoved(createApplication);

/**
 * What hangs on the function, and the types that programs use as its members. It is a namespace with functions and
 * variables, since plugins declare more of them (`declare module 'express' { function Router(): … }`).
 */
/* eslint-disable @typescript-eslint/no-explicit-any -- see types/core.ts */

// Libraries that are compiled against this package may be used with `@types/express`, where our types have no name or
// another one. The compiler writes the members of what has no name into their declarations.
type Unnamed<T> = { [K in keyof T]: T[K] };
type UnnamedFunction<F extends (...args: any) => unknown> = (...args: Parameters<F>) => ReturnType<F>;
type BodyParser = UnnamedFunction<NextHandleFunction>;

declare namespace createApplication {
  /** The prototype of applications: what is set here, all of them have. */ let application: Application;
  /** The prototype of requests: what is set here, those of all applications have. */ let request: Request;
  /** The prototype of responses: what is set here, those of all applications have. */ let response: Response;

  /**
   * Make the handlers of one path, as `router.route(path)` does, without registering them.
   * @example new web.Route('/users/:id').path; // '/users/:id'
   */
  let Route: new <Path extends string>(path: Path) => IRoute<Path>;
  /**
   * Make a router. It is itself the prototype of routers.
   * @example const posts = web.Router({ mergeParams: true }).get('/', (req, res) => res.json(req.params));
   * app.use('/users/:id/posts', posts);
   * // GET /users/7/posts -> 200 {"id":"7"}
   */
  function Router(options?: RouterOptions): Router;

  /**
   * Make middleware that parses JSON bodies (RFC 8259). Errors go to `next` with a 4xx `status` and a `type`.
   * @throws TypeError for a `limit` that can't be read and a `verify` that is not a function
   * @example app.post('/', web.json({ limit: '1mb' }), (req, res) => res.json(req.body));
   * // POST / {"a":1} -> 200 {"a":1}
   */
  let json: (options?: Unnamed<OptionsJson>) => BodyParser;
  /**
   * Make middleware that reads bodies as bytes, `application/octet-stream` unless the option `type` says otherwise.
   * @throws TypeError for a `limit` that can't be read and a `verify` that is not a function
   * @example app.post('/', web.raw({ type: 'image/*', limit: '5mb' }), (req, res) => res.json(req.body.length));
   * // POST / (Content-Type: image/png) 0123 -> 200 4
   */
  let raw: (options?: Unnamed<Options>) => BodyParser;
  /**
   * Make middleware that reads bodies as text, `text/plain` unless the option `type` says otherwise.
   * @throws TypeError for a `limit` that can't be read and a `verify` that is not a function
   * @example app.post('/', web.text({ type: 'text/*' }), (req, res) => res.send(req.body));
   * // POST / (Content-Type: text/markdown) # Hi -> 200 # Hi
   */
  let text: (options?: Unnamed<OptionsText>) => BodyParser;
  /**
   * Make middleware that parses bodies of HTML forms, `application/x-www-form-urlencoded`.
   * @throws TypeError for a `limit` or `parameterLimit` that can't be read and a `verify` that is not a function
   * @example app.post('/', web.urlencoded({ extended: true }), (req, res) => res.json(req.body));
   * // POST / user[name]=Ada -> 200 {"user":{"name":"Ada"}}
   */
  let urlencoded: (options?: Unnamed<OptionsUrlencoded>) => BodyParser;
  /**
   * Make middleware that parses the query string into `req.query`; applications have it already.
   * @param options options of the extended parser, or a parser of one's own
   * @example router.use(web.query({ depth: 1 }));
   */
  function query(options?: Unnamed<QueryParserOptions> | UnnamedFunction<QueryParser>): Handler;
  /**
   * Make middleware that serves the files below a directory; `web.static.mime` is its table of media types.
   * @param root the directory, absolute or relative to the working directory
   * @throws TypeError when `root` is missing or not text, or an option has no meaning
   * @example app.use('/assets', web.static('public', { maxAge: '1 day' }));
   * // GET /assets/app.css -> 200 (Cache-Control: public, max-age=86400) p { color: red }
   */
  let static: {
    (
      root: string,
      options?: Unnamed<files.ServeStaticOptions<Response>>,
    ): UnnamedFunction<files.StaticHandler<Response>>;
    /** The table of media types that files are sent with. */
    mime: Unnamed<files.Mime>;
  };

  /**
   * List the routes of an application or a router as data: every route, mount and middleware, nested to any depth, in
   * the order in which they run. Of routers that tools have made or edited, and of Express's, it lists what they hold now.
   * @param app an application or a router, of this package or of Express
   * @returns an entry for each; those of a mounted router follow its own
   * @throws TypeError when it is neither
   * @example web.routesOf(router.get('/users/:id', show)).map(({ path }) => path); // ['/users/:id']
   */
  function routesOf(app: Application | core.IRouter): RouteInfo[];

  /**
   * Stop a server without failing a request: nothing more is accepted, connections without a request are closed,
   * those with one are closed after its response, and what is left at the deadline is cut off. HTTP/2 sessions get
   * a GOAWAY (known from the time of `web.stopOnSignals`, or else of their next request).
   * @param server what `app.listen`, `http.createServer` and their like return
   * @param options `deadline`, `delay` and `drain`, in milliseconds
   * @returns a promise of how many connections ended in which way; it never rejects
   * @throws TypeError when it is no server, or an option no number; RangeError when an option is out of range
   * @example (await web.stop(server, { deadline: 5000 })).forced; // 0
   */
  let stop: (server: Parameters<typeof stopType>[0], options?: StopOptions) => Promise<StopReport>;
  /**
   * Stop servers, as `web.stop` does, on SIGTERM, SIGINT, or other signals; a second one, half a second or more later, cuts
   * off what is still in flight. The process is not exited, but nothing of the servers keeps it alive any more.
   * @param servers one server, or several
   * @param options those of `web.stop`; `signals`, and `onStop`, called when one has come
   * @returns a promise of the signal and of how many connections ended in which way; it never rejects
   * @throws TypeError when it is no server, or an option has no meaning; RangeError when a time is out of range
   * @example void web.stopOnSignals(app.listen(3000), { deadline: 8000 }).then(() => database.end());
   */
  let stopOnSignals: (
    servers: Parameters<typeof stopOnSignalsType>[0],
    options?: StopOnSignalsOptions,
  ) => Promise<SignalReport>;

  /**
   * Make middleware that gives handlers a limited time. When it is over and nothing has been sent, the error handlers get
   * an error with status 503 and `code` `'ETIMEDOUT'`; then `req.signal` is aborted, and what the handler still sends is
   * ignored. A response that has been begun goes on; its signal is aborted. See docs/guide/deadlines.md.
   * @param time milliseconds, or text such as `'10s'`
   * @param options `retryAfter`, in seconds, 10 by default; `destroy`, which breaks off a response that has been begun
   * @throws TypeError or RangeError for what is no time, and for a `retryAfter` that is no number of seconds
   * @example app.use(web.deadline('50ms')).get('/', () => new Promise(() => {})); // never responds
   * // GET / -> 503 (Retry-After: 10)
   */
  let deadline: (time: number | string, options?: DeadlineOptions) => Handler;
  /**
   * Make middleware that responds to `GET /livez` with 200, and to `GET /readyz` with 200 or, when a check fails or takes too
   * long, or a server of the process is being stopped, with 503. See docs/guide/health.md.
   * @param options `checks`, functions by name; `live` and `ready`, the paths, or false; `timeout`, `maxAge` and `details`
   * @throws TypeError for a check that is no function, a bad path and what is no duration; RangeError for a bad duration
   * @example app.use(web.health({ checks: { database: () => pool.query('select 1') } }));
   * // GET /readyz -> 200 {"status":"ok","checks":{"database":…}}
   */
  let health: (options?: HealthOptions) => Handler;
  /**
   * Make middleware that sets `req.id`: to `X-Request-Id` or the trace id of `traceparent` where the peer is a trusted proxy
   * (the setting `trust proxy`), else to a new UUID; and sends it back as `X-Request-Id`. See docs/guide/request-id.md for
   * how to declare its type.
   * @param options `header`, another name; `trust`, whose ids are taken over; `generate`; `respond: false` sends nothing back
   * @throws TypeError for a `header` that is no name of a header, a `trust` that is none, and a `generate` that is no function
   * @example app.use(web.requestId());
   * // GET / -> 404 (X-Request-Id: …-…-…-…-…)
   */
  let requestId: (options?: RequestIdOptions) => Handler;
  /**
   * Make middleware that checks a request by schemas of zod 4, valibot, arktype or any other library that implements
   * Standard Schema. Each part is replaced by the output of its schema, and has its type in the handlers that follow in
   * the same call. A request that does not match goes to the error handlers as a `ValidationError` with status 400.
   * @param schemas for `params`, `query`, `headers`, `cookies`, `body`, and for `response` by status
   * @param options `status`, `values`, `maxIssues`, `timeout` and `checkResponse`
   * @throws TypeError for what is no schema, and a bad option
   * @example app.post('/users', web.json(), web.valid({ body: User }), (req, res) => res.json(req.body.email));
   * // POST /users {"email":"ada@example.com"} -> 200 "ada@example.com"
   */
  let valid: <S extends Schemas>(schemas: S, options?: ValidOptions) => ValidHandler<S>;

  /**
   * Makes a handler that sends an OpenAPI 3.1 document of all routes of an application or a router, mounted ones too. Schemas
   * and descriptions are those of `web.valid`. It is made with the first request, and again when the routes have changed;
   * its `document()` returns it as an object. See docs/guide/openapi.md.
   * @param app an application or a router
   * @param options `info` with title and version; `servers`, `security`, `securitySchemes`, `tags`, `filter`, `basePath`, …
   * @throws TypeError for what is no application or router, and a bad option
   * @example app.get('/openapi.json', web.openapi(app, { info: { title: 'Users', version: '1.0.0' } }));
   * // GET /openapi.json -> 200 {"openapi":"3.1.…
   */
  let openapi: (app: Application | core.IRouter, options: OpenApiOptions) => OpenApiHandler;
  /**
   * Makes middleware that serves a page on which an API can be read and tried out: Swagger UI, of the package
   * `swagger-ui-dist`, under a strict Content-Security-Policy.
   * @param url the document: from the root of the host (`/openapi.json`), or from the page (`../openapi.json`)
   * @param options `title`, `connect`: other origins to send requests to, and `ui`: parameters of Swagger UI
   * @throws Error where `swagger-ui-dist` is not installed; TypeError for a URL of another host and a bad option
   * @example app.use('/docs', web.apiDocs('/openapi.json'));
   */
  let apiDocs: (url: string, options?: ApiDocsOptions) => Handler;

  /** Options of `web.apiDocs()`. */ interface ApiDocsOptions extends openapis.ApiDocsOptions {}
  /** An application, as handlers see it. */ interface Application extends core.Application {}
  /** Options of `res.cookie()` and `res.clearCookie()`. */
  interface CookieOptions extends core.CookieOptions {}
  /** Options of `web.deadline()`. */ interface DeadlineOptions extends deadlines.DeadlineOptions {}
  /** Options of `res.download()`. */ interface DownloadOptions extends core.DownloadOptions {}
  /** A callback of `res.sendFile()` and `res.download()`. */ interface Errback extends core.Errback {}
  /** An error handler, of four parameters. */
  // prettier-ignore
  interface ErrorRequestHandler<P = core.ParamsDictionary, ResBody = any, ReqBody = any, ReqQuery = core.Query, Locals extends Record<string, any> = Record<string, any>>
    extends core.ErrorRequestHandler<P, ResBody, ReqBody, ReqQuery, Locals> {}
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
  // prettier-ignore
  interface Request<P = core.ParamsDictionary, ResBody = any, ReqBody = any, ReqQuery = core.Query, Locals extends Record<string, any> = Record<string, any>>
    extends core.Request<P, ResBody, ReqBody, ReqQuery, Locals> {}
  /** A handler: `(req, res, next) => …`. */
  // prettier-ignore
  interface RequestHandler<P = core.ParamsDictionary, ResBody = any, ReqBody = any, ReqQuery = core.Query, Locals extends Record<string, any> = Record<string, any>>
    extends core.RequestHandler<P, ResBody, ReqBody, ReqQuery, Locals> {}
  /** Options of `web.requestId()`. */ interface RequestIdOptions extends requestIds.RequestIdOptions {}
  /** A callback of `app.param()`. */ interface RequestParamHandler extends core.RequestParamHandler {}
  /** A message of the tracing channel `ristretto.request`. */
  interface RequestTrace extends diagnostics.RequestTrace {}
  /** A response, as handlers get it. */
  // prettier-ignore
  interface Response<ResBody = any, Locals extends Record<string, any> = Record<string, any>> extends core.Response<ResBody, Locals> {}
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

export = createApplication;
