/**
 * The middleware of 3.x, by name. Each file is loaded when its name is first read, so that an application loads only
 * what it uses.
 */
import { deprecated } from './deprecate';
import type basicAuth = require('./middleware/basicAuth');
import type bodyParser = require('./middleware/bodyParser');
import type compress = require('./middleware/compress');
import type cookieParser = require('./middleware/cookieParser');
import type cookieSession = require('./middleware/cookieSession');
import type csrf = require('./middleware/csrf');
import type directory = require('./middleware/directory');
import type errorHandler = require('./middleware/errorHandler');
import type favicon = require('./middleware/favicon');
import type json = require('./middleware/json');
import type limit = require('./middleware/limit');
import type logger = require('./middleware/logger');
import type methodOverride = require('./middleware/methodOverride');
import type multipart = require('./middleware/multipart');
import type query = require('./middleware/query');
import type responseTime = require('./middleware/responseTime');
import type session = require('./middleware/session');
import type serveStatic = require('./middleware/static');
import type staticCache = require('./middleware/staticCache');
import type timeout = require('./middleware/timeout');
import type urlencoded = require('./middleware/urlencoded');
import type vhost = require('./middleware/vhost');

/** The export of each file. */
export interface Middleware {
  basicAuth: typeof basicAuth;
  bodyParser: typeof bodyParser;
  /** Create middleware that compresses responses: https://www.npmjs.com/package/compression, version 1. */
  compress: typeof compress;
  cookieParser: typeof cookieParser;
  cookieSession: typeof cookieSession;
  csrf: typeof csrf;
  /** Create middleware that lists the files of a directory: https://www.npmjs.com/package/serve-index, version 1. */
  directory: typeof directory;
  /** Create a development error handler that shows stacks: https://www.npmjs.com/package/errorhandler, version 1. */
  errorHandler: typeof errorHandler;
  favicon: typeof favicon;
  json: typeof json;
  limit: typeof limit;
  logger: typeof logger;
  methodOverride: typeof methodOverride;
  multipart: typeof multipart;
  query: typeof query;
  responseTime: typeof responseTime;
  session: typeof session;
  static: typeof serveStatic;
  staticCache: typeof staticCache;
  timeout: typeof timeout;
  urlencoded: typeof urlencoded;
  vhost: typeof vhost;
}

/* eslint-disable @typescript-eslint/no-unsafe-return -- the interface above says what each file exports */
const files: { [name in keyof Middleware]: () => Middleware[name] } = {
  basicAuth: () => require('./middleware/basicAuth'),
  bodyParser: () => require('./middleware/bodyParser'),
  compress: () => require('./middleware/compress'),
  cookieParser: () => require('./middleware/cookieParser'),
  cookieSession: () => require('./middleware/cookieSession'),
  csrf: () => require('./middleware/csrf'),
  directory: () => require('./middleware/directory'),
  errorHandler: () => require('./middleware/errorHandler'),
  favicon: () => require('./middleware/favicon'),
  json: () => require('./middleware/json'),
  limit: () => require('./middleware/limit'),
  logger: () => require('./middleware/logger'),
  methodOverride: () => require('./middleware/methodOverride'),
  multipart: () => require('./middleware/multipart'),
  query: () => require('./middleware/query'),
  responseTime: () => require('./middleware/responseTime'),
  session: () => require('./middleware/session'),
  static: () => require('./middleware/static'),
  staticCache: () => require('./middleware/staticCache'),
  timeout: () => require('./middleware/timeout'),
  urlencoded: () => require('./middleware/urlencoded'),
  vhost: () => require('./middleware/vhost'),
};
/* eslint-enable @typescript-eslint/no-unsafe-return */

/** The packages that replace the middleware missing in 4.x, except for middleware with its own deprecation notice. */
const packages: Partial<Record<keyof Middleware, string>> = {
  compress: 'compression',
  cookieParser: 'cookie-parser',
  cookieSession: 'cookie-session',
  csrf: 'csurf',
  directory: 'serve-index',
  errorHandler: 'errorhandler',
  favicon: 'serve-favicon',
  logger: 'morgan',
  responseTime: 'response-time',
  session: 'express-session',
  timeout: 'connect-timeout',
  vhost: 'vhost',
};

/**
 * Defines the middleware on the package's main function. Code that lists or replaces them sees ordinary properties.
 * @example install(web); web.cookieParser('secret');
 */
export function install(target: object): void {
  for (const name of Object.keys(files) as (keyof Middleware)[]) {
    const define = (value: unknown): void => {
      Object.defineProperty(target, name, { configurable: true, enumerable: true, writable: true, value });
    };
    const load = (): Middleware[keyof Middleware] => {
      const member = files[name]();
      const replacement = packages[name];
      return replacement === undefined
        ? member
        : deprecated(`${name}: Use ${replacement} npm module instead`, member);
    };
    Object.defineProperty(target, name, {
      configurable: true,
      enumerable: true,
      get() {
        const member = load();
        define(member);
        return member;
      },
      set: define,
    });
  }
}
