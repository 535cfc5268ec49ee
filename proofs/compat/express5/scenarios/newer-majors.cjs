/** Newer majors of what is in frameworks/: they run the programs there. */
'use strict';

module.exports = {
  programs: {
    /** Apollo Server 5 with its integration for Express 5: runs the program for Apollo Server 4. */
    'apollo-server': {
      packages: ['@as-integrations/express5', '@apollo/server', 'graphql'],
      exercised:
        'expressMiddleware with a context, behind express.json and mounted on a path and a router; queries, mutations, GET, errors, CSRF prevention, landing page, draining',
      express: [5],

      run(tools) {
        const { expressMiddleware } = require('@as-integrations/express5');
        return require('../frameworks/scenarios/graphql.cjs').programs['apollo-server-4'].run(
          tools,
          expressMiddleware,
        );
      },
    },

    /** Google's functions framework 5 from its command line: runs the program for version 3. */
    'google-functions-framework': {
      packages: ['@google-cloud/functions-framework'],
      exercised:
        'the command with HTTP, CloudEvent (structured and binary) and background event functions: parsed and raw bodies, errors, robots.txt, stop by signal; getTestServer',
      express: [5],

      run(tools) {
        return require('../frameworks/scenarios/google-functions-framework.cjs').run(tools);
      },
    },

    /** Nest 11 on its Express platform: runs the program for Nest 10. */
    'nestjs-platform-express': {
      packages: ['@nestjs/platform-express', '@nestjs/core', '@nestjs/common'],
      exercised:
        'controllers, pipes, a guard, an interceptor, an exception filter, file uploads, global prefix with exclusions, URI versions, middleware, events, streams, static assets, CORS, raw body, wildcards, ExpressAdapter over a given application',
      express: [5],

      run(tools) {
        return require('../frameworks/scenarios/nestjs-platform-express.cjs').run(tools);
      },
    },
  },
};
