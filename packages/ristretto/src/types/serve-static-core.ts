/**
 * The list of public type names. Those outside the knot of `core.ts` are added to the module that programs written for
 * Express import such types from.
 */
import type * as cookie from './cookie';
import type * as files from './files';
import type * as parameters from './path-parameters';
import type * as query from './query';
import type * as range from './range';
import type * as negotiation from './request-negotiation';
import type * as content from './response-content';
import type * as options from './router-options';

declare module 'express-serve-static-core' {
  type Query = query.Query;
  interface Dictionary<T> extends parameters.Dictionary<T> {}
  type ParamsArray = parameters.ParamsArray;
  type Params = parameters.Params;
  interface CookieOptions extends cookie.CookieOptions {}
  interface ByteRange extends range.ByteRange {}
  interface RequestRanges extends range.RequestRanges {}
  interface MediaType extends negotiation.MediaType {}
  interface SendFileOptions extends files.SendFileOptions {}
  interface DownloadOptions extends files.DownloadOptions {}
  type Errback = content.Errback;
  interface RouterOptions extends options.RouterOptions {}
}

export type {
  Application,
  ApplicationRequestHandler,
  ErrorRequestHandler,
  Express,
  Handler,
  ILayer,
  IRoute,
  IRouter,
  IRouterHandler,
  IRouterMatcher,
  NextFunction,
  Request,
  RequestHandler,
  RequestHandlerParams,
  RequestParamHandler,
  Response,
  Router,
  Send,
} from './core';
export type {
  ByteRange,
  CookieOptions,
  Dictionary,
  DownloadOptions,
  Errback,
  Locals,
  MediaType,
  Params,
  ParamsArray,
  ParamsDictionary,
  PathParams,
  Query,
  RequestRanges,
  RouteParameters,
  RouterOptions,
  SendFileOptions,
} from 'express-serve-static-core';
export type { ServeStaticOptions } from './files';
export type { AnyLocals } from './global';
export type { Settings } from './settings';
