/** Behavior that the interface leaves open and this package decides, and additions to Express 4. */
import type { Chapter } from './chapter.js';

export const decisions: Chapter = {
  title: 'Decisions',
  members: {
    web: {
      'web()': 'the export is a function that creates an application',
      members: 'the export has the members of Express, in the same order',
      'static.mime': 'looks up media types and extensions',
      query: 'returns middleware that parses the query string',
      Route: 'is a constructor',
      Router: 'creates a router, with or without new',
      application: 'is the prototype of applications',
      request: 'is the prototype of requests',
      response: 'is the prototype of responses',
      import: 'returns the same objects as require()',
      'removed middleware': 'throws for names of version 3, with an error that says what to do',
    },
    package: { 'metadata: the version': 'the major version is that of the Express API that it implements' },
    'package under the name of Express': {
      require: 'resolves every documented path of Express',
      import: 'has the same names and objects as require()',
    },
    'View engine modules': {
      __web: 'is the engine function',
      __express: 'is used if there is no __web',
      neither: 'throws an error that names the module',
    },
    'setting x-powered-by': { default: 'sends X-Powered-By: Ristretto' },
    'setting json escape': { true: 'writes < > & as escape sequences in JSON' },
    'setting query parser': { false: 'disables parsing', true: 'is the same as simple' },
    'setting etag': { true: 'generates weak ETags', false: 'disables ETags' },
    'final handler': {
      404: 'sends a page with the method and path, and its headers',
      'error: headers with status': 'sends the headers in err.headers too',
      'headers sent': 'destroys the socket, so that no client takes a truncated body for a complete one',
    },
    'req.params': { malformed: 'malformed percent-encoding results in a 400 error' },
    'req.query': { field: 'can be assigned and deleted' },
    'app.METHOD': {
      'every method': 'each method that Node supports has a function',
      OPTIONS: 'responds with 200; Allow and the body list the methods',
    },
    'app.listen': { error: 'is emitted as an error event; the callback is not called' },
    'web.json': { 'limit: NaN or unparsable': 'throws when the parser is created' },
  },
};

export const beyond: Chapter = {
  title: 'Beyond Express 4',
  members: {
    async: {
      'rejection: in middleware': 'is passed to next(err)',
      'rejection: in a route with one handler': 'is passed to next(err)',
      'rejection: in a param callback': 'is passed to next(err)',
      'rejection: in an error handler': 'replaces the error',
      'no reason': 'becomes an Error',
    },
    'path patterns: linear time': {
      'CVE-2024-45296 /:a-:b': 'matching takes time linear in the length of the path',
      '64 KiB': 'paths of this length are matched with the same captures as by the expression',
    },
    'body.inflate': { br: 'is decompressed' },
  },
};
