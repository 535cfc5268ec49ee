/** The endpoints of the public arenas on each framework: those with Express's API run the entry of proofs/bench/arena itself. */
const fs = require('node:fs');
const http = require('node:http');
const https = require('node:https');
const path = require('node:path');
const zlib = require('node:zlib');
const build = require('../../arena/ristretto/app.cjs');

const priced = (items, count, factor) => {
  const list = items.slice(0, count).map(item => ({ ...item, total: item.price * item.quantity * factor }));
  return { items: list, count: list.length };
};

function bare({ items, folder }) {
  const send = (res, type, body) => {
    res.setHeader('Content-Type', type);
    res.end(body);
  };
  const sendText = (res, text) => send(res, 'text/plain; charset=utf-8', text);
  return (req, res) => {
    const { pathname, searchParams } = new URL(req.url, 'http://localhost');
    const sum = () => Number(searchParams.get('a')) + Number(searchParams.get('b'));
    const [, first, second] = pathname.split('/');
    switch (first) {
      case 'pipeline':
        return sendText(res, 'ok');
      case 'baseline11': {
        if (req.method === 'GET') return sendText(res, String(sum()));
        const chunks = [];
        req.on('data', chunk => chunks.push(chunk));
        return req.on('end', () => sendText(res, String(sum() + Number(Buffer.concat(chunks).toString()))));
      }
      case 'json': {
        const body = JSON.stringify(priced(items, Number(second), Number(searchParams.get('m') ?? 1)));
        const type = 'application/json; charset=utf-8';
        if (!/gzip/.test(req.headers['accept-encoding'])) return send(res, type, body);
        res.setHeader('Content-Encoding', 'gzip');
        res.setHeader('Vary', 'Accept-Encoding');
        return zlib.gzip(body, (error, bytes) => send(res, type, bytes));
      }
      case 'upload': {
        let bytes = 0;
        req.on('data', chunk => (bytes += chunk.length));
        return req.on('end', () => sendText(res, String(bytes)));
      }
      default:
        res.setHeader('Content-Type', 'text/javascript; charset=utf-8');
        return fs.createReadStream(path.join(folder, path.basename(pathname))).pipe(res);
    }
  };
}

async function fastify({ items, folder }, tls) {
  const app = require('fastify')({ bodyLimit: 20 * 1024 * 1024, ...(tls && { https: tls }) });
  await app.register(require('@fastify/compress'), { global: false });
  await app.register(require('@fastify/static'), { root: folder, prefix: '/static/', etag: false });
  app.addContentTypeParser('text/plain', { parseAs: 'string' }, (request, body, done) => done(null, body));
  app.addContentTypeParser('application/octet-stream', (request, stream, done) => done(null, stream));
  const sum = ({ a, b }) => Number(a) + Number(b);
  app.get('/pipeline', async (request, reply) => reply.type('text/plain').send('ok'));
  app.get('/baseline11', async (request, reply) => reply.type('text/plain').send(String(sum(request.query))));
  app.post('/baseline11', async (request, reply) =>
    reply.type('text/plain').send(String(sum(request.query) + Number(request.body))),
  );
  const number = { type: 'number' };
  const string = { type: 'string' };
  const item = {
    type: 'object',
    properties: {
      id: number,
      name: string,
      category: string,
      price: number,
      quantity: number,
      active: { type: 'boolean' },
      tags: { type: 'array', items: string },
      rating: { type: 'object', properties: { score: number, count: number } },
      total: number,
    },
  };
  const list = { type: 'object', properties: { items: { type: 'array', items: item }, count: number } };
  app.get('/json/:count', { compress: {}, schema: { response: { 200: list } } }, async request =>
    priced(items, Number(request.params.count), Number(request.query.m ?? 1)),
  );
  app.post('/upload', (request, reply) => {
    let bytes = 0;
    request.body.on('data', chunk => (bytes += chunk.length));
    request.body.on('end', () => reply.type('text/plain').send(String(bytes)));
  });
  await app.listen({ port: 0 });
  return app.server;
}

async function hono({ items, folder }, tls) {
  const { Hono } = await import('hono');
  const { compress } = await import('hono/compress');
  const { serve } = await import('@hono/node-server');
  const { serveStatic } = await import('@hono/node-server/serve-static');
  const app = new Hono();
  const sum = c => Number(c.req.query('a')) + Number(c.req.query('b'));
  app.get('/pipeline', c => c.text('ok'));
  app.get('/baseline11', c => c.text(String(sum(c))));
  app.post('/baseline11', async c => c.text(String(sum(c) + Number(await c.req.text()))));
  app.get('/json/:count', compress(), c =>
    c.json(priced(items, Number(c.req.param('count')), Number(c.req.query('m') ?? 1))),
  );
  app.post('/upload', async c => {
    let bytes = 0;
    for await (const chunk of c.req.raw.body) bytes += chunk.length;
    return c.text(String(bytes));
  });
  const rewriteRequestPath = (/** @type {string} */ url) => url.replace('/static', '');
  app.use('/static/*', serveStatic({ root: folder, rewriteRequestPath }));
  const secure = tls && { createServer: https.createServer, serverOptions: tls };
  return serve({ fetch: app.fetch, port: 0, ...secure });
}

/** The objects of a larger application, about 10 MB: see the profiles in proofs/bench/arena/README.md. */
let held;

/** Starts the arena's endpoints on a framework. */
module.exports = async function start(framework, scenario, { items, folder, tls }) {
  if (scenario.endsWith('larger heap'))
    held = Array.from({ length: 80_000 }, (_, id) => ({ id, name: `product ${id}`, range: [id, id + 1] }));
  const secured = scenario.endsWith('TLS') ? tls : undefined;
  const context = { items, folder: path.join(folder, 'static') };
  if (framework === 'fastify') return fastify(context, secured);
  if (framework === 'hono') return hono(context, secured);
  const isOurs = framework.startsWith('ristretto');
  const handler = /^bare$|^again$/.test(framework)
    ? bare(context)
    : build(require(isOurs ? `../../../../packages/${framework}` : framework), {
        ...context,
        compression: require(isOurs ? '../../../../packages/middleware/compression' : 'compression'),
      });
  if (secured) return https.createServer(secured, handler).listen(0);
  return isOurs || framework.startsWith('express') ? handler.listen(0) : http.createServer(handler).listen(0);
};
