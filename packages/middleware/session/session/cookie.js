'use strict';

// Stores load this file of express-session.
module.exports = require('../lib/index').Cookie;
