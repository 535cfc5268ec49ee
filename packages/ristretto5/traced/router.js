/**
 * Loads the router for the rest of the package. A tracer compares the file with the main file of the `router` that the
 * requiring module would find, so the requiring module must be here, beside that `node_modules`.
 */
'use strict';
module.exports = require('./node_modules/router/index.js');
