/** Jest 26, which resolves no `node:` specifiers and ignores `exports` maps. */
'use strict';

module.exports = require('../support/jest.cjs').jest('jest26');
