/**
 * Benchmarks the walk of the Express 5 API against that of Express 4 and Express 5 itself, from `app.handle` to the
 * handler, with a stack that has been read, as tracers and frameworks do.
 *
 *     node proofs/bench/micro/express5.cjs
 */
const { readOptions } = require('../../../scripts/options.cjs');

const ROUNDS = 7;
const CALLS = 20_000;

const respond = () => {};

const applications = {
  'one route': app => app.get('/json', respond),
  '20 middlewares': app => {
    for (let i = 0; i < 20; i++) app.use((req, res, next) => next());
    app.get('/json', respond);
  },
  '5 nested routers': (app, web) => {
    let inner = web.Router();
    inner.get('/json', respond);
    for (const name of ['e', 'd', 'c', 'b', 'a']) {
      const outer = web.Router();
      outer.use('/' + name, inner);
      inner = outer;
    }
    app.use(inner);
    return '/a/b/c/d/e/json';
  },
  'a parameter': app => {
    app.get('/users/:id', respond);
    return '/users/42';
  },
  'last of 1,000 routes': app => {
    for (let i = 0; i < 1000; i++) app.get(`/r${i}/:id`, respond);
    return '/r999/42';
  },
};

/** @type {Record<string, { load: () => any, stackOf: (app: any) => any }>} */
const frameworks = {
  ristretto: { load: () => require('../../../packages/ristretto'), stackOf: app => app._router.stack },
  ristretto5: { load: () => require('../../../packages/ristretto5'), stackOf: app => app.router.stack },
  express5: { load: () => require('express5'), stackOf: app => app.router.stack },
};

function prepare(/** @type {string} */ name, /** @type {string} */ application) {
  const { load, stackOf } = frameworks[name];
  const web = load();
  const app = web().disable('x-powered-by');
  const url = applications[application](app, web);
  const path = typeof url === 'string' ? url : '/json';
  stackOf(app);
  const missed = () => {
    throw new Error('not handled');
  };
  return () => {
    const req = Object.create(app.request);
    req.method = 'GET';
    req.url = path;
    app.handle(req, Object.create(app.response), missed);
  };
}

async function time(/** @type {() => void} */ call) {
  const begin = process.hrtime.bigint();
  for (let i = 0; i < CALLS; i++) call();
  await new Promise(setImmediate);
  return Number(process.hrtime.bigint() - begin) / CALLS;
}

/** Runs each framework in a separate process, so that none is affected by the classes of another. */
async function main() {
  const [only] = readOptions({}, { words: true }).positionals;
  if (only === undefined) {
    for (const name of Object.keys(frameworks)) {
      require('node:child_process').spawnSync(process.execPath, [__filename, name], { stdio: 'inherit' });
    }
    return;
  }
  for (const application of Object.keys(applications)) {
    const call = prepare(only, application);
    let best = Infinity;
    for (let round = 0; round < ROUNDS; round++) best = Math.min(best, await time(call));
    console.log(only.padEnd(12), application.padEnd(24), `${best.toFixed(0)} ns`);
  }
}

main();
