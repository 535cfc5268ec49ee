/**
 * Runs one of the fuzzer's targets in Jazzer.js (libFuzzer), as OSS-Fuzz does; proofs/fuzz/oss-fuzz/README.md has the commands. The
 * target is that of `FUZZ_TARGET`, or that in the name of a copy of this file: `fuzz_query.cjs` runs targets/query.ts.
 */
const path = require('node:path');
require('../../scripts/typescript.cjs');

const name = process.env.FUZZ_TARGET ?? /fuzz_(.*)\.cjs$/.exec(__filename)?.[1];
if (name === undefined) throw new Error('Set FUZZ_TARGET to the name of a file in targets, such as query.');
/** @type {{ target: import('./target').Target }} */
const { target } = require(path.join(__dirname, 'targets', `${name}.ts`));

/** What the target takes at most: longer inputs are cut, so that each is one that the other fuzzer could find as well. */
const { maxLength = 600, characters = 'latin1' } = target;

/** Some targets return a promise, others throw at once. */
module.exports.fuzz = (/** @type {Buffer} */ data) =>
  target.run(data.toString(characters === 'unicode' ? 'utf8' : 'latin1').slice(0, maxLength));
