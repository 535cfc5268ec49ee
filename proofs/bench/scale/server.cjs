/**
 * One process of the measured application: a page of posts from PostgreSQL with a session from Redis, and a post as
 * JSON.
 *
 *     PORT=0 DATABASE_URL=... REDIS_URL=... node proofs/bench/scale/server.cjs ristretto|express4|fastify
 *
 * Prints its port. The routes are written as in each framework's own documentation, with the same stores.
 */
'use strict';
const ejs = require('ejs');

const page = ejs.compile(`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Posts</title></head>
<body><p>Hello, <%= name %>.</p>
<% for (const { id, text, author, created } of posts) { %>
<article id="post-<%= id %>"><h2><%= author %></h2><p><%= text %></p><time><%= created %></time></article>
<% } %></body></html>`);

const COLUMNS =
  'select p.id, p.text, p.created, u.name as author from posts p join users u on u.id = p.author';
const toPost = ({ id, text, author, created }) => ({ id, text, author, created: created.toISOString() });

/** Opens both stores, with the packages of the showcase. */
async function openStores() {
  const { Pool } = require('pg');
  const { createClient } = require('redis');
  const { RedisStore } = require('connect-redis');
  const pool = new Pool({ connectionString: process.env.DATABASE_URL, max: 10 });
  const redis = await createClient({ url: process.env.REDIS_URL }).connect();
  const query = async (name, text, values) => (await pool.query({ name, text, values })).rows.map(toPost);
  return {
    page,
    secret: 'a secret of this benchmark, long enough',
    sessions: new RedisStore({ client: redis, prefix: 'bench:', disableTouch: true }),
    newest: () => query('newest', `${COLUMNS} order by p.id desc limit 10`, []),
    find: async id => (await query('find', `${COLUMNS} where p.id = $1`, [id]))[0],
  };
}

/** The application for Ristretto and for Express 4, with the same code. */
function expressLike(web, { page, secret, sessions, newest, find }) {
  const session = require('express-session');
  const app = web();
  app.disable('x-powered-by');

  app.get('/api/posts/:id', (req, res, next) => {
    find(Number(req.params.id)).then(post => (post ? res.json(post) : next()), next);
  });

  const options = { name: 'session', secret, store: sessions, resave: false, saveUninitialized: false };
  app.use(session({ ...options, cookie: { maxAge: 86_400_000 } }));
  app.post('/login/:name', (req, res) => {
    req.session.name = req.params.name;
    res.send('ok');
  });
  app.get('/', (req, res, next) => {
    newest().then(posts => res.send(page({ name: req.session.name, posts })), next);
  });

  return port =>
    new Promise(resolve => {
      const server = app.listen(port, '127.0.0.1', () => resolve(server.address().port));
    });
}

const text = { type: 'string' };
const Post = { type: 'object', properties: { id: { type: 'integer' }, text, author: text, created: text } };

/** The application for Fastify, with its plugins and a schema for its serializer. */
function fastify({ page, secret, sessions, newest, find }) {
  const app = require('fastify')();

  app.get('/api/posts/:id', { schema: { response: { 200: Post } } }, async (request, reply) => {
    const post = await find(Number(request.params.id));
    return post ?? reply.callNotFound();
  });

  app.register(async scope => {
    await scope.register(require('@fastify/cookie'));
    await scope.register(require('@fastify/session'), {
      ...{ cookieName: 'session', secret, store: sessions, saveUninitialized: false, rolling: false },
      cookie: { maxAge: 86_400_000, secure: false },
    });
    scope.post('/login/:name', async request => {
      request.session.name = request.params.name;
      return 'ok';
    });
    scope.get('/', async (request, reply) => {
      reply.type('text/html; charset=utf-8');
      return page({ name: request.session.name, posts: await newest() });
    });
  });

  return async port => {
    await app.listen({ port, host: '127.0.0.1' });
    return app.server.address().port;
  };
}

const applications = {
  ristretto: stores => expressLike(require('../../../packages/ristretto'), stores),
  express4: stores => expressLike(require('express4'), stores),
  fastify: stores => fastify(stores),
};

async function main() {
  const listen = applications[process.argv[2]](await openStores());
  console.log(await listen(Number(process.env.PORT)));
}

main().catch(error => {
  console.error(error);
  process.exit(1);
});
