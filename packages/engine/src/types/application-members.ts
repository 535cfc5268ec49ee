/**
 * Members of an application other than routing and settings: views, listening, initialization, and leftovers of the
 * 3.x API.
 */
/* eslint-disable @typescript-eslint/no-explicit-any -- each use has its reason beside it */
import type * as http from 'node:http';
import type * as http2 from 'node:http2';
import type { ListenOptions } from 'node:net';
import type { Response } from 'express-serve-static-core';
import type { Fetch, Inject } from './fetch';

/** Views and initialization of an application: the members that Express 5 has kept. */
export interface ApplicationBasics {
  /**
   * Initialize the application's settings, engines and locals. `web()` calls this.
   * @throws TypeError if it is called again
   */
  init(): void;
  /**
   * Set all settings to their default values. `app.init()` calls this.
   * @throws TypeError if it is called again
   */
  defaultConfiguration(): void;
  /**
   * Register a template engine for a file extension.
   * @param ext the extension, with or without the dot
   * @param fn the engine, which renders a file and passes the result to its callback
   * @throws Error if the engine is not a function
   * @example
   * app.engine('ejs', require('ejs').renderFile);
   * app.get('/', (req, res) => res.render('page.ejs', { title: 'Home' }));
   * // GET / -> 200 <h1>Home</h1>
   */
  engine(
    ext: string,
    // Any: engines pass errors of any type
    fn: (path: string, options: object, callback: (e: any, rendered?: string) => void) => void,
  ): this;
  /**
   * Render a view without sending it.
   * @param name name of the view; never use client input
   * @param options variables of the view, which take precedence over `app.locals`; `cache: true` caches the compiled
   * view
   * @throws Error if no engine is registered for the extension and the module of that name cannot be loaded
   * @example
   * app.render('mail', { name: 'Ada' }, (err, html) => {
   *   html; // '<p>Dear Ada</p>'
   * });
   */
  render(name: string, options?: object, callback?: (err: Error, html: string) => void): void;
  render(name: string, callback: (err: Error, html: string) => void): void;
  /**
   * Return the path at which the application is mounted, including the paths of its parent applications; empty for the
   * outermost application.
   * @returns the path, without a trailing slash
   * @example
   * const blog = web();
   * const admin = web();
   * blog.use('/admin', admin);
   * app.use('/blog', blog);
   * admin.path(); // '/blog/admin'
   */
  path(): string;
  /**
   * Handle a `Request` of the Fetch API and return its `Response`, without a server. The function is bound to the
   * application.
   * @param request scheme, host and target are those of its URL; aborting its `signal` counts as a client disconnect
   * @param info connection details of the client; the objects that Deno, Bun and adapters pass are supported
   * @returns a promise of the `Response`, fulfilled as soon as the header section is sent; it never rejects
   * @throws TypeError if it is not a request
   * @example
   * app.get('/', (req, res) => res.send('Home'));
   * const response = await app.fetch(new Request('http://localhost/'));
   * response.status; // 200
   * await response.text(); // 'Home'
   */
  fetch: Fetch;
  /**
   * Add a hook that runs before any part of each response of the application is sent, before the hooks of `res.onSend`.
   * Register it before requests arrive.
   * @param hook receives the body, or undefined for streams and files, and the response, as those of `res.onSend`
   * @throws TypeError if the hook is not a function
   * @example
   * app.onSend((body, res) => void res.set('X-Frame-Options', 'DENY'));
   * // GET / -> 404 (X-Frame-Options: DENY)
   */
  onSend(hook: (this: Response, body: string | Buffer | undefined, res: Response) => unknown): this;
  /**
   * Send a request to the application without a socket, for tests.
   * @param url a path with its query string, or an absolute URL; or all options as one object
   * @param options method, query, headers, cookies, body, `remoteAddress` and `signal`
   * @returns a promise of the whole response
   * @throws TypeError for an unknown or invalid option, as a rejection
   * @example
   * app.post('/users', web.json(), (req, res) => res.status(201).json(req.body));
   * const { status, json } = await app.inject('/users', { body: { name: 'Ada' } });
   * status; // 201
   * json(); // { name: 'Ada' }
   */
  inject: Inject;
  /**
   * The path pattern or patterns at which the application is mounted; `'/'` for the outermost application.
   * @example
   * const admin = web();
   * app.use(['/admin', '/manage'], admin);
   * admin.mountpath; // ['/admin', '/manage']
   */
  mountpath: string | string[];
}

/** The same members, plus listening, leftovers of the 3.x API, and undocumented members. */
export interface ApplicationMembers extends ApplicationBasics {
  /**
   * Create an HTTP server with this application as its request listener, and start listening.
   * @param port port number; 0 or omitted for any free port
   * @param callback called once the server is listening; failures are `error` events of the server
   * @returns the server
   * @example app.listen(3000, () => console.log('ready'));
   */
  listen(port: number, hostname: string, backlog: number, callback?: () => void): http.Server;
  listen(port: number, hostname: string, callback?: () => void): http.Server;
  listen(port: number, callback?: () => void): http.Server;
  listen(callback?: () => void): http.Server;
  /** @deprecated Pass the port as a number. Other strings are paths of sockets or pipes. */
  // eslint-disable-next-line @typescript-eslint/unified-signatures -- only this form is deprecated
  listen(port: `${number}`, callback?: () => void): http.Server;
  listen(path: string, callback?: () => void): http.Server;
  listen(options: ListenOptions, callback?: () => void): http.Server;
  /**
   * Create an HTTP/2 server (RFC 9113): over TLS with HTTP/1.1 fallback if `key` and `cert` are set, otherwise in
   * cleartext.
   * @param options those of `server.listen` and of `http2.createSecureServer`
   * @example app.listen({ http2: true, port: 443, key, cert });
   */
  listen(
    options: ListenOptions & http2.SecureServerOptions & { http2: true },
    callback?: () => void,
  ): http2.Http2SecureServer;
  // Any: handles have no common declared type
  listen(handle: any, listeningListener?: () => void): http.Server;
  /** The router, once a layer has been registered: `_router.stack` holds the layers. */
  // Any: it is not part of the public API, but tools and programs read it without checking for undefined
  _router: any;

  /**
   * The routes as middleware.
   * @deprecated Part of the 3.x API; reading it throws.
   * @throws Error that says to register routes in the order in which they should run
   */
  router: string;
  /** @deprecated Part of the 3.x API, not implemented. */
  resource: any;
  /** @deprecated Part of the 3.x API, not implemented. */
  map: any;
}

/** Renders a view file: the function that template engines export. */
export type EngineFunction = Parameters<ApplicationMembers['engine']>[1];
