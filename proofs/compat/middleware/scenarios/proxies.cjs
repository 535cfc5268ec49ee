/** Proxies. */
'use strict';

const assert = require('node:assert/strict');
const { once } = require('node:events');
const http = require('node:http');
const { statuses, visit } = require('../support/visit.cjs');

/** The upstream server: responds with the request it received, without ports. */
function answer(req, res, isOverHttp2) {
  const is = name => req.url.includes(name);
  let body = '';
  req.on('data', chunk => (body += chunk));
  req.on('end', () => {
    res.setHeader('X-Target', 'yes');
    if (is('empty')) return res.writeHead(204).end();
    if (is('redirect')) return res.writeHead(302, { Location: '/elsewhere' }).end();
    if (is('cut')) return res.destroy();
    if (is('cookies')) res.setHeader('Set-Cookie', ['a=1; Domain=first.test; Path=/a', 'b=2; Path=/c']);
    const headers = withoutPorts(isOverHttp2 ? sorted(req.headers) : req.headers);
    res.writeHead(is('missing') ? 404 : 200, { 'Content-Type': 'application/json' });
    res.end(JSON.stringify({ method: req.method, url: req.url, headers, body }));
  });
}

/** Returns headers with a placeholder for the ports in them. */
const withoutPorts = headers =>
  JSON.parse(JSON.stringify(headers).replace(/(127\.0\.0\.1:|port":")\d+/g, '$1<port>'));

/** The upstream application. */
function target(express, note) {
  const app = express();
  app.set('trust proxy', true).disable('etag');
  app.use(express.text({ limit: '1mb' }), express.json());
  app.get('/redirect', (req, res) => res.redirect('http://elsewhere.test/x'));
  app.get('/large', (req, res) => res.type('text').send('large '.repeat(50_000)));
  app.get('/cookies', (req, res) => res.cookie('a', '1', { domain: 'first.test', path: '/a' }).json({}));
  app.get('/slow', (req, res) => void setTimeout(() => res.send('slow'), 1000));
  app.get('/endless', (req, res) => {
    res.write('begun');
    req.on('aborted', () => note('behind: aborted'));
    res.on('close', () => note('behind: close', res.writableFinished));
  });
  app.post('/echo', (req, res) => res.send(req.body));
  app.use((req, res) => {
    const headers = withoutPorts(req.headers);
    res.json({ method: req.method, url: req.url, ip: req.ip, host: req.hostname, headers });
  });
  return app;
}

/** The application in front, which uses a proxy in every way. */
function front(express, url, note) {
  const httpProxy = require('http-proxy');
  const proxy = httpProxy.createProxyServer({ target: url, xfwd: true });
  proxy.on('proxyReq', (outgoing, req) => outgoing.setHeader('X-Base', req.baseUrl || 'none'));
  proxy.on('proxyRes', (incoming, req) => note('proxyRes', incoming.statusCode, req.originalUrl));
  proxy.on('end', req => note('end', req.originalUrl));
  proxy.on('error', (error, req, res) => {
    note('error', error.code, req.originalUrl);
    if (res.writeHead && !res.headersSent) res.writeHead(502, { 'Content-Type': 'text/plain' });
    res.end('failed');
  });
  const app = express();
  app.use('/plain', (req, res) => proxy.web(req, res));
  app.use('/parsed', express.json(), (req, res) => {
    const { Readable } = require('node:stream');
    const body = JSON.stringify(req.body);
    req.headers['content-length'] = String(Buffer.byteLength(body));
    proxy.web(req, res, { buffer: Readable.from([Buffer.from(body)]) });
  });
  const handling = httpProxy.createProxyServer({ target: url, selfHandleResponse: true });
  handling.on('proxyRes', (incoming, req, res) => {
    const chunks = [];
    incoming.on('data', chunk => chunks.push(chunk));
    incoming.on('end', () =>
      res.status(202).json({ length: Buffer.concat(chunks).length > 0, path: req.path }),
    );
  });
  app.use('/self', (req, res) => handling.web(req, res));
  app.use('/cookies', (req, res) =>
    proxy.web(req, res, { cookieDomainRewrite: 'other.test', cookiePathRewrite: { '/a': '/b' } }),
  );
  app.get('/routed/:id', (req, res, next) => {
    req.url = `/rewritten/${req.params.id}`;
    proxy.web(req, res, { changeOrigin: true, headers: { 'X-Mine': 'yes' } }, next);
  });
  app.use('/down', (req, res) => proxy.web(req, res, { target: 'http://127.0.0.1:1' }));
  app.use('/slow', (req, res) => proxy.web(req, res, { proxyTimeout: 50 }));
  return { app, proxy };
}

/** A client that disconnects when the response has begun; both applications must notice. */
function abort(port, note) {
  return new Promise(resolve => {
    const outgoing = http.get({ port, host: '127.0.0.1', path: '/plain/endless' }, incoming => {
      incoming.once('data', chunk => {
        note('client', String(chunk));
        outgoing.destroy();
        setTimeout(resolve, 200, 'aborted');
      });
      incoming.on('error', () => undefined);
    });
    outgoing.on('error', () => undefined);
  });
}

/** A chat on the upstream application. */
function chat(server) {
  const { WebSocketServer } = require('ws');
  const sockets = new WebSocketServer({ server });
  sockets.on('connection', socket => socket.on('message', data => socket.send(`echo ${data}`)));
  return sockets;
}

async function talk(port) {
  const { WebSocket } = require('ws');
  const socket = new WebSocket(`ws://127.0.0.1:${port}/chat`);
  const seen = [];
  socket.on('open', () => ['one', 'two'].forEach(message => socket.send(message)));
  socket.on('message', data => {
    if (seen.push(String(data)) === 2) socket.close(1000);
  });
  await once(socket, 'close');
  return seen;
}

function failed(err, req, res) {
  res.writeHead(502, { 'Content-Type': 'text/plain' }).end(`failed: ${err.code}`);
}

/** Returns the headers sorted by name, without `Connection`, which a request over HTTP/2 does not have. */
function sorted(headers) {
  const entries = Object.entries(headers).filter(([name]) => name !== 'connection');
  return Object.fromEntries(entries.sort());
}

/** Requests an upgrade; resolves with the response. */
function upgrade(port) {
  return new Promise((resolve, reject) => {
    const headers = { Connection: 'Upgrade', Upgrade: 'websocket' };
    const outgoing = http.request({ port, host: '127.0.0.1', path: '/sockets/chat', headers });
    outgoing.on('upgrade', (incoming, socket, head) => {
      let text = head.toString();
      socket.on('data', chunk => (text += chunk));
      socket.on('close', () =>
        resolve({ status: incoming.statusCode, url: incoming.headers['x-url'], text }),
      );
    });
    outgoing.on('error', reject).end();
  });
}

/** http-proxy-middleware 2, and the program for 3, whose options have other names: in front of a server, with an upgrade. */
const proxyMiddleware = {
  packages: ['http-proxy-middleware2'],
  exercised:
    'target, changeOrigin, pathRewrite as map and function, pathFilter, router by host, headers, cookie rewriting, xfwd, responseInterceptor, fixRequestBody after a body parser, errors, WebSocket upgrades, mounted and in a router',
  http2: true,
  knownOverHttp2: [
    { places: /^\.seen\.3\.headers/, reason: 'a body in chunks without any has a Content-Length of 0' },
  ],

  async run({ packages: [name], listen, request, note, isOverHttp2 }) {
    const major = name.endsWith('2') ? 2 : 3;
    const express = require('express');
    const { createProxyMiddleware, responseInterceptor, fixRequestBody } = require(name);
    const behind = http.createServer((req, res) => answer(req, res, isOverHttp2));
    behind.on('upgrade', (req, socket) => {
      const fields = 'HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n';
      socket.end(`${fields}X-Url: ${req.url}\r\n\r\nhello`);
    });
    await listen(behind);
    const target = `http://127.0.0.1:${behind.address().port}`;
    /** In version 3, events are in an object, and middleware sees the path without its mount path. */
    const proxy = ({ on = {}, filter, ...options }) => {
      const quiet = major === 2 ? { logLevel: 'silent' } : {};
      if (major === 3)
        return createProxyMiddleware({ target, ...options, on, ...(filter && { pathFilter: filter }) });
      const events = Object.entries(on).map(([event, listener]) => [
        `onP${event.slice(1)}`.replace('onPrror', 'onError'),
        listener,
      ]);
      const all = { target, ...quiet, ...options, ...Object.fromEntries(events) };
      return filter ? createProxyMiddleware(filter, all) : createProxyMiddleware(all);
    };
    const app = express();
    app.use('/plain', proxy({ changeOrigin: true }));
    app.use(
      '/rewritten',
      proxy({
        pathRewrite: { '^/rewritten/old': '/new', '^/old': '/new' },
        headers: { 'X-Mine': 'yes' },
        xfwd: true,
      }),
    );
    app.use('/function', proxy({ pathRewrite: async (path, req) => `/from${path}?was=${req.baseUrl}` }));
    app.use(proxy({ filter: path => path.startsWith('/filtered/yes') }));
    app.use(
      '/router',
      proxy({ router: req => (req.query.down ? 'http://127.0.0.1:1' : target), on: { error: failed } }),
    );
    app.use(
      '/cookies',
      proxy({ cookieDomainRewrite: 'other.test', cookiePathRewrite: { '/a': '/b' }, autoRewrite: true }),
    );
    const changed = responseInterceptor(async (buffer, proxyRes, req, res) => {
      res.statusCode = 202;
      res.setHeader('X-Changed', `${proxyRes.statusCode} ${req.originalUrl}`);
      return buffer.toString().toUpperCase();
    });
    app.use('/changed', proxy({ selfHandleResponse: true, on: { proxyRes: changed } }));
    const proxyReq = (outgoing, req) => {
      outgoing.setHeader('X-Route', String(req.baseUrl));
      fixRequestBody(outgoing, req);
    };
    app.use('/body', express.json(), express.urlencoded({ extended: false }), proxy({ on: { proxyReq } }));
    app.use('/down', proxy({ target: 'http://127.0.0.1:1' }));
    app.use('/handled', proxy({ target: 'http://127.0.0.1:1', on: { error: failed } }));
    const nested = express.Router().use('/inner', proxy({}));
    app.use('/outer', nested);
    const sockets = proxy({ ws: true, filter: '/sockets' });
    app.use(sockets);
    app.get('/after', (req, res) => res.send('after'));
    const server = await listen(app);
    server.on('upgrade', sockets.upgrade);

    const seen = await visit(request, server, [
      'GET /plain/a/b?c=d',
      ['POST /plain', { json: { a: 1 } }],
      ...['GET /plain/missing', 'GET /plain/redirect', 'HEAD /plain/x', 'GET /rewritten/old/x'],
      ...['GET /function/x', 'GET /filtered/yes', 'GET /filtered/no', 'GET /router/x'],
      ...['GET /router/x?down=1', 'GET /cookies/cookies', 'GET /changed/x'],
      ['POST /body', { json: { b: [1, 'é'] } }],
      ['PUT /body', { form: { c: 'd e' } }],
      ...['GET /down/x', 'GET /handled/x', 'GET /outer/inner/x', 'GET /sockets/x', 'GET /after'],
    ]);
    assert.deepEqual(
      statuses(seen),
      [200, 200, 404, 302, 200, 200, 200, 200, 404, 200, 502, 200, 202, 200, 200, 504, 502, 200, 200, 200],
    );
    assert.equal(JSON.parse(seen[1].body).body, '{"a":1}');
    assert.equal(JSON.parse(seen[13].body).body, '{"b":[1,"é"]}');
    assert.equal(JSON.parse(seen[14].body).body, 'c=d%20e');
    // HTTP/2 has no upgrades.
    if (!isOverHttp2) note(await upgrade(server.address().port));
    return seen;
  },
};

module.exports = {
  programs: {
    /** express-http-proxy: requests forwarded to another server. */
    'express-http-proxy': {
      packages: ['express-http-proxy'],
      exercised:
        'host as a string and function, proxyReqPathResolver, filter, userResDecorator, userResHeaderDecorator, proxyReqOptDecorator, proxyReqBodyDecorator, parseReqBody, preserveHostHdr, skipToNextHandlerFilter, proxyErrorHandler, limit, after a body parser, in a router',
      http2: true,

      async run({ listen, request }) {
        const express = require('express');
        const proxy = require('express-http-proxy');
        const target = await listen(http.createServer((req, res) => answer(req, res, false)));
        const host = `127.0.0.1:${target.address().port}`;
        const app = express();
        app.use('/plain', proxy(host));
        app.use(
          '/chosen',
          proxy(req => `http://${req.query.none ? '127.0.0.1:1' : host}`, { memoizeHost: false }),
        );
        app.use('/path', proxy(host, { proxyReqPathResolver: async req => `/resolved${req.url}` }));
        app.use('/filtered', proxy(host, { filter: (req, res) => req.method === 'GET' && !res.locals.stop }));
        app.use(
          '/changed',
          proxy(host, {
            userResDecorator: (proxyRes, data, req, res) => {
              const value = { ...JSON.parse(data), added: req.originalUrl };
              res.status(202);
              return JSON.stringify(value);
            },
            userResHeaderDecorator: headers => ({
              ...headers,
              'x-added': 'yes',
              'x-target': undefined,
              'set-cookie': ['a=1', 'b=2'],
            }),
            proxyReqOptDecorator: options => ({
              ...options,
              method: 'PUT',
              headers: { ...options.headers, 'x-mine': '1' },
            }),
            proxyReqBodyDecorator: body => `changed ${body}`,
          }),
        );
        app.use('/json', express.json(), proxy(host, { preserveHostHdr: true }));
        app.use('/streamed', proxy(host, { parseReqBody: false }));
        app.use('/limited', proxy(host, { limit: '10b' }));
        app.use(
          '/skipped',
          proxy(host, { skipToNextHandlerFilter: res => res.statusCode === 404 }),
          (req, res) => {
            res.status(203).json({ next: true, from: res.expressHttpProxy?.proxyRes.statusCode });
          },
        );
        const proxyErrorHandler = (err, res, next) =>
          err.code === 'ECONNREFUSED' ? res.status(502).send('nobody there') : next(err);
        app.use('/down', proxy('127.0.0.1:1', { proxyErrorHandler }));
        const router = express.Router({ mergeParams: true });
        router.get(
          '/:name',
          proxy(host, { proxyReqPathResolver: req => `/${req.params.area}/${req.params.name}` }),
        );
        app.use('/area/:area', router);
        app.use((err, req, res, next) =>
          res.status(err.status ?? 500).json({ code: err.code, type: err.type }),
        );
        const server = await listen(app);
        const seen = await visit(request, server, [
          'GET /plain/a?b=c',
          ['POST /plain', { json: { a: 1 } }],
          ['POST /plain', { form: { a: '1' } }],
          ...['HEAD /plain/head', 'DELETE /plain/x', 'GET /plain/missing', 'GET /plain/redirect'],
          ...['GET /plain/empty', 'GET /chosen/x', 'GET /chosen/x?none=1', 'GET /path/x?y'],
          ...['GET /filtered/x', 'POST /filtered/x'],
          ['POST /changed/x', { body: 'body', headers: { 'Content-Type': 'text/plain' } }],
          ['POST /json/x', { json: { b: [2] } }],
          ['PATCH /streamed/x', { body: 'streamed', headers: { 'Content-Type': 'text/plain' } }],
          ['POST /limited', { body: 'x'.repeat(50) }],
          ...['GET /skipped/missing', 'GET /skipped/x', 'GET /down', 'GET /area/north/pole'],
          'GET /plain/cut',
        ]);
        assert.equal(JSON.parse(seen[0].body).url, '/a?b=c');
        assert.equal(JSON.parse(seen[1].body).body, '{"a":1}');
        assert.deepEqual(statuses(seen.slice(5, 14)), [404, 302, 204, 200, 500, 200, 200, 404, 202]);
        assert.equal(JSON.parse(seen[13].body).body, 'changed body');
        assert.equal(JSON.parse(seen[20].body).url, '/north/pole');
        return seen;
      },
    },

    /** http-proxy in an application, used directly instead of through middleware. */
    'http-proxy': {
      packages: ['http-proxy', 'ws'],
      exercised:
        'web() in routes, middleware and below a mount path, buffer after a body parser, selfHandleResponse, events, header and cookie rewriting, autoRewrite, large bodies both ways, an application behind another, errors and timeouts, a client that aborts, web sockets through upgrade',
      warnings: {
        RISTRETTO_COOKIE: 'the cookies are for other domains, which the proxy replaces',
      },

      async run({ listen, request, note }) {
        const express = require('express');
        const behind = await listen(target(express, note));
        const sockets = chat(behind);
        const url = `http://127.0.0.1:${behind.address().port}`;
        const { app, proxy } = front(express, url, note);
        const server = await listen(app);
        server.on('upgrade', (req, socket, head) => {
          req.ip = 'mine';
          proxy.ws(req, socket, head);
        });
        const seen = await visit(request, server, [
          ...['GET /plain/a?b=c', 'GET /plain/redirect', 'GET /plain/large', 'HEAD /plain/a'],
          ['POST /plain/echo', { body: 'x'.repeat(200_000), headers: { 'Content-Type': 'text/plain' } }],
          ['POST /parsed/echo', { json: { a: [1, 'é'] } }],
          ...['GET /self/a', 'GET /cookies/cookies', 'GET /routed/7?x=1', 'GET /down/a', 'GET /slow/slow'],
          'GET /missing',
        ]);
        assert.deepEqual(statuses(seen), [200, 302, 200, 200, 200, 200, 202, 200, 200, 502, 502, 404]);
        const aborted = await abort(server.address().port, note);
        const chats = await talk(server.address().port);
        assert.deepEqual(chats, ['echo one', 'echo two']);
        sockets.close();
        proxy.close();
        const short = JSON.parse(JSON.stringify(seen), (key, value) =>
          typeof value === 'string' && value.length > 2000 ? value.length : value,
        );
        return { seen: short, aborted, chats };
      },
    },

    'http-proxy-middleware-2': proxyMiddleware,

    'http-proxy-middleware-3': { ...proxyMiddleware, packages: ['http-proxy-middleware'] },
  },
};
