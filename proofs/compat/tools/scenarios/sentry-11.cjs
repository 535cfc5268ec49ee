/** Version 11 of Sentry's Node SDK, which rewrites the source of what is loaded: runs the program for version 10. */
'use strict';

module.exports = { ...require('./sentry-10.cjs'), packages: ['sentry11'], quick: [5] };
