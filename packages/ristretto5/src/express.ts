/** The package's entry: `web()` creates a 5.x application, and everything else is a member of that function. */
/* eslint-disable @typescript-eslint/no-explicit-any -- the defaults of the type parameters, as in @types/express */
import { EventEmitter } from 'node:events';
import type { WebMembers } from '@ristretto/private-engine/lib/application';
import { webMembers, createFunction, mixin } from '@ristretto/private-engine/lib/application';
import { givePrototypes, defineHidden } from '@ristretto/private-engine/lib/serving';
import { noteVersionRoot } from '@ristretto/private-engine/lib/report';
import { createParsers } from '@ristretto/private-engine/lib/body';
import { createCharsetFormParser } from '@ristretto/private-engine/lib/charset-form';
import type { NextHandleFunction } from '@ristretto/private-engine/lib/types/body';
import { createStatic } from '@ristretto/private-engine/lib/static';
import application = require('./application');
import request = require('./request');
import response = require('./response');
import Route = require('./routing/route');
import Router = require('./routing/index');
import type { OptionsUrlencoded5 } from './types/body';
import type * as core from './types/core';
import { version } from './version';

/**
 * Create an application.
 * @returns a function to pass to `http.createServer`, with all the members of an application
 * @example
 * const app = web();
 * app.get('/', (req, res) => res.send('hello'));
 * app.listen(3000);
 */
function createApplication(): core.Express {
  const app = createFunction();
  for (const members of [EventEmitter.prototype, application]) mixin(app, members);
  givePrototypes(app, request, response);
  app.init();
  // To the engine, applications have the types of Express 4.
  return app as unknown as core.Express;
}

type Parsers = ReturnType<typeof createParsers>;

interface Members extends WebMembers {
  /** The prototype of applications. Members added to it exist on all of them that are created later. */
  application: core.Application;
  /** The prototype of requests. Members added to it exist on those of all applications. */
  request: core.Request;
  /** The prototype of responses. Members added to it exist on those of all applications. */
  response: core.Response;
  /** Create a route for one path, as `router.route(path)` does, without registering it. */
  Route: new (path: core.PathParams) => core.Route;
  /**
   * Create a router, with or without `new`.
   * @example const router = web.Router({ mergeParams: true });
   */
  Router: core.RouterConstructor;
  json: Parsers['json'];
  raw: Parsers['raw'];
  /**
   * Create middleware that serves the files below a directory.
   * @example app.use('/assets', web.static('public', { maxAge: '1 day' }));
   */
  static: core.StaticFactory;
  text: Parsers['text'];
  urlencoded: typeof urlencoded;
}

const { json, raw, text } = createParsers(version);

/** Create middleware that parses bodies of HTML forms, in UTF-8 or ISO-8859-1, flat unless nesting is enabled. */
function urlencoded(options?: OptionsUrlencoded5): NextHandleFunction {
  return createCharsetFormParser(options, version);
}

// In the order of Express.
const members = {
  application,
  request,
  response,
  Route,
  Router,
  json,
  raw,
  static: createStatic(version),
  text,
  urlencoded,
};

// The types of the members are written by hand: the compiler does not see those that are defined by loops and accessors.
const web = Object.assign(createApplication, members) as unknown as typeof createApplication & Members;

// Not enumerable, so that code that lists the members finds only those of Express.
defineHidden(web, webMembers);

// Bundles of ES modules have no `__dirname`.
noteVersionRoot(typeof __dirname === 'string' ? __dirname : undefined);

/** The types that programs use. */
declare namespace web {
  type Application = core.Application;
  type CookieOptions = core.CookieOptions;
  type ErrorRequestHandler<P = core.ParamsDictionary> = core.ErrorRequestHandler<P>;
  type Express = core.Express;
  type Handler = core.RequestHandler;
  type NextFunction = core.NextFunction;
  type Request<P = core.ParamsDictionary, ResBody = any, ReqBody = any, Query = core.Query> = core.Request<
    P,
    ResBody,
    ReqBody,
    Query
  >;
  type RequestHandler<
    P = core.ParamsDictionary,
    ResBody = any,
    ReqBody = any,
    Query = core.Query,
  > = core.RequestHandler<P, ResBody, ReqBody, Query>;
  type RequestParamHandler = core.RequestParamHandler;
  type Response<ResBody = any> = core.Response<ResBody>;
  type RouteParameters<Path extends string> = core.RouteParameters<Path>;
  type Router = core.Router;
  type RouterOptions = core.RouterOptions;
}

export = web;
