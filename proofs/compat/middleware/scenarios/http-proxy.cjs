/** http-proxy in an application, used directly instead of through middleware. */
'use strict';

const assert = require('node:assert/strict');
const { once } = require('node:events');
const http = require('node:http');
const { statuses, visit } = require('../support/visit.cjs');

module.exports = {
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
      'GET /plain/a?b=c',
      'GET /plain/redirect',
      'GET /plain/large',
      'HEAD /plain/a',
      ['POST /plain/echo', { body: 'x'.repeat(200_000), headers: { 'Content-Type': 'text/plain' } }],
      ['POST /parsed/echo', { json: { a: [1, 'é'] } }],
      'GET /self/a',
      'GET /cookies/cookies',
      'GET /routed/7?x=1',
      'GET /down/a',
      'GET /slow/slow',
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
};

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
    const headers = JSON.parse(
      JSON.stringify(req.headers).replace(/(127\.0\.0\.1:|-port":")\d+/g, '$1<port>'),
    );
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
