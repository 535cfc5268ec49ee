/** Hono, Koa, polka, and sirv for files: the scenarios that they support. */
const http = require('node:http');
const { setImmediate } = require('node:timers/promises');

async function hono(scenario, { text, page }) {
  const { Hono } = await import('hono');
  const { serve } = await import('@hono/node-server');
  const app = new Hono();
  for (let i = 0; i < routeCount(scenario); i++)
    app.get(`/r${i}/:id`, c => c.json({ id: c.req.param('id') }));
  if (scenario === '20 middlewares') for (let i = 0; i < 20; i++) app.use((c, next) => next());
  if (scenario === 'usual middleware') {
    app.use((await import('hono/secure-headers')).secureHeaders());
    app.use((await import('hono/cors')).cors());
  }
  if (/^usual|compressed/.test(scenario)) app.use((await import('hono/compress')).compress());
  app.get('/page', c => c.json(page));
  const respond = c => c.json({ hello: 'world' });
  const isAwaited = scenario === 'json hello, awaited';
  app.get('/json', isAwaited ? c => setImmediate().then(() => respond(c)) : respond);
  app.get('/text', c => c.html(text));
  if (scenario === 'POST 1 KiB JSON, zod') {
    const { zValidator } = await import('@hono/zod-validator');
    app.post('/body', zValidator('json', require('../schema.cjs')), c =>
      c.json({ users: c.req.valid('json').users.length }),
    );
  }
  app.post('/body', async c => {
    const body = await c.req.json();
    return c.json({ users: (body.users ?? body).length });
  });
  return serve({ fetch: app.fetch, port: 0 });
}

async function koa(scenario, { text }) {
  const Koa = require('koa');
  const app = new Koa();
  if (scenario === '20 middlewares') for (let i = 0; i < 20; i++) app.use((ctx, next) => next());
  app.use(ctx => {
    ctx.body = scenario === 'text' ? text : { hello: 'world' };
  });
  return app.listen(0);
}

async function polka(scenario, { text }) {
  const app = require('polka')();
  const send = (res, value) => {
    res.setHeader('Content-Type', 'application/json; charset=utf-8');
    res.end(JSON.stringify(value));
  };
  for (let i = 0; i < routeCount(scenario); i++)
    app.get(`/r${i}/:id`, (req, res) => send(res, { id: req.params.id }));
  if (scenario === '20 middlewares') for (let i = 0; i < 20; i++) app.use((req, res, next) => next());
  app.get('/json', (req, res) => send(res, { hello: 'world' }));
  app.get('/text', (req, res) => {
    res.setHeader('Content-Type', 'text/html; charset=utf-8');
    res.end(text);
  });
  app.listen(0);
  return app.server;
}

async function sirv(scenario, { folder }) {
  const { default: make } = await import('sirv');
  // `dev` reads the file system on each request: the uncached mode
  return http.createServer(make(folder, { dev: true, etag: true })).listen(0);
}

async function serveStatic(scenario, { folder }) {
  const serve = require('serve-static')(folder);
  return http.createServer((req, res) => serve(req, res, () => res.end())).listen(0);
}

function routeCount(scenario) {
  return (
    { 'last of 10 routes': 10, 'last of 1,000 routes': 1000, 'last of 10,000 routes': 10000 }[scenario] ?? 0
  );
}

const plain = ['json hello', 'text', 'last of 1,000 routes', '20 middlewares'];
const files = ['file 10 KiB', 'file 304', 'range of 100 MiB'];
module.exports = {
  hono: {
    build: hono,
    scenarios: [
      ...plain,
      'json hello, awaited',
      'POST 1 KiB JSON',
      'POST 1 KiB JSON, zod',
      'usual middleware',
      'JSON 10 KiB, compressed',
    ],
  },
  koa: { build: koa, scenarios: ['json hello', 'text', '20 middlewares'] },
  polka: { build: polka, scenarios: plain },
  sirv: { build: sirv, scenarios: files },
  'serve-static': { build: serveStatic, scenarios: files },
};
