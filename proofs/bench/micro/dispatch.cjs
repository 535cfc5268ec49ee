/**
 * Benchmarks the walk alone, without a socket: from `app.handle` to the handler, for several applications.
 *
 *     node proofs/bench/micro/dispatch.cjs [folder of a build to compare with]
 */
process.env.NODE_ENV = 'production';
const { compare } = require('./measure.cjs');

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

const prepare = build => load => {
  const web = load();
  const app = web().disable('x-powered-by');
  app.url = '/json';
  build(app, web);
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

compare(Object.fromEntries(Object.entries(applications).map(([name, build]) => [name, prepare(build)])));
