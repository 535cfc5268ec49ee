/** The application for Fastify, with its plugins and a schema for its serializer. */
'use strict';
const cookie = require('@fastify/cookie');
const session = require('@fastify/session');
const fastify = require('fastify');

const text = { type: 'string' };
const Post = { type: 'object', properties: { id: { type: 'integer' }, text, author: text, created: text } };

module.exports = function makeApplication({ page, secret, sessions, newest, find }) {
  const app = fastify();

  app.get('/api/posts/:id', { schema: { response: { 200: Post } } }, async (request, reply) => {
    const post = await find(Number(request.params.id));
    return post ?? reply.callNotFound();
  });

  app.register(async scope => {
    await scope.register(cookie);
    await scope.register(session, {
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
};
