/** Apollo Server 5 with its integration for Express 5: runs the program for Apollo Server 4. */
'use strict';

module.exports = {
  packages: ['@as-integrations/express5', '@apollo/server', 'graphql'],
  exercised:
    'expressMiddleware with a context, behind express.json and mounted on a path and a router; queries, mutations, GET, errors, CSRF prevention, landing page, draining',
  express: [5],

  run(tools) {
    const { expressMiddleware } = require('@as-integrations/express5');
    return require('../frameworks/scenarios/apollo-server-4.cjs').run(tools, expressMiddleware);
  },
};
