'use strict';

/**
 * The package's main file. A separate file, as in Express 3: tracers that patch `lib/express.js` know a main file
 * only by the package's name.
 */
module.exports = require('./lib/express');

// Never runs: Node.js finds the names for `import { Router } from 'ristretto3'` by reading this text. It then reads each
// of them, so `import` loads all middleware, and `require` only what is used.
if (false) {
  exports.Route = exports.Router = exports.application = exports.createServer = undefined;
  exports.mime = exports.request = exports.response = exports.version = undefined;
  exports.basicAuth = exports.bodyParser = exports.compress = exports.cookieParser = undefined;
  exports.cookieSession = exports.csrf = exports.directory = exports.errorHandler = undefined;
  exports.favicon = exports.json = exports.limit = exports.logger = exports.methodOverride = undefined;
  exports.multipart = exports.query = exports.responseTime = exports.session = exports.static = undefined;
  exports.staticCache = exports.timeout = exports.urlencoded = exports.vhost = undefined;
}
