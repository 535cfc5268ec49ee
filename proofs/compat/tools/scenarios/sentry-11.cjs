/** Version 11 of Sentry's Node SDK: errors and transactions of the application. */
'use strict';

module.exports = {
  packages: ['sentry11'],
  exercised:
    'The same, with source rewritten while it is loaded: setupExpressErrorHandler (which errors are reported, with stack, request and transaction), transactions of 43 ' +
    'requests named by route, their middleware and handler spans; what is logged about the instrumentation.',
  quick: [5],
  express: [4, 5],

  async run(harness) {
    return require('../fixtures/sentry.cjs').watch('sentry11', '/api/:tenant/items/:item', harness);
  },
};
