/**
 * Nanoseconds for a call in this build, and in another one beside it, whose folder is the first argument: the best of
 * some rounds, taken in turns.
 *
 *     git worktree add /tmp/before HEAD~1 && (cd /tmp/before && npm ci)
 *     node bench/micro/answer.cjs /tmp/before/packages/ristretto
 */
const path = require('node:path');

const ROUNDS = 9;
const CALLS = 1e5;

const folders = { here: path.join(__dirname, '../../packages/ristretto') };
if (process.argv[2]) folders.other = path.resolve(process.argv[2]);

/**
 * @param {Record<string, (load: (file?: string) => any) => () => unknown>} cases by name: what makes the call that is
 *   measured, given how to load the package or one of its files
 */
exports.compare = function compare(cases) {
  for (const [name, prepare] of Object.entries(cases)) {
    const builds = Object.entries(folders).map(([where, folder]) => ({
      where,
      call: prepare(file => require(file === undefined ? folder : path.join(folder, 'lib', file))),
      best: Infinity,
    }));
    for (let round = 0; round < ROUNDS; round++) {
      for (const build of builds) build.best = Math.min(build.best, time(build.call));
    }
    console.log(
      name.padEnd(34),
      builds.map(({ where, best }) => `${where} ${best.toFixed(0)} ns`).join('   '),
    );
  }
};

function time(call) {
  const begin = process.hrtime.bigint();
  for (let i = 0; i < CALLS; i++) call();
  return Number(process.hrtime.bigint() - begin) / CALLS;
}
