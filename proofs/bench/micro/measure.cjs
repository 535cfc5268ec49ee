/**
 * Measures nanoseconds per call in this build, and in another build whose folder is the first argument: the best of
 * several rounds, with the builds alternating.
 *
 *     npm run bench:micro                                    every benchmark below
 *     git worktree add /tmp/before HEAD~1 && (cd /tmp/before && npm ci)
 *     node proofs/bench/micro/answer.cjs /tmp/before/packages/ristretto
 */
const { spawnSync } = require('node:child_process');
const path = require('node:path');
const { readOptions } = require('../../../scripts/options.cjs');

const ROUNDS = 9;
const BATCHES = 100;
const CALLS = 1000;

if (require.main === module) {
  for (const name of ['dispatch', 'answer', 'parts', 'path-pattern'])
    spawnSync(process.execPath, [path.join(__dirname, `${name}.cjs`)], { stdio: 'inherit' });
}

const { values, positionals } = readOptions({ of: { type: 'string' } }, { words: true });
const [other] = positionals;
/** The package that `--of` names is measured alone, unaffected by the classes of others. */
exports.only = values.of;
const folders =
  values.of === undefined
    ? { here: path.join(__dirname, '../../../packages/ristretto') }
    : { [values.of]: values.of };
if (other) folders.other = path.resolve(other);

/**
 * @param {Record<string, (load: (file?: string) => any) => () => unknown>} cases by name: functions that return the call to
 *   measure; `load` loads the package or one of its files
 */
exports.compare = async function compare(cases) {
  for (const [name, prepare] of Object.entries(cases)) {
    const builds = Object.entries(folders).map(([where, folder]) => ({
      where,
      call: prepare(file => require(file === undefined ? folder : path.join(folder, 'lib', file))),
      best: Infinity,
    }));
    for (let round = 0; round < ROUNDS; round++) {
      for (const build of builds) build.best = Math.min(build.best, await time(build.call));
    }
    console.log(
      name.padEnd(34),
      builds.map(({ where, best }) => `${where} ${best.toFixed(0)} ns`).join('   '),
    );
  }
};

/** Work that the calls defer to later turns of the event loop is counted too, instead of accumulating. */
async function time(call) {
  const begin = process.hrtime.bigint();
  for (let batch = 0; batch < BATCHES; batch++) {
    for (let i = 0; i < CALLS; i++) call();
    await new Promise(setImmediate);
  }
  return Number(process.hrtime.bigint() - begin) / (BATCHES * CALLS);
}
