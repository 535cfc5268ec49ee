/**
 * A reporter for Mocha of any version: writes TAP to the file that `UPSTREAM_OUTCOMES` names, because tests of loggers
 * replace standard output.
 */
'use strict';
const fs = require('node:fs');

module.exports = function reporter(/** @type {import('node:events').EventEmitter} */ runner) {
  let count = 0;
  const write = (/** @type {string} */ line) =>
    fs.appendFileSync(String(process.env.UPSTREAM_OUTCOMES), `${line}\n`);
  /** @typedef {{ fullTitle(): string }} Test */
  const title = (/** @type {Test} */ test) => `${++count} - ${test.fullTitle().replace(/\s+/g, ' ')}`;
  runner.on('pass', test => write(`ok ${title(test)}`));
  runner.on('pending', test => write(`ok ${title(test)} # SKIP`));
  runner.on('fail', (test, /** @type {Error} */ error) => {
    write(`not ok ${title(test)}\n  ${String(error.stack).replaceAll('\n', '\n  ')}`);
  });
  runner.on('end', () => write(`1..${count}`));
};
