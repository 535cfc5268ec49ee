/** Nest 11 on its Express platform: runs the program for Nest 10. */
'use strict';

module.exports = {
  packages: ['@nestjs/platform-express', '@nestjs/core', '@nestjs/common'],
  exercised:
    'controllers, pipes, a guard, an interceptor, an exception filter, file uploads, global prefix with exclusions, URI versions, middleware, events, streams, static assets, CORS, raw body, wildcards, ExpressAdapter over a given application',
  express: [5],

  run(tools) {
    return require('../frameworks/scenarios/nestjs-platform-express.cjs').run(tools);
  },
};
