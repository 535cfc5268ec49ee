/** The 3.x API in the package ristretto3: its differences from 4.x, and its middleware. */
import type { Chapter } from './chapter.js';

const home = 'packages/ristretto3/';

export const legacy: Chapter = {
  title: 'Legacy 3.x interface',
  home,
  members: {
    web: {
      function: 'creates an application, which is a request handler',
      createServer: 'is an alias of the function',
      version: 'is the version, whose major is 3',
      members: 'the main function has all members of that of Express 3',
      middleware: 'each is loaded when it is first read',
      mime: 'is the table of media types',
      'application, request, response': 'are the prototypes, separate from those of 4.x',
    },
    'app.configure': {
      env: 'calls the function if the environment is one of those named, or if none is named',
      callback: 'its this is the application',
    },
    settings: {
      env: 'is the environment of the process, or development',
      'trust proxy': 'is disabled',
      'jsonp callback name': 'is callback',
      'json replacer': 'is not set',
      'json spaces': 'is 2 in development',
      'case sensitive routing': 'is not set',
      'strict routing': 'is not set',
      'view cache': 'is enabled in production',
      'view engine': 'is not set',
      views: 'is the directory views in the working directory',
    },
    'app.use': {
      path: 'matches if a slash or a dot follows it, and is stripped from the URL',
      order: 'middleware runs in the order of registration',
      application: 'a mounted application inherits settings',
      'http.Server': 'a server is mounted with its request listener',
      handle: 'any object with a handle function can be mounted',
      'error handler': 'is a function with four parameters',
      'bad argument': 'throws immediately',
    },
    'app.router': {
      order: 'the routes run where it is used, or where the first route is added',
      function: 'is a middleware function',
    },
    'app.stack': {
      entries: 'lists the middleware with its paths',
      edits: 'take effect immediately',
    },
    'app.VERB': {
      method: 'each HTTP method has a function',
      callbacks: 'arrays are flattened',
      errors: 'are passed to functions with four parameters, in this route and later ones',
      HEAD: 'is handled by HEAD routes, then by GET routes',
      OPTIONS: 'without a route, responds with the methods of all routes for the path',
      settings: 'case sensitive routing and strict routing apply',
      'next(route)': 'skips the remaining callbacks of the route',
    },
    'app.all': {
      method: 'matches every method',
      order: 'its routes run in the order of registration, among those of a method',
    },
    'app.del': { delete: 'is an alias of app.delete()' },
    'app.param': {
      callback: 'runs before the callbacks of each route that has the parameter',
      array: 'registers the callback for each name',
      'function form':
        'defines what a value that is not a function means, such as a regular expression that restricts a parameter',
      'next(error)': 'passes the error to the error handlers of the route',
      'next(route)': 'skips to the next route',
    },
    'app.locals': {
      function: 'merges the properties of an object into itself',
      settings: 'is the only initial local',
      reserved: 'names of function properties are ignored',
    },
    'app.routes': {
      entries: 'lists path, method, callbacks, keys and regexp, by method',
      removing: 'an entry that is removed no longer matches',
      callbacks: 'can be replaced',
      regexp: 'can be replaced',
      adding: 'an entry created by new web.Route() can be added',
    },
    'app.render': {
      callback: 'receives the text or the error',
      settings: 'uses views and view engine',
    },
    'web.Router': {
      middleware: 'creates a router, whose middleware can be mounted',
      options: 'takes caseSensitive and strict',
    },
    'router.match': {
      route: 'returns the first route for a method and a URL',
      position: 'is the number of routes to skip',
      HEAD: 'falls back to GET routes',
    },
    'router.matchRequest': { route: 'returns the first route for a request' },
    utils: { names: 'has the functions of lib/utils in Express 3' },
    view: {
      members: 'the constructor in lib/view has the members of Express 3',
      setting: 'is the View constructor of 3.x applications; replacing a member affects only them',
    },
    'req.params': {
      named: 'has a property for each named parameter, decoded',
      groups: 'has capture groups by index',
      default: 'is an empty object',
    },
    'req.query': { query: 'has nested objects and arrays' },
    'req.param': { name: 'looks up the name in params, body and query' },
    'req.route': { route: 'is the entry of app.routes that is running' },
    'req.accepts': {
      types: 'returns the best of the given types',
      undefined: 'is returned if no type is acceptable',
    },
    'req.is': { type: 'returns true or false' },
    'req.accepted': { items: 'have value, quality, type and subtype, best first' },
    'req.acceptedLanguages': { order: 'lists languages by quality' },
    'req.acceptedCharsets': { order: 'lists charsets by quality' },
    'req.acceptsCharset': { charset: 'returns true or false' },
    'req.acceptsLanguage': { lang: 'returns true or false' },
    'req.acceptsEncoding': { encoding: 'returns true or false' },
    'req.host': { Host: 'is the host name without the port' },
    'req.ip': {
      'trust proxy': 'is the address of the socket, or the forwarded address if proxies are trusted',
    },
    'req.auth': { credentials: 'has the username and password of Basic authentication' },
    'res.status': { code: 'can be chained' },
    'res.send': {
      body: 'accepts text, bytes and JSON values',
      'status, body': 'accepts the status first',
      'status alone': 'sends the reason phrase as the body',
    },
    'res.json': { body: 'accepts any JSON value', 'status, body': 'accepts the status first' },
    'res.jsonp': {
      callback: 'calls the function that the query names',
      'status, body': 'accepts the status first',
    },
    'res.set': {
      field: 'sets one header or several',
      'Content-Type': 'no charset is added',
      'res.get': 'reads a header',
    },
    'res.type': { type: 'takes a media type or an extension; res.contentType() is the same' },
    'res.charset': { default: 'is utf-8 for text', assigned: 'is added to Content-Type' },
    'res.links': { links: 'are sent as <url>; rel="name"' },
    'res.cookie': { options: 'path defaults to /', several: 'each cookie has a header of its own' },
    'res.location': {
      relative: 'resolves URLs relative to the mount path or to the request',
      back: 'is the Referer, or / if there is none',
    },
    'res.redirect': {
      url: 'sends 302',
      status: 'may be the first or the second argument',
      mount: 'resolves URLs relative to the mount path',
      page: 'has no link, and everything is escaped',
    },
    'res.locals': { function: 'merges the properties of an object into itself' },
    'res.render': {
      locals: 'merges those of the application, of the response and of the call',
      error: 'goes to the error handlers',
    },
    'res.format': {
      Accept: 'calls the handler of the best type',
      default: 'is called if no type matches',
      '406': 'is the status without a default',
    },
    'res.attachment': { name: 'sets Content-Type and Content-Disposition' },
    'res.vary': { field: 'is added once' },
    'res.sendfile': {
      path: 'is absolute, or relative to root or to the working directory',
      maxAge: 'takes milliseconds, 0 by default',
      fn: 'receives the error and must respond',
    },
    'res.download': { filename: 'is derived from the path by default', fn: 'receives the error' },
    'res.headerSent': { 'before and after': 'is false until the headers are sent, then true' },
    'event header': { moment: 'is emitted before the headers are sent' },
    'final handler': {
      '404': 'sends the page of connect 2, escaped',
      error: 'sends the status, and the stack unless in production',
    },
    notices: {
      none: 'what 4.x has too emits no deprecation warning',
      framework: 'the package itself uses nothing that is deprecated',
    },
    'differential of 3.x': { 'generated applications': 'respond as in Express 3' },
  },
};

export const legacyMiddleware: Chapter = {
  title: 'Legacy 3.x middleware',
  home,
  members: {
    'web.basicAuth': {
      'fixed user and password': 'accepts only this user with this password',
      callback: 'returns whether to accept a user',
      'async callback': 'passes on the user',
    },
    'web.bodyParser': { 'JSON, forms, and forms with files': 'are parsed into req.body and req.files' },
    'web.multipart': {
      files: 'have name, type, size, path, hash, lastModifiedDate and getters',
      keepExtensions: 'keeps the extension of a file, unless false',
      uploadDir: 'is the directory for uploaded files',
      'full disk': 'is an error of one request, and no file is left',
    },
    'web.compress': { codings: 'compresses with gzip or deflate' },
    'web.cookieParser': {
      cookies: 'are parsed into req.cookies',
      'signed cookies': 'are parsed into req.signedCookies',
    },
    'web.cookieSession': {
      'new session': 'is sent in a signed cookie with Path and HttpOnly',
      key: 'is web.sess by default',
      null: 'clears the cookie',
      secure: 'is respected also if a trusted proxy reports TLS',
    },
    'web.csrf': {
      token: 'is read from the body, the query or a header, and checked against req.csrfToken()',
      session: 'is required',
      value: 'is the function that reads the token',
    },
    'web.directory': {
      HTML: 'lists the names as links',
      hidden: 'true includes names that begin with a dot',
      icons: 'are off by default',
      filter: 'is the function that selects the names',
    },
  },
};
