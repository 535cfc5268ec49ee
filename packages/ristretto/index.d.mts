/** Types of the package for `import`; `lib/express.d.ts` has those for `require`. */
import type * as core from './lib/types/serve-static-core.js';
import type * as stopping from './lib/types/stop.js';
import web = require('./lib/express.js');

export default web;
export import application = web.application;
export import request = web.request;
export import response = web.response;
export import Route = web.Route;
export import json = web.json;
export import raw = web.raw;
export import text = web.text;
export import urlencoded = web.urlencoded;
export import query = web.query;
export import stop = web.stop;
export import stopOnSignals = web.stopOnSignals;
import staticFiles = web.static;
export { staticFiles as static };
/**
 * Makes a router. It is itself the prototype of routers.
 * @example const router = Router({ mergeParams: true });
 */
export function Router(options?: RouterOptions): core.Router;

export interface Application<L extends core.AnyLocals = core.AnyLocals> extends core.Application<L> {}
export interface CookieOptions extends core.CookieOptions {}
export interface DownloadOptions extends core.DownloadOptions {}
export interface Errback extends core.Errback {}
export interface ErrorRequestHandler<
  P = core.ParamsDictionary,
  ResBody = any,
  ReqBody = any,
  ReqQuery = core.Query,
  Locals extends core.AnyLocals = core.AnyLocals,
> extends core.ErrorRequestHandler<P, ResBody, ReqBody, ReqQuery, Locals> {}
export interface Express extends core.Express {}
export interface Handler extends core.Handler {}
export interface IRoute extends core.IRoute {}
export interface IRouter extends core.IRouter {}
export interface IRouterHandler<T> extends core.IRouterHandler<T> {}
export interface IRouterMatcher<T> extends core.IRouterMatcher<T> {}
export interface Locals extends core.Locals {}
export interface MediaType extends core.MediaType {}
export interface NextFunction extends core.NextFunction {}
export interface Request<
  P = core.ParamsDictionary,
  ResBody = any,
  ReqBody = any,
  ReqQuery = core.Query,
  Locals extends core.AnyLocals = core.AnyLocals,
> extends core.Request<P, ResBody, ReqBody, ReqQuery, Locals> {}
export interface RequestHandler<
  P = core.ParamsDictionary,
  ResBody = any,
  ReqBody = any,
  ReqQuery = core.Query,
  Locals extends core.AnyLocals = core.AnyLocals,
> extends core.RequestHandler<P, ResBody, ReqBody, ReqQuery, Locals> {}
export interface RequestParamHandler extends core.RequestParamHandler {}
export interface Response<
  ResBody = any,
  Locals extends core.AnyLocals = core.AnyLocals,
> extends core.Response<ResBody, Locals> {}
export interface Router extends core.Router {}
export interface RouterOptions extends core.RouterOptions {}
export interface Send extends core.Send {}
export interface SendFileOptions extends core.SendFileOptions {}
export interface ServeStaticOptions extends core.ServeStaticOptions<core.Response> {}
export interface Settings extends core.Settings {}
export interface SignalReport extends stopping.SignalReport {}
export interface StopOnSignalsOptions extends stopping.StopOnSignalsOptions {}
export interface StopOptions extends stopping.StopOptions {}
export interface StopReport extends stopping.StopReport {}
export type RouteParameters<Path extends string> = core.RouteParameters<Path>;
