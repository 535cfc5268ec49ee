/** Hono, and the scenarios that it supports. */
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

function routeCount(scenario) {
  return (
    { 'last of 10 routes': 10, 'last of 1,000 routes': 1000, 'last of 10,000 routes': 10000 }[scenario] ?? 0
  );
}

const scenarios = [
  ...[
    'json hello',
    'json hello, awaited',
    'text',
    'last of 1,000 routes',
    '20 middlewares',
    'usual middleware',
  ],
  ...['POST 1 KiB JSON', 'POST 1 KiB JSON, zod', 'JSON 10 KiB, compressed'],
];
module.exports = { build: hono, scenarios };
