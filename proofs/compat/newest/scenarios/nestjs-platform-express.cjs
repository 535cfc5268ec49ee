/** Nest 12, whose packages are ES modules, on its Express platform: the program of the Nest 10 scenario. */
'use strict';

module.exports = {
  packages: ['@nestjs/platform-express', '@nestjs/core', '@nestjs/common'],
  exercised:
    'ES modules; controllers, pipes, a guard, an interceptor, an exception filter, file uploads, global prefix with exclusions, URI versions, middleware, events, streams, static assets, CORS, raw body, wildcards, ExpressAdapter over a given application',
  express: [5],

  run(tools) {
    return require('../frameworks/scenarios/nestjs-platform-express.cjs').run(tools);
  },
};
