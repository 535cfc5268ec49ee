'use strict';

/**
 * The package for `require` and `import`. A file of its own, since tracers that patch `lib/express.js` know a package's
 * main file by the name of the package alone.
 */
module.exports = require('./lib/express');

// Never runs: Node.js finds the names for `import { Router } from 'ristretto5'` by reading this text.
if (false) {
  exports.Route = exports.Router = exports.application = exports.request = exports.response = undefined;
  exports.json = exports.raw = exports.static = exports.text = exports.urlencoded = undefined;
  exports.deadline = exports.health = exports.requestId = exports.stop = exports.stopOnSignals = undefined;
  exports.validate = exports.describe = exports.openApi = exports.openApiPage = exports.HttpError = undefined;
  exports.openTelemetry = exports.metrics = exports.overload = undefined;
}
