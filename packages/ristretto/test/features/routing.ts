/** Routers, routes, the paths they match, and how control passes from callback to callback. */
import type { Chapter } from './chapter.js';
import { METHODS } from './methods.js';

export const routers: Chapter = {
  title: 'Routers and routes',
  members: {
    'web.Router': {
      'caseSensitive: undefined': 'the default: /Foo and /foo are one',
      'caseSensitive: false': 'the same',
      'caseSensitive: true': '/Foo and /foo are two',
      'mergeParams: undefined': 'the default: a router has its own parameters only',
      'mergeParams: false': 'the same',
      'mergeParams: true': 'those of the parent too; of one name the child’s',
      'mergeParams: numbered': 'groups go on counting',
      'strict: undefined': 'the default: /foo and /foo/ are one',
      'strict: false': 'the same',
      'strict: true': '/foo and /foo/ are two',
      router: 'is middleware itself',
    },
    'router.all': { method: 'handlers for every method', path: 'as app.all', 'next(route)': 'leaves it' },
    'router.METHOD': {
      ...Object.fromEntries(METHODS.map(name => [name, `routes ${name.toUpperCase()} requests`])),
      HEAD: 'is answered by get, unless head was registered before',
      'several handlers': 'run in order; next(route) leaves them',
      'regular expression': 'its groups are in params by index',
    },
    'router.param': {
      callback: 'as app.param',
      once: 'per request',
      local: 'to the router',
      'function form': 'is deprecated, and may answer 403',
    },
    'router.route': {
      methods: 'a route with all, get, post and the others',
      order: 'it stands where it was made',
    },
    'router.use': {
      'path: default': 'every request',
      'path: string': 'is stripped',
      'callback: series': 'any number',
      'callback: other routers': 'on the same path all run',
      'callback: error handlers': 'have four parameters',
      returns: 'the router',
    },
  },
};

export const paths: Chapter = {
  title: 'Paths and callbacks',
  members: {
    'path argument': {
      string: 'is matched as it is, by routes whole',
      'pattern /adm*n': 'a star is any text',
      'pattern /gre+t': 'a plus repeats the character before it',
      'pattern /hel{2}o': 'braces count it',
      'pattern /secr*t': 'a star is any text',
      'pattern /ab?cd': 'a question mark makes it optional',
      'regular expression': 'is matched as it is',
      array: 'of all of these',
      dot: 'is a dot in groups, and any character but the end of a line in :name(regexp); [\\s\\S] and [\\w\\W] are any',
      'query string': 'is not looked at',
      'no path': 'every path, for use',
    },
    'callback argument': {
      function: 'of request, response and next',
      series: 'of functions, as arguments',
      array: 'of functions, nested too',
      router: 'is one',
      application: 'is one',
      combination: 'of all of these',
      'next(route)': 'leaves the callbacks of a route out',
      required: 'none at all throws',
    },
    'path patterns: matching': {
      'static text': 'segments as they are',
      parameters: 'named segments, decoded',
      'optional parameters': ':name?',
      'repeated parameters': ':name* and :name+',
      expressions: ':name(regexp)',
      array: 'the first that matches',
      'regular expression': 'by the runtime',
    },
    'path patterns: expression and keys': {
      ':name': 'a segment, or a part of one',
      ':name?': 'may be absent',
      ':name*': 'any number of segments',
      ':name+': 'one at least',
      ':name(regexp)': 'what the expression allows',
      '*': 'any text',
      '? and + and {n}': 'repeat the character before',
      groups: 'in parentheses',
      array: 'alternatives',
      'regular expression': 'itself',
    },
  },
};

export const control: Chapter = {
  title: 'Control flow and order',
  members: {
    next: {
      'next()': 'the next middleware or handler, in order of registration',
      "next('route')": 'the next route: the other callbacks of this one are left out',
      "next('router')": 'leaves the router',
      'next(error)': 'the next error handler, a function of four parameters',
    },
    'order of execution': {
      registration: 'middleware runs in the order of registration',
      'a response without next': 'nothing behind it is reached',
      'param callbacks': 'run before any handler of the route, and once for several routes',
      'list of parameter names':
        'next() of a param callback goes to that of the next name, then to the handlers',
      'static file not found': 'next(): the next middleware runs instead of a 404',
      'static file not found, fallthrough false': 'next(err) with 404',
      'nothing handles it': '404',
    },
    'res.headersSent': { 'before and after': 'res.send takes it from false to true' },
  },
};
