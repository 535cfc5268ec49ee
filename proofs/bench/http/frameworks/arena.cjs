/** The endpoints of the public arenas on each framework: those with Express's API run the entry of proofs/bench/arena itself. */
const fs = require('node:fs');
const http = require('node:http');
const https = require('node:https');
const path = require('node:path');
const zlib = require('node:zlib');
const build = require('../../arena/ristretto/app.cjs');
const { invalidFields, open: itemsOf, readNumber } = require('../../arena/ristretto/items.cjs');

const priced = (items, count, factor) => {
  const list = items.slice(0, count).map(item => ({ ...item, total: item.price * item.quantity * factor }));
  return { items: list, count: list.length };
};

const JSON_TYPE = 'application/json; charset=utf-8';

/** Calls back with the text of a request's body. */
function readText(req, done) {
  const chunks = [];
  req.on('data', chunk => chunks.push(chunk));
  req.on('end', () => done(Buffer.concat(chunks).toString()));
}

function bare({ items, folder, pool }) {
  const handleDatabase = pool && bareDatabase(pool);
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
        return readText(req, text => sendText(res, String(sum() + Number(text))));
      }
      case 'json': {
        const bodyOf = factor => JSON.stringify(priced(items, Number(second), Number(factor ?? 1)));
        if (req.method === 'POST')
          return readText(req, text => send(res, JSON_TYPE, bodyOf(JSON.parse(text).m)));
        const body = bodyOf(searchParams.get('m'));
        if (!/gzip/.test(req.headers['accept-encoding'])) return send(res, JSON_TYPE, body);
        res.setHeader('Content-Encoding', 'gzip');
        res.setHeader('Vary', 'Accept-Encoding');
        return zlib.gzip(body, (error, bytes) => send(res, JSON_TYPE, bytes));
      }
      case 'upload': {
        let bytes = 0;
        req.on('data', chunk => (bytes += chunk.length));
        return req.on('end', () => sendText(res, String(bytes)));
      }
      case 'async-db':
      case 'crud':
        return handleDatabase(req, res, pathname, searchParams).catch(() => res.writeHead(500).end());
      default:
        res.setHeader('Content-Type', 'text/javascript; charset=utf-8');
        return fs.createReadStream(path.join(folder, path.basename(pathname))).pipe(res);
    }
  };
}

/** The profiles async-db and crud: the same queries and validation, without a framework. */
function bareDatabase(pool) {
  const stored = itemsOf(pool);
  const send = (res, status, value) => {
    res.statusCode = status;
    if (value !== undefined) res.setHeader('Content-Type', JSON_TYPE);
    res.end(value === undefined ? undefined : JSON.stringify(value));
  };
  const sendItem = (res, item, status = 200) =>
    item ? send(res, status, item) : send(res, 404, { error: 'no such item' });
  const refuse = (res, ...names) => send(res, 400, { error: `invalid: ${names.join(', ')}` });
  const numbers = (query, fields) =>
    Object.entries(fields).map(([name, [missing, lowest, highest]]) =>
      readNumber(query.get(name) ?? missing, lowest, highest),
    );
  async function list(res, query) {
    const [page, limit] = numbers(query, { page: ['1', 1, 10_000], limit: ['10', 1, 50] });
    if (page === undefined || limit === undefined) return refuse(res, 'category, page or limit');
    send(res, 200, await stored.list(query.get('category') ?? 'tools', page, limit));
  }
  function change(req, res, id) {
    readText(req, text => {
      let item;
      try {
        item = JSON.parse(text);
      } catch {
        return refuse(res, 'JSON');
      }
      const names = invalidFields(item);
      if (names.length > 0) return refuse(res, ...names);
      if (id !== undefined) return stored.update(id, item).then(changed => sendItem(res, changed));
      return stored.create(item).then(created => {
        res.setHeader('Location', `/crud/items/${created.id}`);
        sendItem(res, created, 201);
      });
    });
  }
  return async (req, res, pathname, query) => {
    if (pathname === '/async-db') {
      const range = numbers(query, { min: ['1', 0], max: ['500', 0], limit: ['20', 1, 50] });
      if (range.includes(undefined)) return refuse(res, 'min, max or limit');
      return send(res, 200, await stored.inPriceRange(...range));
    }
    res.setHeader('Cache-Control', 'no-store');
    const [, , , segment] = pathname.split('/');
    if (segment === undefined) return req.method === 'POST' ? change(req, res) : list(res, query);
    const id = readNumber(segment, 1);
    if (id === undefined) return refuse(res, 'id');
    if (req.method === 'PUT') return change(req, res, id);
    if (req.method === 'GET') return sendItem(res, await stored.find(id));
    const removed = await stored.remove(id);
    return removed ? send(res, 204) : sendItem(res);
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
  app.post('/json/:count', { schema: { response: { 200: list } } }, async request =>
    priced(items, Number(request.params.count), Number(request.body.m ?? 1)),
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
  app.post('/json/:count', async c =>
    c.json(priced(items, Number(c.req.param('count')), Number((await c.req.json()).m ?? 1))),
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
module.exports = async function start(framework, scenario, { items, folder, tls, databaseUrl }) {
  if (scenario.endsWith('larger heap'))
    held = Array.from({ length: 80_000 }, (_, id) => ({ id, name: `product ${id}`, range: [id, id + 1] }));
  const secured = scenario.endsWith('TLS') ? tls : undefined;
  const pool = databaseUrl && new (require('pg').Pool)({ connectionString: databaseUrl });
  // The database may end before this process.
  pool?.on('error', () => undefined);
  const context = { items, folder: path.join(folder, 'static'), pool };
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
  if (isOurs || framework.startsWith('express')) return handler.listen(0);
  const server = http.createServer(handler);
  if (scenario.includes('WebSocket')) {
    const { WebSocketServer } = require('ws');
    new WebSocketServer({ server, path: '/ws' }).on('connection', socket => {
      socket.on('message', (data, isBinary) => socket.send(data, { binary: isBinary }));
    });
  }
  return server.listen(0);
};
