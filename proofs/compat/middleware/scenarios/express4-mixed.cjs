/** Applications of Express 4, of the framework and of a second copy of it in one tree, as during a migration. */
'use strict';

const assert = require('node:assert/strict');
const fs = require('node:fs');
const path = require('node:path');
const { cookies, visit } = require('../support/visit.cjs');

/** Loads the framework a second time, as if it were installed in two places. */
function secondCopy() {
  const folder = path.dirname(require.resolve('express/package.json')) + path.sep;
  const modules = () => Object.keys(require.cache).filter(file => file.startsWith(folder));
  const kept = modules().map(file => [file, require.cache[file]]);
  for (const file of modules()) Reflect.deleteProperty(require.cache, file);
  const copy = require('express');
  for (const file of modules()) Reflect.deleteProperty(require.cache, file);
  for (const [file, module] of kept) require.cache[file] = module;
  return copy;
}

/** Builds three levels: a site with shared middleware, a shop in it, and an administration router in the shop. */
function build([outer, middle, inner], log) {
  const session = require('express-session');
  const morgan = require('morgan');
  const where = (req, res) => ({
    app: req.app.get('name'),
    same: req.app === res.app && req.res === res && res.req === req,
    path: req.app.path(),
    url: [req.baseUrl, req.url, req.ip, req.hostname],
    views: req.session?.views,
    cookies: req.signedCookies,
    body: req.body,
    locals: { ...res.locals },
    title: [req.app.get('title'), req.app.locals.name, req.app.enabled('strict routing')],
  });
  const apps = [outer, middle, inner].map((web, level) => {
    const app = web();
    const name = ['site', 'shop', 'administration'][level];
    fs.mkdirSync(name, { recursive: true });
    const page = path.join(name, 'page.ejs');
    fs.writeFileSync(page, `<%= who %> in ${name} of <%= settings.name %>, <%= trail %>`);
    fs.utimesSync(page, 1_600_000_000, 1_600_000_000);
    app.set('name', name).set('views', path.resolve(name)).set('env', 'test');
    app.locals.name = name;
    app.on('mount', parent => log.push(`${name} in ${parent.get('name')} at ${app.path()}`));
    app.use((req, res, next) => {
      res.locals.trail = [...(res.locals.trail ?? []), name];
      next();
    });
    return app;
  });
  const [site, shop, administration] = apps;

  site
    .set('trust proxy', 'loopback')
    .set('view engine', 'ejs')
    .set('title', 'The site')
    .set('json spaces', 2);
  site.use(require('helmet')(), require('compression')({ threshold: 0 }));
  site.use(morgan(':method :url :status', { stream: { write: line => log.push(line.trim()) } }));
  let made = 0;
  site.use(require('cookie-parser')('secret'));
  site.use(
    session({ secret: 'secret', genid: () => `id${++made}`, resave: false, saveUninitialized: false }),
  );
  shop.set('title', 'The shop').use(middle.json(), middle.urlencoded({ extended: true }));
  administration.enable('strict routing').response.mark = 'marked';

  for (const [level, app] of apps.entries()) {
    app.get('/where', (req, res) => {
      if (req.session) req.session.views = (req.session.views ?? 0) + 1;
      res.cookie('level', String(level), { signed: true }).json({ ...where(req, res), mark: res.mark });
    });
    app.post('/where', (req, res) => res.status(201).json(where(req, res)));
    app.get('/page', (req, res) => setImmediate(() => res.render('page', { who: req.query.who })));
    app.get('/leave', (req, res, next) => next('router'));
    app.get('/fail', (req, res, next) =>
      next(Object.assign(new Error(`of ${level}`), { status: 400 + level })),
    );
    app.use('/files', apps[level] === site ? outer.static('shop') : middle.static('site'));
  }
  const router = middle.Router();
  router.use('/admin', administration);
  site.use('/shop', shop);
  shop.use('/in', router).use('/admin', administration);
  for (const app of [administration, shop, site]) {
    app.get('*', (req, res, next) => {
      log.push(`left: ${req.app.get('name')} ${res.app.get('name')} ${req.url}`);
      next();
    });
  }
  shop.use((err, req, res, next) => {
    log.push(`error in ${req.app.get('name')}: ${err.message}`);
    next(err);
  });
  site.use((err, req, res, next) => {
    if (req.url.includes('plain')) return next(err);
    res.status(err.status ?? 500).json({ ...where(req, res), failed: err.message });
  });
  return site;
}

module.exports = {
  packages: ['express4', 'express-session', 'cookie-parser', 'morgan', 'compression', 'helmet', 'ejs'],
  exercised:
    'Applications of Express 4, of the framework and of a second copy of it in one another, in each of 27 combinations, mounted and in routers: req.app, settings, views, locals, sessions, cookies, bodies, files, errors and what is passed on to the outer application',
  express: [4],
  knownWithAliases: [
    {
      places: /\.seen\.(?:6|14|22|30|38|46)\.headers/,
      reason:
        'types that are compressible are those of mime-db 1.54, Express 4 installs 1.52: `application/octet-stream`',
    },
  ],

  async run({ listen, request }) {
    const kinds = { express4: require('express4'), express: require('express'), copy: secondCopy() };
    const record = {};
    for (const outer of Object.keys(kinds)) {
      for (const middle of Object.keys(kinds)) {
        for (const inner of Object.keys(kinds)) {
          const log = [];
          const server = await listen(build([kinds[outer], kinds[middle], kinds[inner]], log));
          const headers = { 'X-Forwarded-For': '192.0.2.1' };
          const first = await visit(request, server, [['GET /where', { headers }]]);
          const own = { headers: { ...headers, ...cookies(...first) } };
          const seen = await visit(request, server, [
            ...['', '/shop', '/shop/admin', '/shop/in/admin'].flatMap(prefix => [
              [`GET ${prefix}/where`, own],
              [`POST ${prefix}/where`, { ...own, json: { a: 1 } }],
              ...[`GET ${prefix}/page?who=ada`, `GET ${prefix}/leave`, `GET ${prefix}/fail`],
              ...[`GET ${prefix}/fail?plain`, `GET ${prefix}/files/page.ejs`, `GET ${prefix}/none`],
            ]),
          ]);
          const at = asked => seen.find(entry => entry.asked === asked).body;
          assert.match(at('GET /shop/admin/where'), /"app": "administration"/);
          assert.match(at('GET /shop/page?who=ada'), /^ada in shop of shop, site,shop$/);
          record[`${outer} > ${middle} > ${inner}`] = { first, seen, log };
        }
      }
    }
    const [expected, ...others] = Object.entries(record);
    for (const [what, found] of others) assert.deepEqual(found, expected[1], what);
    return record;
  },
};
