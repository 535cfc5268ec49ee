/**
 * Real applications and what they are made of, on Express and on what replaces it: `express` resolves to another package in this
 * process, as with an alias in package.json. Nothing else differs.
 */
const http = require('node:http');
const Module = require('node:module');
const path = require('node:path');

/** A Nest API: a controller with a pipe, a guard and an interceptor; Nest 11 uses Express 5. */
async function nest() {
  require('reflect-metadata');
  const common = require('@nestjs/common');
  const { NestFactory } = require('@nestjs/core');
  const cats = Array.from({ length: 100 }, (_, id) => ({ id, name: `cat ${id}`, age: id % 20 }));
  class CatsController {
    list(limit) {
      return cats.slice(0, limit);
    }
  }
  const { prototype } = CatsController;
  common.Query('limit', common.ParseIntPipe)(prototype, 'list', 0);
  common.Get()(prototype, 'list', Object.getOwnPropertyDescriptor(prototype, 'list'));
  common.Controller('cats')(CatsController);
  class AppModule {}
  common.Module({ controllers: [CatsController] })(AppModule);
  const app = await NestFactory.create(AppModule, { logger: false });
  app.useGlobalGuards({ canActivate: () => true });
  app.useGlobalInterceptors({ intercept: (context, next) => next.handle() });
  await app.listen(0);
  return app.getHttpServer();
}

/** json-server 0.17 with a hundred posts, as its command runs it. */
async function jsonServer() {
  const server = require('json-server');
  const posts = Array.from({ length: 100 }, (_, id) => ({ id, title: `post ${id}`, views: id * 7 }));
  const app = server.create();
  app.use(server.defaults({ logger: false }));
  app.use(server.router({ posts }));
  return app.listen(0);
}

/** Apollo Server 5 behind its integration for Express 5. */
async function apollo() {
  const { ApolloServer } = require('@apollo/server');
  const { expressMiddleware } = require('@as-integrations/express5');
  const express = require('express');
  const books = Array.from({ length: 10 }, (_, id) => ({ id, title: `book ${id}`, author: { name: 'Ada' } }));
  const server = new ApolloServer({
    typeDefs: `type Author { name: String } type Book { id: ID title: String author: Author } type Query { books: [Book] }`,
    resolvers: { Query: { books: () => books } },
  });
  await server.start();
  const app = express();
  app.use('/graphql', express.json(), expressMiddleware(server));
  return app.listen(0);
}

/** An API over SQL with the usual middleware: an order with its items, from SQLite in memory. */
async function service() {
  const { DatabaseSync } = require('node:sqlite');
  const db = new DatabaseSync(':memory:');
  db.exec('create table orders (id integer primary key, customer text)');
  db.exec('create table items (id integer primary key, order_id integer, name text, price integer)');
  db.exec('create index by_order on items (order_id)');
  for (let id = 1; id <= 100; id++) {
    db.prepare('insert into orders values (?, ?)').run(id, `customer ${id}`);
    for (let i = 0; i < 5; i++)
      db.prepare('insert into items values (null, ?, ?, ?)').run(id, `item ${i}`, i * 3);
  }
  const order = db.prepare('select * from orders where id = ?');
  const items = db.prepare('select name, price from items where order_id = ?');
  const express = require('express');
  const app = express();
  app.use(require('helmet')(), require('cors')(), express.json());
  const router = express.Router();
  router.get('/:id', (req, res) => {
    const found = order.get(Number(req.params.id));
    if (found === undefined) return res.sendStatus(404);
    res.json({ ...found, items: items.all(found.id) });
  });
  app.use('/api/orders', router);
  return app.listen(0);
}

/** A site of articles, as blogs have: compression, sessions, static files, routers, views with a layout of their own. */
async function site({ folder }) {
  const express = require('express');
  const paragraphs = Array.from(
    { length: 20 },
    (_, i) => `Paragraph ${i} of the article. ${'Text. '.repeat(40)}`,
  );
  const app = express();
  app.set('views', folder).set('view engine', 'ejs').enable('view cache');
  app.engine('ejs', require('ejs').renderFile);
  app.use(require('compression')(), require('cookie-parser')());
  app.use(require('express-session')({ secret: 'bench', resave: false, saveUninitialized: false }));
  app.use('/assets', express.static(folder));
  app.use((req, res, next) => {
    res.locals.user = req.session.user;
    next();
  });
  for (const name of ['admin', 'members', 'rss', 'sitemap']) app.use(`/${name}`, express.Router());
  const articles = express.Router();
  articles.get('/:slug', (req, res) => res.render('items', { title: req.params.slug, items: paragraphs }));
  app.use('/', articles);
  return app.listen(0);
}

const applications = {
  'application: Nest 11': nest,
  'application: json-server 0.17': jsonServer,
  'application: Apollo Server 5': apollo,
  'application: API over SQLite': service,
  'application: articles': site,
};

/** Starts an application on a package. @param framework a package in bench, or one of this repository */
module.exports = async function start(framework, scenario, context) {
  const isOurs = framework.startsWith('ristretto');
  const home = isOurs
    ? path.join(__dirname, '../../../../packages', framework)
    : path.dirname(require.resolve(`${framework}/package.json`));
  const { _resolveFilename: resolve } = Module;
  Module._resolveFilename = function (request, ...rest) {
    const [, file] = /^express(\/.*)?$/.exec(request) ?? [];
    return resolve.call(
      this,
      file === undefined && request !== 'express' ? request : home + (file ?? ''),
      ...rest,
    );
  };
  const server = await applications[scenario](context);
  if (!(server instanceof http.Server)) throw new Error(`${scenario} returned no server`);
  return server;
};
