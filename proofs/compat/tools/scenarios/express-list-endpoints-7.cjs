/** express-list-endpoints 7: runs the program for version 6. */
'use strict';

module.exports = { ...require('./express-list-endpoints-6.cjs'), packages: ['express-list-endpoints'] };
