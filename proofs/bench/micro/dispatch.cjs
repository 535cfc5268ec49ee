/**
 * Benchmarks the walk alone, without a socket: from `app.handle` to the handler, for several applications. Then the same on
 * ristretto5 and on Express 5 itself, with a stack that has been read, as tracers and frameworks do.
 *
 *     node proofs/bench/micro/dispatch.cjs [folder of a build to compare with]
 */
process.env.NODE_ENV = 'production';
const { spawnSync } = require('node:child_process');
const { compare, only } = require('./measure.cjs');

const answer = () => {};

const applications = {
  'one route': app => app.get('/json', answer),
  '20 middlewares': app => {
    for (let i = 0; i < 20; i++) app.use((req, res, next) => next());
    app.get('/json', answer);
  },
  '5 nested routers': (app, web) => {
    let inner = web.Router();
    inner.get('/json', answer);
    for (const name of ['e', 'd', 'c', 'b', 'a']) {
      const outer = web.Router();
      outer.use('/' + name, inner);
      inner = outer;
    }
    app.use(inner);
    app.url = '/a/b/c/d/e/json';
  },
  'a parameter': app => {
    app.get('/users/:id', answer);
    app.url = '/users/42';
  },
  'last of 1,000 routes': app => {
    for (let i = 0; i < 1000; i++) app.get(`/r${i}/:id`, answer);
    app.url = '/r999/42';
  },
  'sub-application': (app, web) => {
    const sub = web().disable('x-powered-by');
    sub.get('/json', answer);
    app.use('/sub', sub);
    app.url = '/sub/json';
  },
};

const prepare = (build, isRead) => load => {
  const web = load();
  const app = web().disable('x-powered-by');
  app.url = '/json';
  build(app, web);
  if (isRead) void (app._router ?? app.router).stack;
  const missed = () => {
    throw new Error('not answered');
  };
  return () => {
    const req = Object.create(app.request);
    req.method = 'GET';
    req.url = app.url;
    app.handle(req, Object.create(app.response), missed);
  };
};

const cases = (title, isRead) =>
  Object.fromEntries(
    Object.entries(applications).map(([name, build]) => [`${name}${title}`, prepare(build, isRead)]),
  );
if (only === undefined) {
  compare(cases('', false)).then(() => {
    for (const name of ['ristretto', 'ristretto5', 'express5'])
      spawnSync(process.execPath, [__filename, `--of=${name}`], { stdio: 'inherit' });
  });
} else {
  compare(cases(', stack read', true));
}
