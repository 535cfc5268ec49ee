'use strict';

/**
 * The package for `require`. A file of its own, since tracers that patch `lib/express.js` know a package's main file by
 * the name of the package alone.
 */
module.exports = require('./lib/express');
