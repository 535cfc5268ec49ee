/** express-list-endpoints 7: extracts paths from the regular expressions of layers. */
'use strict';

module.exports = {
  packages: ['express-list-endpoints'],
  exercised:
    'The list of a nested application: parameters, optional ones, arrays, expressions, stars, strict routers, mounted ' +
    'applications, names of middleware, a router alone, an empty application.',
  quick: true,
  express: [4, 5],

  run() {
    const loaded = require('express-list-endpoints');
    return require('../fixtures/endpoints.cjs').list(loaded.default ?? loaded);
  },
};
