/** express-list-endpoints 6: extracts paths from the regular expressions of layers. */
'use strict';

module.exports = {
  packages: ['express-list-endpoints6'],
  exercised:
    'The list of a nested application: parameters, optional ones, arrays, expressions, stars, strict routers, mounted ' +
    'applications, names of middleware, a router alone, an empty application.',
  quick: true,

  run({ packages: [name] }) {
    const loaded = require(name);
    return require('../fixtures/endpoints.cjs').list(loaded.default ?? loaded);
  },
};
