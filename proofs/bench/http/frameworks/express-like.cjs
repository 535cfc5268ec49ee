/** The applications for Express 4, Express 5 and Ristretto, with the same code for all three. */
const http = require('node:http');
const path = require('node:path');
const { setImmediate } = require('node:timers/promises');

const json = { hello: 'world' };
const pass = (req, res, next) => next();

/** The packages of this repository that replace others. */
const REPLACEMENTS = { 'express-session': 'session', 'express-rate-limit': 'rate-limit' };
const ours = name => require(`../../../../packages/middleware/${REPLACEMENTS[name] ?? name}`);

module.exports = function build(
  web,
  scenario,
  { folder, text, viewLocals, page, users, redisPort },
  usesOurs = false,
) {
  const use = usesOurs ? ours : require;
  const app = web();
  app.set('env', 'production');
  let send = (req, res) => res.json(json);
  switch (scenario) {
    case 'json hello, awaited':
      send = async (req, res) => {
        await setImmediate();
        res.json(json);
      };
      break;
    case 'json hello, lean':
      app.disable('etag').disable('x-powered-by');
      break;
    case 'last of 10 routes':
      addRoutes(app, 10);
      break;
    case 'last of 1,000 routes':
      addRoutes(app, 1000);
      break;
    case 'last of 10,000 routes':
      addRoutes(app, 10000);
      break;
    case '5 nested routers': {
      let inner = web.Router();
      inner.get('/json', send);
      for (const name of ['e', 'd', 'c', 'b', 'a']) {
        const outer = web.Router();
        outer.use('/' + name, inner);
        inner = outer;
      }
      app.use(inner);
      break;
    }
    case '20 middlewares':
      for (let i = 0; i < 20; i++) app.use((req, res, next) => next());
      break;
    case 'nested query':
      app.set('query parser', 'extended');
      app.get('/query', (req, res) => res.json({ name: req.query.filter.name }));
      break;
    case 'POST 1 KiB JSON':
    case 'POST 1 MiB JSON':
      app.use(web.json({ limit: '2mb' }));
      app.post('/body', (req, res) => res.json({ users: (req.body.users ?? req.body).length }));
      break;
    case 'POST 1 KiB JSON, zod': {
      const schema = require('../schema.cjs');
      app.use(web.json());
      const check = web.validate ? web.validate({ body: schema }) : checkBy(schema);
      app.post('/body', check, (req, res) => res.json({ users: req.body.users.length }));
      break;
    }
    case 'JSON 1 KiB, response schema':
    case 'JSON 1 KiB, response schema, zod': {
      const schema = require('../schema.cjs');
      // The row is about the schema: the others send no entity tag either.
      app.disable('etag').disable('x-powered-by');
      if (web.validate)
        app.get('/users', web.validate({ response: { 200: schema } }), (req, res) => res.json(users));
      else app.get('/users', (req, res) => res.json(schema.parse(users)));
      break;
    }
    case 'POST 100 KiB urlencoded':
      app.use(web.urlencoded({ extended: true, limit: '1mb' }));
      app.post('/form', (req, res) => res.json({ fields: Object.keys(req.body).length }));
      break;
    case 'POST 10 MiB raw':
      app.use(web.raw({ limit: '20mb' }));
      app.post('/raw', (req, res) => res.json({ bytes: req.body.length }));
      break;
    case 'file 10 KiB':
    case 'file 304':
    case 'HTTP/2 file 10 KiB':
    case 'range of 100 MiB':
      app.use(web.static(folder));
      break;
    case 'usual middleware':
      app.use(use('helmet')());
      app.use(use('cors')());
      app.use(use('compression')());
      app.use(use('cookie-parser')());
      app.use(web.json());
      app.use(web.urlencoded({ extended: false }));
      app.use(use('express-session')({ secret: 'bench', resave: false, saveUninitialized: false }));
      break;
    case 'JSON 10 KiB, compressed':
      app.use(use('compression')());
      app.get('/page', (req, res) => res.json(page));
      break;
    case 'session, memory':
    case 'session, Redis':
    case 'session, Redis, renewed': {
      const renews = scenario.endsWith('renewed');
      const store = scenario === 'session, memory' ? undefined : redisStore(redisPort, !renews);
      app.use(use('express-session')({ secret: 'bench', resave: false, saveUninitialized: false, store }));
      app.get('/login', (req, res) => {
        req.session.user = 'ada';
        res.json(json);
      });
      app.get('/user', (req, res) => res.json({ user: req.session.user }));
      break;
    }
    case 'rate limit':
      app.use(use('express-rate-limit').rateLimit({ windowMs: 3_600_000, limit: 1e12 }));
      break;
    case 'access log':
      app.use(use('morgan')('combined', { stream: { write() {} } }));
      break;
    case 'form with 1 MiB file': {
      const multer = use('multer');
      const upload = multer({ storage: multer.memoryStorage() });
      app.post('/upload', upload.single('picture'), (req, res) => res.json({ bytes: req.file.size }));
      break;
    }
    case 'ejs view':
      app.set('views', folder).set('view engine', 'ejs').enable('view cache');
      app.engine('ejs', require('ejs').renderFile);
      app.get('/view', (req, res) => res.render('items', viewLocals));
      break;
  }
  app.get('/json', send);
  app.get('/text', (req, res) => res.send(text));
  if (scenario.startsWith('HTTP/2')) return app.listen({ http2: true, port: 0 });
  return scenario === 'json hello, createServer' ? http.createServer(app).listen(0) : app.listen(0);
};

function redisStore(port, disableTouch) {
  const client = require('redis').createClient({ url: `redis://127.0.0.1:${port}` });
  void client.connect();
  return new (require('connect-redis').RedisStore)({ client, disableTouch });
}

/** The validation code that Express applications write themselves. */
function checkBy(schema) {
  return (req, res, next) => {
    const { data, error } = schema.safeParse(req.body);
    if (error) return res.status(400).json({ issues: error.issues });
    req.body = data;
    next();
  };
}

function addRoutes(app, count) {
  for (let i = 0; i < count; i++) app.get(`/r${i}/:id`, (req, res) => res.json({ id: req.params.id }));
}
