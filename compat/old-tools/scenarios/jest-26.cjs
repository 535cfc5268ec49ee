/** Jest 26, which resolves no `node:` specifier and reads no `exports` map. */
'use strict';

module.exports = require('../support/jest.cjs').jest('jest26');
