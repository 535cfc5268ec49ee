/** The package's entry: `web()` creates a 3.x application, and everything else is a member of that function. */
import { EventEmitter } from 'node:events';
import { givePrototypes, prototypesOf } from '@ristretto/private-engine/lib/serving';
import { noteVersionRoot } from '@ristretto/private-engine/lib/report';
import { createFunction } from '@ristretto/private-engine/lib/application';
import { loadMime } from '@ristretto/private-engine/lib/protocol';
import type { CookieOptions as BaseCookieOptions } from '@ristretto/private-engine/lib/types/cookie';
import application = require('./application');
import { deprecated } from './deprecate';
import { resLocals } from './locals';
import { install } from './middleware';
import type { Middleware } from './middleware';
import request = require('./request');
import response = require('./response');
import Route = require('./router/route');
import Router = require('./router/index');
import type * as core from './types/core';
import { asOwn } from './application/routing';
import type * as routing from './types/routing';

/**
 * Create an application.
 * @returns a function to pass to `http.createServer`, with all the members of an application
 * @example
 * const app = web();
 * app.use(web.bodyParser());
 * app.get('/', (req, res) => res.send('hello'));
 * app.listen(3000);
 */
function createApplication(): core.Application {
  const app = asOwn(createFunction());
  for (const members of [EventEmitter.prototype, application]) {
    Object.defineProperties(app, Object.getOwnPropertyDescriptors(members));
  }
  givePrototypes(app, request, response);
  Object.defineProperty(prototypesOf(app).response, 'locals', resLocals);
  app.init();
  return app;
}

/** The members of the function. */
interface Members extends Middleware {
  /**
   * The version of this package, whose major version is that of the Express API it implements.
   * @example web.version.split('.')[0]; // '3'
   */
  version: string;
  /**
   * The table of media types.
   * @example web.mime.lookup('page.html'); // 'text/html'
   */
  mime: ReturnType<typeof loadMime>;
  /** @deprecated Use `web()`. */
  createServer: typeof createApplication;
  /** The prototype of applications. Members added to it exist on all of them that are created later. */
  application: core.Application;
  /** The prototype of requests. Members added to it exist on those of all applications. */
  request: core.Request;
  /** The prototype of responses. Members added to it exist on those of all applications. */
  response: core.Response;
  /**
   * Create a route from a method, a path and handlers.
   * @example
   * const route = new web.Route('get', '/users/:id', [show]);
   * route.match('/users/7'); // true
   */
  Route: typeof Route;
  /**
   * Create a router, which holds routes but no middleware.
   * @example
   * const users = new web.Router({ strict: true });
   * users.get('/users', show);
   * app.use(users.middleware);
   * // GET /users -> 200 show
   * // GET /users/ -> 404
   */
  Router: typeof Router;
}

// The types of the members are written by hand: the compiler does not see those that are defined by loops and accessors.
const web = Object.assign(createApplication, {
  application,
  request,
  response,
  Route,
  Router,
  createServer: deprecated('createServer: Use the main function instead', createApplication),
}) as unknown as typeof createApplication & Members;

install(web);

Object.defineProperties(web, {
  version: {
    configurable: true,
    enumerable: true,
    get: () => (require('../package.json') as { version: string }).version,
  },
  mime: { configurable: true, enumerable: true, get: loadMime },
});

// Bundles of ES modules have no `__dirname`.
noteVersionRoot(typeof __dirname === 'string' ? __dirname : undefined);

/** The types that programs use. */
declare namespace web {
  /** What `web()` returns. */
  type Application = core.Application;
  /** Options of `res.cookie()` and `res.clearCookie()`. */
  type CookieOptions = BaseCookieOptions;
  /** An error handler, which has four parameters. */
  type ErrorRequestHandler = core.ErrorRequestHandler;
  /** The type of `app.locals` and `res.locals`: a function that has variables as properties. */
  type Locals = core.Locals;
  /** Passes control to the next handler, or an error to the next error handler. */
  type NextFunction = core.NextFunction;
  /** A request as handlers receive it. */
  type Request<P = Record<string, string>> = core.Request<P>;
  /** A handler: `(req, res, next) => …`. */
  type RequestHandler<P = Record<string, string>> = core.RequestHandler<P>;
  /** A response as handlers receive it. */
  type Response = core.Response;
  /** An entry of `app.routes`. */
  type RouteEntry = routing.RouteEntry;
  /** The routes of an application, by method. */
  type Routes = routing.Routes;
  /** Options of `new web.Router()`. */
  type RouterOptions = routing.RouterOptions;
  /** An entry of `app.stack`. */
  type StackEntry = routing.StackEntry;
}

export = web;
