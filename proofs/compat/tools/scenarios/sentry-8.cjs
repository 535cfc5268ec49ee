/** Version 8 of Sentry's Node SDK: errors and transactions of the application. */
'use strict';

module.exports = {
  ...require('./sentry-10.cjs'),
  packages: ['sentry8'],
  quick: [],
  express: [4],

  // It ignores a router inside a router.
  run: harness => require('../fixtures/sentry.cjs').watch('/api/:item', harness),
};
