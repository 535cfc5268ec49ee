/** Routers, routes, the paths they match, and how control passes from callback to callback. */
import type { Chapter } from './chapter.js';
import { METHODS } from './methods.js';

export const routers: Chapter = {
  title: 'Routers and routes',
  members: {
    'web.Router': {
      'caseSensitive: undefined': 'is the default: /Foo and /foo are the same',
      'caseSensitive: false': '/Foo and /foo are the same',
      'caseSensitive: true': '/Foo and /foo are different',
      'mergeParams: undefined': 'is the default: a router has only its own parameters',
      'mergeParams: false': 'a router has only its own parameters',
      'mergeParams: true': 'adds the parameters of the parent; if names conflict, the child takes precedence',
      'mergeParams: numbered': 'the numbering of unnamed groups continues from that of the parent',
      'strict: undefined': 'is the default: /foo and /foo/ are the same',
      'strict: false': '/foo and /foo/ are the same',
      'strict: true': '/foo and /foo/ are different',
      router: 'a router is itself a middleware function',
    },
    'router.all': {
      method: 'matches every HTTP method',
      path: 'accepts the same paths as app.all()',
      'next(route)': 'skips the remaining handlers of the route',
    },
    'router.METHOD': {
      ...Object.fromEntries(METHODS.map(name => [name, `routes ${name.toUpperCase()} requests`])),
      HEAD: 'is handled by router.get() unless router.head() was called before',
      'several handlers': "run in order; next('route') skips the remaining ones",
      'regular expression': 'its groups are in req.params by index',
    },
    'router.param': {
      callback: 'receives the same arguments as in app.param()',
      once: 'runs once per request and value',
      local: 'applies to this router only',
      'function form': 'is deprecated; the callback that it creates may respond with 403',
    },
    'router.route': {
      methods: 'returns a route with all(), get(), post() and the other methods',
      order: 'the route keeps the position where it was created',
    },
    'router.use': {
      'path: default': 'matches every request',
      'path: string': 'is stripped from req.url',
      'callback: series': 'accepts any number of functions',
      'callback: other routers': 'all routers mounted on the same path run',
      'callback: error handlers': 'have four parameters',
      returns: 'returns the router',
    },
  },
};

export const paths: Chapter = {
  title: 'Paths and callbacks',
  members: {
    'path argument': {
      string: 'is matched literally, apart from case and a trailing slash; a route must match the whole path',
      'pattern /adm*n': 'an asterisk matches any text',
      'pattern /gre+t': 'a plus sign repeats the preceding character',
      'pattern /hel{2}o': 'braces repeat the preceding character that many times',
      'pattern /secr*t': 'an asterisk matches any text',
      'pattern /ab?cd': 'a question mark makes the preceding character optional',
      'regular expression': 'is used unchanged',
      array: 'matches if any of its elements matches',
      dot: 'is a literal dot in a group, and any character but a line terminator in :name(regexp); [\\s\\S] and [\\w\\W] match any character',
      'query string': 'is ignored',
      'no path': 'matches every path (use)',
    },
    'callback argument': {
      function: 'is called with req, res and next',
      series: 'several functions may be passed as arguments',
      array: 'functions may be passed in arrays, including nested ones',
      router: 'a router is accepted',
      application: 'an application is accepted',
      combination: 'all of these may be combined',
      'next(route)': 'skips the remaining callbacks of a route',
      required: 'throws if there is no callback, except for a route',
    },
    'path patterns: matching': {
      'static text': 'matches literally',
      parameters: 'match a segment, which is decoded',
      'optional parameters': 'are written :name?',
      'repeated parameters': 'are written :name* and :name+',
      expressions: 'are written :name(regexp)',
      array: 'the first element that matches is used',
      'regular expression': 'is executed unchanged',
    },
    'path patterns: expression and keys': {
      ':name': 'matches a segment or a part of one',
      ':name?': 'may be absent',
      ':name*': 'matches any number of segments',
      ':name+': 'matches one or more segments',
      ':name(regexp)': 'matches what the expression matches',
      '*': 'matches any text',
      '? and + and {n}': 'repeat the preceding character',
      groups: 'are written in parentheses',
      array: 'its elements are alternatives',
      'regular expression': 'is used unchanged',
    },
  },
};

export const control: Chapter = {
  title: 'Control flow and order',
  members: {
    next: {
      'next()': 'calls the next middleware or handler, in the order of registration',
      "next('route')": 'skips the remaining callbacks of the route and continues with the next route',
      "next('router')": 'leaves the router',
      'next(error)': 'calls the next error handler, a function with four parameters',
    },
    'order of execution': {
      registration: 'middleware runs in the order of registration',
      'a response without next': 'nothing after it runs',
      'param callbacks': 'run before any handler of the route, and once even if several routes match',
      'list of parameter names':
        'next() in a param callback calls the callback for the next name, then the handlers',
      'static file not found': 'the next middleware runs, instead of a 404 response',
      'static file not found, fallthrough false': 'the error handlers run, with status 404',
      'nothing handles it': 'results in a 404 response',
    },
    'res.headersSent': { 'before and after': 'is false before res.send() and true after it' },
  },
};
