/**
 * The walk alone, without a socket: nanoseconds from `app.handle` to the handler, for some applications.
 *
 *     node bench/micro/dispatch.cjs [folder of a build to compare with]
 */
const path = require('node:path');

const builds = { here: path.join(__dirname, '../../packages/ristretto') };
if (process.argv[2]) builds.other = path.resolve(process.argv[2]);

const applications = {
  'one route': app => app.get('/json', app.answer),
  '20 middlewares': app => {
    for (let i = 0; i < 20; i++) app.use((req, res, next) => next());
    app.get('/json', app.answer);
  },
  '5 nested routers': (app, web) => {
    let inner = web.Router();
    inner.get('/json', app.answer);
    for (const name of ['e', 'd', 'c', 'b', 'a']) {
      const outer = web.Router();
      outer.use('/' + name, inner);
      inner = outer;
    }
    app.use(inner);
    app.url = '/a/b/c/d/e/json';
  },
  'last of 1,000 routes': app => {
    for (let i = 0; i < 1000; i++) app.get(`/r${i}/:id`, app.answer);
    app.url = '/r999/42';
  },
  'sub-application': (app, web) => {
    const sub = web().disable('x-powered-by');
    sub.get('/json', app.answer);
    app.use('/sub', sub);
    app.url = '/sub/json';
  },
};

function measure(folder, build) {
  const web = require(folder);
  const app = web();
  app.disable('x-powered-by');
  app.answer = () => {};
  app.url = '/json';
  build(app, web);
  const run = times => {
    for (let i = 0; i < times; i++) {
      const req = Object.create(app.request);
      req.method = 'GET';
      req.url = app.url;
      app.handle(req, Object.create(app.response), () => {
        throw new Error('not answered');
      });
    }
  };
  run(100_000);
  const rounds = [];
  for (let round = 0; round < 7; round++) {
    const start = process.hrtime.bigint();
    run(100_000);
    rounds.push(Number(process.hrtime.bigint() - start) / 100_000);
  }
  return Math.min(...rounds);
}

for (const [name, build] of Object.entries(applications)) {
  const figures = Object.entries(builds).map(
    ([where, folder]) => `${where} ${measure(folder, build).toFixed(0)} ns`,
  );
  console.log(name.padEnd(22), figures.join('   '));
}
