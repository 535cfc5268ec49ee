/** The settings: each with its default, its values, and whether mounted applications inherit it. */
import type { Chapter } from './chapter.js';

const inherited = 'a mounted application inherits the value of its parent unless it sets its own';
const own = 'a mounted application does not inherit it, because the setting has a default';

export const settings: Chapter = {
  title: 'Settings',
  members: {
    'setting case sensitive routing': {
      default: 'is undefined, and case is ignored',
      disabled: '/Foo and /foo are the same route',
      enabled: '/Foo and /foo are different routes',
      'sub-app': inherited,
    },
    'setting env': {
      default: 'is development',
      NODE_ENV: 'is used as the value if it is set',
      production: 'is the value for production; it enables the view cache',
      'sub-app': own,
    },
    'setting etag': {
      default: 'is weak',
      true: 'generates weak ETags',
      weak: 'generates weak ETags',
      strong: 'generates strong ETags',
      false: 'disables ETags',
      function: 'receives the body and its encoding, and returns the ETag',
      'another value': 'throws a TypeError',
      'sub-app': own,
      'web.static': 'ignores the etag setting and has an option of its own',
    },
    'setting jsonp callback name': {
      default: 'is callback',
      value: 'is the name of the query parameter that holds the callback name',
    },
    'setting json escape': {
      default: 'is undefined, and nothing is escaped',
      true: 'writes < > & as escape sequences in JSON',
    },
    'setting json replacer': {
      default: 'is undefined, and no replacer is used',
      function: 'is passed to JSON.stringify() as the second argument',
      array: 'lists the names of the properties to keep',
    },
    'setting json spaces': {
      default: 'is undefined, and no spaces are added',
      number: 'is the number of spaces per level, the third argument of JSON.stringify()',
      text: 'is used as the indentation',
      'sub-app': inherited,
    },
    'setting query parser': {
      default: 'is extended',
      extended: 'parses nested objects and arrays',
      simple: 'parses flat keys, as querystring in Node does',
      true: 'is the same as simple',
      false: 'disables parsing: req.query is {}',
      function: 'receives the query string and returns an object',
      'other values': 'throw a TypeError',
    },
    'setting strict routing': {
      default: 'is undefined, and a trailing slash makes no difference',
      disabled: '/foo and /foo/ are the same route',
      enabled: '/foo and /foo/ are different routes',
      'sub-app': inherited,
    },
    'setting subdomain offset': {
      default: 'is 2',
      number: 'is the number of labels of the host that form the domain',
    },
    'setting trust proxy': {
      default: 'is false',
      false: 'trusts no proxy: forwarding headers are ignored',
      true: 'trusts every hop: the leftmost address is the client',
      text: 'is an address, a subnet, or several of them separated by commas',
      list: 'is an array of addresses and subnets',
      loopback: 'is a name for the loopback addresses',
      linklocal: 'is a name for the link-local subnets',
      uniquelocal: 'is a name for the private subnets',
      number: 'is the number of hops to trust',
      function: 'is called with an address and its hop index, and decides whether to trust it',
      errors: 'throws a TypeError for a value that is not an address',
      'mounted application': inherited,
    },
    'setting views': {
      default: 'is the directory views in the working directory',
      text: 'is a directory',
      array: 'lists directories, which are searched in order',
      'sub-app': own,
    },
    'setting view cache': {
      default: 'is undefined outside production',
      'default in production': 'is true',
      true: 'looks up each view once',
      false: 'looks up a view each time it is rendered',
      'sub-app': 'a mounted application inherits the value, except in production',
    },
    'setting view engine': {
      default: 'is undefined, and view names need an extension',
      value: 'is the extension for view names that have none',
      'sub-app': inherited,
    },
    'setting x-powered-by': {
      default: 'is true: the X-Powered-By header names the framework',
      disabled: 'omits the header',
      'sub-app': own,
    },
    'setting inheritance': {
      'case sensitive routing': inherited,
      env: own,
      etag: own,
      'jsonp callback name': own,
      'json escape': inherited,
      'json replacer': inherited,
      'json spaces': inherited,
      'query parser': own,
      'strict routing': inherited,
      'subdomain offset': own,
      'trust proxy': 'a mounted application inherits it, although it has a default',
      views: own,
      'view cache': 'a mounted application does not inherit it in production',
      'view engine': inherited,
      'x-powered-by': own,
      'custom setting': inherited,
    },
  },
};
