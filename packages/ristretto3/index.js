'use strict';

/**
 * The package's main file. A file of its own, as in Express 3: tracers that patch `lib/express.js` know a main file by
 * the name of the package alone.
 */
module.exports = require('./lib/express');
