/** Version 8 of Sentry's Node SDK: errors and transactions of the application. */
'use strict';

module.exports = {
  packages: ['sentry8'],
  exercised:
    'setupExpressErrorHandler (which errors are reported, with stack, request and transaction), transactions of 43 ' +
    'requests named by route, their middleware and handler spans; log output about the instrumentation.',

  // It ignores a router inside a router.
  async run(harness) {
    return require('../fixtures/sentry.cjs').watch('sentry8', '/api/:item', harness);
  },
};
