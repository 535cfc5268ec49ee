/**
 * Benchmarks matching a path: nanoseconds for `match` and for `exec` of the regular expression that it replaces.
 *
 *     node proofs/bench/micro/path-pattern.cjs [folder of a build to compare with]
 */
const { compare } = require('./measure.cjs');

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
compare(
  Object.fromEntries(
    cases.flatMap(([path, target, end = true]) => {
      const name = `${path}${end ? '' : ' (prefix)'} ${target}`;
      const parsed = load => load('../../engine/lib/router/path-pattern').parsePath(path, { end });
      return [
        [
          `match ${name}`,
          load => {
            const pattern = parsed(load);
            const captures = [];
            return () => pattern.match(target, captures);
          },
        ],
        [
          `exec ${name}`,
          load => {
            const expression = new RegExp(parsed(load).toRegExp());
            return () => expression.exec(target);
          },
        ],
      ];
    }),
  ),
);
