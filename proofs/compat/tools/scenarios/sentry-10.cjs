/** Version 10 of Sentry's Node SDK: errors and transactions of the application. */
'use strict';

module.exports = {
  packages: ['@sentry/node'],
  exercised:
    'setupExpressErrorHandler (which errors are reported, with stack, request and transaction), transactions of 43 ' +
    'requests named by route, their middleware and handler spans; log output about the instrumentation.',
  quick: true,

  async run(harness) {
    return require('../fixtures/sentry.cjs').watch('/api/:tenant/items/:item', harness);
  },
};
