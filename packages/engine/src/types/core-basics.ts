/**
 * The parts of the core types that 4.x and 5.x declare alike. These types refer to each other by the module name that
 * both fill: in a program that has 5.x, `Application` here is that of 5.x. Applications and plugins extend the open
 * interfaces in the namespace `Express` by declaration merging.
 */
import type * as http from 'node:http';
import type * as core from 'express-serve-static-core';

/* eslint-disable @typescript-eslint/no-explicit-any -- see core.ts */

/** An entry of a stack. */
export interface LayerBasics {
  /** The route that the layer leads to; undefined for middleware. */
  route?: core.IRoute;
  /** The name of the handler. */
  name: string;
  /** The handler. */
  handle: (req: core.Request, res: core.Response, next: core.NextFunction) => any;
}

/** The handlers of one path. */
export interface RouteBasics {
  /** The path as it was registered. */
  path: string;
  /** The handlers, in the order in which they run. */
  stack: core.ILayer[];
  /** The methods that have handlers; `_all` if there are handlers for all methods. */
  methods: Record<string, boolean>;
}

/** The objects that a request is connected to. */
export interface RequestBasics<ResBody, LocalsObj extends Record<string, any>> {
  /**
   * The application that is handling the request.
   * @example
   * req.app.get('title'); // undefined
   */
  app: core.Application;
  /**
   * The response to this request.
   * @example
   * req.res === res; // true
   */
  res?: core.Response<ResBody, LocalsObj> | undefined;
  /**
   * Pass control to the next matching layer of the innermost router.
   * @example
   * typeof req.next; // 'function'
   */
  next?: core.NextFunction | undefined;
  /**
   * An `AbortSignal` that is aborted if the client disconnects before the response is finished, or by `web.deadline`;
   * never after the response.
   * @example
   * const rows = await pool.query('select * from users', { signal: req.signal });
   * res.json(rows);
   * // GET / -> 200 []
   */
  readonly signal: AbortSignal;
}

/** The objects that a response is connected to. */
export interface ResponseBasics<LocalsObj extends Record<string, any>> {
  /**
   * The application that is handling the request.
   * @example
   * res.app === req.app; // true
   */
  app: core.Application;
  /**
   * The request for this response.
   * @example
   * res.req === req; // true
   */
  req: core.Request;
  /**
   * Variables for views that are rendered in this response. Never take their names from client input.
   * @example
   * res.locals.title = 'Home';
   * res.render('index');
   * // GET / -> 200 <h1>Home</h1>
   */
  locals: LocalsObj & core.Locals;
}

/** An application as a request handler, and its variables. */
export interface ApplicationHandler<LocalsObj extends Record<string, any>> {
  /**
   * Handle a request, like the listener passed to `http.createServer()`.
   * @param next called if no handler responds; without it, a 404 is sent, or a 500 for an error
   */
  (
    req: core.Request | http.IncomingMessage,
    res: core.Response | http.ServerResponse,
    next?: (err?: any) => void,
  ): any;
  /**
   * Variables for all views. Never take their names from client input.
   * @example
   * app.locals.title = 'My site';
   * app.get('/', (req, res) => res.render('index'));
   * // GET / -> 200 <h1>My site</h1>
   */
  locals: LocalsObj & core.Locals;
}

declare global {
  // npm packages and applications augment this namespace, so its name is part of the API.
  namespace Express {
    /**
     * The members that an application adds to every request.
     * @example declare global { namespace Express { interface Request { user?: User } } }
     */
    interface Request {}
    /** The members that an application adds to every response. */
    interface Response {}
    /** The variables that an application stores in `res.locals` and `app.locals`. */
    interface Locals {}
    /** The members that an application adds to every application object. */
    interface Application {}
  }
}

declare module 'express-serve-static-core' {
  /** The known variables in `res.locals` and `app.locals`. */
  interface Locals extends Express.Locals {}

  /** Passes control to another handler. */
  interface NextFunction {
    /**
     * Call the next handler or, with an error, the next error handler.
     * @example if (!req.user) return next(new Error('who are you?'));
     */
    // Any: every value except undefined counts as an error
    (err?: any): void;
    /** Skip the remaining handlers of this route, or leave this router and continue after its mount point. */
    (deferToNext: 'route' | 'router'): void;
  }

  /** Options for how a router matches paths. */
  interface RouterOptions {
    /** Treat `/Foo` and `/foo` as different paths. @default false */
    caseSensitive?: boolean | undefined;
    /** Keep the parameters of the router's mount path; the router's own take precedence. @default false */
    mergeParams?: boolean | undefined;
    /** Treat `/foo` and `/foo/` as different paths. @default false */
    strict?: boolean | undefined;
  }

  /** The application that `web()` creates. */
  interface Express extends Application {
    /** The prototype of this application's requests. */
    request: Request;
    /** The prototype of this application's responses. */
    response: Response;
  }
}

export type { Locals, NextFunction, RouterOptions } from 'express-serve-static-core';
