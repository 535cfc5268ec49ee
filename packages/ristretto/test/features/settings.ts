/** The settings: each with its default, its values, and whether mounted applications inherit it. */
import type { Chapter } from './chapter.js';

const inherited = 'a mounted application has the value of its parent unless it sets its own';
const own = 'it has a default, so a mounted application does not inherit it';

export const settings: Chapter = {
  title: 'Settings',
  members: {
    'setting case sensitive routing': {
      default: 'undefined: case makes no difference',
      disabled: '/Foo and /foo are one route',
      enabled: '/Foo and /foo are two routes',
      'sub-app': inherited,
    },
    'setting env': {
      default: 'development',
      NODE_ENV: 'is the value where it is set',
      production: 'is what it should say in production; views are kept then',
      'sub-app': own,
    },
    'setting etag': {
      default: 'weak',
      true: 'weak tags',
      weak: 'weak tags',
      strong: 'strong tags',
      false: 'no tags',
      function: 'gets body and encoding; what it returns is the tag',
      'another value': 'throws',
      'sub-app': own,
      'web.static': 'has an option of its own and ignores the setting',
    },
    'setting jsonp callback name': {
      default: 'callback',
      value: 'the name of the query parameter',
    },
    'setting json escape': {
      default: 'undefined: nothing is escaped',
      true: 'writes < > & in JSON as escapes',
    },
    'setting json replacer': {
      default: 'undefined',
      function: 'the second argument of JSON.stringify',
      array: 'a list of names is one too',
    },
    'setting json spaces': {
      default: 'undefined',
      number: 'the third argument of JSON.stringify: blanks for each level',
      text: 'or the indentation itself',
      'sub-app': inherited,
    },
    'setting query parser': {
      default: 'extended',
      extended: 'nested objects and lists',
      simple: 'the runtime’s parser',
      true: 'as simple',
      false: 'no parsing: req.query is {}',
      function: 'gets the query string and returns the object',
      'other values': 'throw',
    },
    'setting strict routing': {
      default: 'undefined: a slash at the end makes no difference',
      disabled: '/foo and /foo/ are one route',
      enabled: '/foo and /foo/ are two routes',
      'sub-app': inherited,
    },
    'setting subdomain offset': {
      default: '2',
      number: 'how many labels of the host belong to the domain',
    },
    'setting trust proxy': {
      default: 'false',
      false: 'forwarding fields are ignored',
      true: 'every hop is trusted: the left-most address is the client',
      text: 'an address, a subnet, or several with commas',
      list: 'the same as a list',
      loopback: 'a name of the subnets of the machine itself',
      linklocal: 'a name of link-local subnets',
      uniquelocal: 'a name of private subnets',
      number: 'so many hops are trusted',
      function: 'decides for each address',
      errors: 'what is no address throws',
      'mounted application': inherited,
    },
    'setting views': {
      default: 'views in the working directory',
      text: 'a directory',
      array: 'several, searched in order',
      'sub-app': own,
    },
    'setting view cache': {
      default: 'undefined outside production',
      'default in production': 'true',
      true: 'views are looked up once',
      false: 'views are looked up each time',
      'sub-app': 'inherits it, but not where the environment is production',
    },
    'setting view engine': {
      default: 'undefined: names of views need an extension',
      value: 'the extension of names that have none',
      'sub-app': inherited,
    },
    'setting x-powered-by': {
      default: 'true: the field names the framework',
      disabled: 'no such field',
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
      'trust proxy': 'inherited although it has a default',
      views: own,
      'view cache': 'not inherited in production',
      'view engine': inherited,
      'x-powered-by': own,
      'any of one’s own': inherited,
    },
  },
};
