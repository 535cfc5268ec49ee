/** Members of an application that do not speak of requests: views, listening, set-up, and what is left of 3.x. */
/* eslint-disable @typescript-eslint/no-explicit-any -- each use has its reason beside it */
import type * as http from 'node:http';
import type * as http2 from 'node:http2';
import type { ListenOptions } from 'node:net';
import type { Fetch, InjectOptions, InjectResponse } from './fetch';

/** Views and set-up of an application: what Express 5 has kept of it. */
export interface ApplicationBasics {
  /**
   * Set the application up: settings, engines and locals. `web()` calls it.
   * @throws TypeError when it is called again
   */
  init(): void;
  /**
   * Give all settings their default values. `app.init()` calls it.
   * @throws TypeError when it is called again
   */
  defaultConfiguration(): void;
  /**
   * Register the engine of views with an extension, with or without the dot.
   * @throws Error when the engine is not a function
   * @example
   * app.engine('ejs', require('ejs').renderFile);
   * app.get('/', (req, res) => res.render('page.ejs', { title: 'Home' }));
   * // GET / -> 200 <h1>Home</h1>
   */
  engine(
    ext: string,
    // any: engines pass errors of every kind
    fn: (path: string, options: object, callback: (e: any, rendered?: string) => void) => void,
  ): this;
  /**
   * Render a view without sending it.
   * @param name never text from a client
   * @param options what the view sees, over `app.locals`; `cache: true` keeps the compiled view
   * @example
   * app.render('mail', { name: 'Ada' }, (err, html) => {
   *   html; // '<p>Dear Ada</p>'
   * });
   */
  render(name: string, options?: object, callback?: (err: Error, html: string) => void): void;
  render(name: string, callback: (err: Error, html: string) => void): void;
  /**
   * The path of the application within those it is mounted in; empty for the outermost.
   * @returns the path, without a slash at its end
   * @example
   * const blog = web();
   * const admin = web();
   * blog.use('/admin', admin);
   * app.use('/blog', blog);
   * admin.path(); // '/blog/admin'
   */
  path(): string;
  /**
   * Call the application with a `Request` of the Fetch API, without a server. It is bound to the application.
   * @param request scheme, host and target are those of its URL; its `signal` is a client that disconnects
   * @param info what is known of the client; what Deno, Bun and adapters give is understood
   * @returns a promise of the `Response`, fulfilled as soon as the header section is sent; it never rejects
   * @example
   * app.get('/', (req, res) => res.send('Home'));
   * const response = await app.fetch(new Request('http://localhost/'));
   * response.status; // 200
   * await response.text(); // 'Home'
   */
  fetch: Fetch;
  /**
   * Send a request to the application without a socket, for tests.
   * @param options a path or URL, or method, URL, query, headers, cookies and body
   * @returns a promise of the whole response; it rejects with a TypeError where the options have no meaning
   * @example
   * app.post('/users', web.json(), (req, res) => res.status(201).json(req.body));
   * const { status, json } = await app.inject({ url: '/users', body: { name: 'Ada' } });
   * status; // 201
   * json(); // { name: 'Ada' }
   */
  inject(options?: InjectOptions | string): Promise<InjectResponse>;
  /**
   * The path or paths, as patterns, that the application is mounted at; `'/'` for the outermost.
   * @example
   * const admin = web();
   * app.use(['/admin', '/manage'], admin);
   * admin.mountpath; // ['/admin', '/manage']
   */
  mountpath: string | string[];
}

/** The same, with listening, what is left of 3.x and what is undocumented. */
export interface ApplicationMembers extends ApplicationBasics {
  /**
   * Make an HTTP server with this application as its handler, and listen.
   * @param port 0 or none for any free port
   * @param callback called once the server listens; failures are `error` events of the server
   * @returns the server
   * @example app.listen(3000, () => console.log('ready'));
   */
  listen(port: number, hostname: string, backlog: number, callback?: () => void): http.Server;
  listen(port: number, hostname: string, callback?: () => void): http.Server;
  listen(port: number, callback?: () => void): http.Server;
  listen(callback?: () => void): http.Server;
  /** @deprecated Give the port as a number. Other text is the path of a socket or pipe. */
  // eslint-disable-next-line @typescript-eslint/unified-signatures -- only this form is deprecated
  listen(port: `${number}`, callback?: () => void): http.Server;
  listen(path: string, callback?: () => void): http.Server;
  listen(options: ListenOptions, callback?: () => void): http.Server;
  /**
   * Make a server of HTTP/2 (RFC 9113): with `key` and `cert` over TLS, where it speaks HTTP/1.1 too, else in cleartext.
   * @param options those of `server.listen` and of `http2.createSecureServer`
   * @example app.listen({ http2: true, port: 443, key, cert });
   */
  listen(
    options: ListenOptions & http2.SecureServerOptions & { http2: true },
    callback?: () => void,
  ): http2.Http2SecureServer;
  // any: handles have no common declared type
  listen(handle: any, listeningListener?: () => void): http.Server;
  /** The router, once something has been registered: `_router.stack` holds the layers. */
  // any: it is not part of the interface, yet tools and programs read it without checking for undefined
  _router: any;

  /**
   * The routes as middleware.
   * @deprecated Of the 3.x interface; reading it throws.
   * @throws Error that says to register routes in the order in which they are to run
   */
  router: string;
  /** @deprecated Part of the 3.x interface, absent here. */
  resource: any;
  /** @deprecated Part of the 3.x interface, absent here. */
  map: any;
  /** @deprecated Part of the 3.x interface, absent here. Read `app._router.stack`. */
  routes: any;
}

/** Renders a view file: what template engines export. */
export type EngineFunction = Parameters<ApplicationMembers['engine']>[1];
