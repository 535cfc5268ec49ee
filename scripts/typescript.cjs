/** Lets `node --require ./scripts/typescript.cjs` run the TypeScript of the tests. */
'use strict';
const { compiled } = require('./load-typescript.cjs');

// Tests make all kinds of mistakes on purpose. Those that test warnings start their own processes.
process.env.RISTRETTO_WARNINGS ??= 'off';

module.exports = { compiled };
