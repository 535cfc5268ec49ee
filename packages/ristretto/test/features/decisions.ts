/** What the interface leaves open and this package decides, and where it goes beyond Express 4. */
import type { Chapter } from './chapter.js';

export const decisions: Chapter = {
  title: 'Decisions',
  members: {
    web: {
      'web()': 'the export is the function that makes applications',
      members: 'names and order of what the export has',
      'static.mime': 'types and extensions',
      query: 'middleware that parses the query string',
      Route: 'a constructor',
      Router: 'makes routers, with and without new',
      application: 'the prototype of applications',
      request: 'the prototype of requests',
      response: 'the prototype of responses',
      import: 'gives the same objects as require',
      'removed middleware': 'names of version 3 throw and say what to do',
    },
    package: { 'metadata: the version': 'its major is that of the Express whose interface it is' },
    'package under the name of Express': {
      require: 'every documented path of Express works',
      import: 'names and objects as by require',
    },
    'View engine modules': {
      __web: 'the engine’s function',
      __express: 'where there is no __web',
      neither: 'an error',
    },
    'setting x-powered-by': { default: 'Ristretto' },
    'setting json escape': { true: 'the name of the switch' },
    'setting query parser': { false: 'no parsing', true: 'simple' },
    'setting etag': { true: 'weak', false: 'none' },
    'final handler': {
      404: 'the page, with its fields',
      'error: headers with status': 'err.headers are sent too',
      'headers sent': 'the socket is destroyed, so that no client takes a broken body for a whole one',
    },
    'req.params': { malformed: 'percent-encoding is 400' },
    'req.query': { field: 'can be written' },
    'app.METHOD': {
      'every method': 'of the runtime',
      OPTIONS: '200 with Allow, the list as body',
    },
    'app.listen': { error: 'is an event; the callback is not called' },
    'web.json': { 'limit: NaN or unparsable': 'throws when the parser is made' },
  },
};

export const beyond: Chapter = {
  title: 'Beyond Express 4',
  members: {
    async: {
      'rejection: in middleware': 'a rejected promise goes to next(err)',
      'rejection: in a route with one handler': 'the same',
      'rejection: in a param callback': 'the same',
      'rejection: in an error handler': 'replaces the error',
      'no reason': 'becomes an error',
    },
    'path patterns: linear time': {
      'CVE-2024-45296 /:a-:b': 'patterns are matched without backtracking',
      '64 KiB': 'is a path like others',
    },
    'body.inflate': { br: 'is inflated' },
  },
};
