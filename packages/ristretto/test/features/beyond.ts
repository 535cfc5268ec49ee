/** What is added to the interface of Express 4. */
import type { Chapter } from './chapter.js';

export const additions: Chapter = {
  title: 'Additions',
  members: {
    'web.static': { precompressed: 'compressed files beside the originals, by negotiation' },
    'res.sendFile': { precompressed: 'the same' },
    'body.inflate': { zstd: 'is inflated where Node has it' },
    warnings: {
      place: 'each warning has a code and the place in the program, and comes once for each place',
      'misspelt setting': 'warns and names the one that is meant',
      'path without a slash': 'warns where it can match nothing',
      'syntax of Express 5': 'warns and says what to write in Express 4',
      'missing directory': 'warns of a directory that web.static can serve nothing from',
      NODE_ENV: 'only development warns',
      production: 'loads none of it',
      '--disable-warning': 'silences one code, or all',
      RISTRETTO_WARNINGS: 'silences all',
      'app.disable("warnings")': 'silences those of an application',
    },
    'req.matchedPath': {
      route: 'the whole pattern',
      mounts: 'come first, at any depth',
      'sub-applications': 'count as mounts',
      'arrays of paths': 'the one that matched',
      'regular expressions': 'as text',
      middleware: 'its path',
      '404': 'undefined',
      errors: 'what has failed',
      'error handlers': 'see it wherever they are',
      transports: 'HTTP/1.1, HTTP/2, app.fetch',
    },
    'router.remove': {
      path: 'its routes and mounts',
      'path: /': 'routes only',
      function: 'middleware, routers and applications, never handlers of routes',
      route: 'itself',
      argument: 'anything else throws',
      'requests in flight': 'go on through the old stack',
    },
    'route.remove': {
      method: 'its handlers, or those of all',
      'requests in flight': 'go on through the old handlers',
      argument: 'what is no method throws',
    },
  },
};
