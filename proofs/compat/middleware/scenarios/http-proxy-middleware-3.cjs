/** http-proxy-middleware 3: runs the program for version 2. */
'use strict';

module.exports = { ...require('./http-proxy-middleware-2.cjs'), packages: ['http-proxy-middleware'] };
