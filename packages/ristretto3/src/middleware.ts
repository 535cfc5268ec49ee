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

/** What replaces the middleware that is missing in 4.x. */
const notices: Partial<Record<keyof Middleware, string>> = {
  basicAuth: 'use basic-auth npm module instead',
  bodyParser:
    'use web.json(), web.urlencoded(), and for uploads a parser (multer, busboy, formidable) npm module',
  compress: 'Use compression npm module instead',
  cookieParser: 'Use cookie-parser npm module instead',
  cookieSession: 'Use cookie-session npm module instead',
  csrf: 'Use csurf npm module instead',
  directory: 'Use serve-index npm module instead',
  errorHandler: 'Use errorhandler npm module instead',
  favicon: 'Use serve-favicon npm module instead',
  limit: 'give the body parsers their option limit',
  logger: 'Use morgan npm module instead',
  methodOverride: 'use method-override npm module instead',
  multipart: 'use parser (multiparty, busboy, formidable) npm module instead',
  responseTime: 'Use response-time npm module instead',
  session: 'Use express-session npm module instead',
  staticCache: 'use varnish or similar reverse proxy caches',
  timeout: 'Use connect-timeout npm module instead',
  vhost: 'Use vhost npm module instead',
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
      const notice = notices[name];
      return notice === undefined ? member : deprecated(`${name}: ${notice}`, member);
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
