/**
 * Benchmarks matching a path: nanoseconds for `match` and for `exec` of the regular expression that it replaces.
 *
 *     node proofs/bench/micro/path-pattern.cjs
 */
require('../../../scripts/options.cjs').readOptions({});
const { parsePath } = require('@ristretto/private-engine/lib/router/path-pattern');
const cases = [
  ['/users', '/users'],
  ['/users', '/articles'],
  ['/', '/users/42', false],
  ['/api', '/api/users/42', false],
  ['/users/:id', '/users/42'],
  ['/users/:id', '/users/42/files'],
  ['/users/:user/files/:file', '/users/42/files/report'],
  ['/users/:user/files/:file?', '/users/42/files'],
  ['/static/*', '/static/scripts/vendor/main.js'],
  [['/a/:x', '/b/:x', '/c/:x'], '/c/42'],
  ['/users/:id(\\d+)', '/users/42'],
  ['/flights/:from-:to', '/flights/ZRH-SFO'],
  ['/files/:name.:format?', '/files/report.pdf'],
  ['/files/:path*', '/files/2024/01/report'],
  ['/*/edit', '/users/42/edit'],
  ['/ab?cd', '/acd'],
];
const ROUNDS = 7;
const CALLS = 3e5;
/** Returns the best of several rounds, in nanoseconds per call. */
function measure(call) {
  let best = Infinity;
  for (let round = 0; round < ROUNDS; round++) {
    const begin = process.hrtime.bigint();
    for (let i = 0; i < CALLS; i++) call();
    best = Math.min(best, Number(process.hrtime.bigint() - begin) / CALLS);
  }
  return best;
}
console.log(`${'pattern'.padEnd(30)} ${'path'.padEnd(32)} ${'match'.padStart(7)} ${'exec'.padStart(7)}`);
for (const [path, target, end = true] of cases) {
  const pattern = parsePath(path, { end });
  const expression = new RegExp(pattern.toRegExp());
  const captures = [];
  const match = measure(() => pattern.match(target, captures));
  const exec = measure(() => expression.exec(target));
  const name = String(path) + (end ? '' : ' (prefix)');
  console.log(
    `${name.padEnd(30)} ${target.padEnd(32)} ${match.toFixed(1).padStart(7)} ${exec.toFixed(1).padStart(7)}`,
  );
}
