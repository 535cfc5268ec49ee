/** Fastify with a response schema if possible, and with its own plugins for the usual middleware. */
const fs = require('node:fs');
const path = require('node:path');
const { setImmediate } = require('node:timers/promises');
const querystring = require('node:querystring');

const hello = async () => ({ hello: 'world' });
const awaited = async () => {
  await setImmediate();
  return { hello: 'world' };
};
const helloSchema = {
  response: { 200: { type: 'object', properties: { hello: { type: 'string' } } } },
};
const idSchema = { response: { 200: { type: 'object', properties: { id: { type: 'string' } } } } };

module.exports = async function build(scenario, { folder, text, page, users, redisPort }) {
  const http2 = scenario.startsWith('HTTP/2');
  const app = require('fastify')({
    bodyLimit: 20 * 1024 * 1024,
    ...(http2 && { http2 }),
    ...(scenario === 'access log' && { logger: { stream: { write() {} } } }),
  });
  const count =
    { 'last of 10 routes': 10, 'last of 1,000 routes': 1000, 'last of 10,000 routes': 10000 }[scenario] ?? 0;
  for (let i = 0; i < count; i++) {
    app.get(`/r${i}/:id`, { schema: idSchema }, async request => ({ id: request.params.id }));
  }
  if (scenario === '20 middlewares') {
    for (let i = 0; i < 20; i++) app.addHook('onRequest', (request, reply, done) => done());
  }
  if (scenario === 'usual middleware') {
    await app.register(require('@fastify/helmet'));
    await app.register(require('@fastify/cors'));
    await app.register(require('@fastify/compress'));
    await app.register(require('@fastify/cookie'));
    await app.register(require('@fastify/formbody'));
    await app.register(require('@fastify/session'), {
      secret: 'a secret of at least thirty-two characters',
      saveUninitialized: false,
    });
  }
  if (scenario === 'JSON 10 KiB, compressed') {
    await app.register(require('@fastify/compress'));
    app.get('/page', async () => page);
  }
  if (scenario.startsWith('session')) {
    await app.register(require('@fastify/cookie'));
    await app.register(require('@fastify/session'), {
      secret: 'a secret of at least thirty-two characters',
      saveUninitialized: false,
      rolling: scenario.endsWith('renewed'),
      cookie: { secure: false },
      ...(scenario.startsWith('session, Redis') && { store: redisStore(redisPort) }),
    });
    app.get('/login', async request => {
      request.session.user = 'ada';
      return { hello: 'world' };
    });
    app.get('/user', async request => ({ user: request.session.user }));
  }
  if (scenario === 'rate limit')
    await app.register(require('@fastify/rate-limit'), { max: 1e12, timeWindow: 3_600_000 });
  if (scenario === 'form with 1 MiB file') {
    await app.register(require('@fastify/multipart'), { limits: { fileSize: 10 * 1024 * 1024 } });
    app.post('/upload', async request => {
      const file = await request.file();
      return { bytes: (await file.toBuffer()).length };
    });
  }
  if (scenario === 'JSON 1 KiB, response schema') {
    const schema = { response: { 200: require('zod').z.toJSONSchema(require('../schema.cjs')) } };
    app.get('/users', { schema }, async () => users);
  }
  if (scenario === 'JSON 1 KiB, response schema, zod') {
    const { serializerCompiler } = require('fastify-type-provider-zod');
    const schema = { response: { 200: require('../schema.cjs') } };
    app.get('/users', { schema, serializerCompiler }, async () => users);
  }
  if (scenario === 'POST 1 KiB JSON, zod') {
    app.setValidatorCompiler(require('fastify-type-provider-zod').validatorCompiler);
    const schema = { body: require('../schema.cjs') };
    app.post('/body', { schema }, async request => ({ users: request.body.users.length }));
  } else if (scenario.startsWith('POST')) {
    app.addContentTypeParser('application/octet-stream', { parseAs: 'buffer' }, (request, body, done) =>
      done(null, body),
    );
    app.addContentTypeParser(
      'application/x-www-form-urlencoded',
      { parseAs: 'string' },
      (request, body, done) => done(null, querystring.parse(body)),
    );
    app.post('/body', async request => ({ users: (request.body.users ?? request.body).length }));
    app.post('/form', async request => ({ fields: Object.keys(request.body).length }));
    app.post('/raw', async request => ({ bytes: request.body.length }));
  }
  const addJson = (instance, path) =>
    instance.get(path, { schema: helloSchema }, scenario === 'json hello, awaited' ? awaited : hello);
  if (scenario === '5 nested routers') {
    const nest = names => async instance => {
      if (names.length === 0) addJson(instance, '/json');
      else await instance.register(nest(names.slice(1)), { prefix: '/' + names[0] });
    };
    await app.register(nest(['a', 'b', 'c', 'd', 'e']));
  }
  if (scenario === 'HTTP/2 file 10 KiB') {
    app.get('/small.html', (request, reply) =>
      reply.type('text/html; charset=utf-8').send(fs.createReadStream(path.join(folder, 'small.html'))),
    );
  }
  if (scenario !== 'POST 1 KiB JSON, zod') addJson(app, '/json');
  app.get('/text', (request, reply) => reply.type('text/html; charset=utf-8').send(text));
  app.get('/query', async () => ({ name: 'ada' }));
  await app.listen({ port: 0 });
  return app.server;
};

function redisStore(port) {
  const client = require('redis').createClient({ url: `redis://127.0.0.1:${port}` });
  void client.connect();
  return new (require('connect-redis').RedisStore)({ client });
}
