/** http-proxy-middleware 2, and the program for 3, whose options have other names: in front of a server, with an upgrade. */
'use strict';

const assert = require('node:assert/strict');
const http = require('node:http');
const { statuses, visit } = require('../support/visit.cjs');

module.exports = {
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
      'GET /plain/missing',
      'GET /plain/redirect',
      'HEAD /plain/x',
      'GET /rewritten/old/x',
      'GET /function/x',
      'GET /filtered/yes',
      'GET /filtered/no',
      'GET /router/x',
      'GET /router/x?down=1',
      'GET /cookies/cookies',
      'GET /changed/x',
      ['POST /body', { json: { b: [1, 'é'] } }],
      ['PUT /body', { form: { c: 'd e' } }],
      'GET /down/x',
      'GET /handled/x',
      'GET /outer/inner/x',
      'GET /sockets/x',
      'GET /after',
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

function failed(err, req, res) {
  res.writeHead(502, { 'Content-Type': 'text/plain' }).end(`failed: ${err.code}`);
}

/** The upstream server: responds with the request it received, without ports. */
function answer(req, res, isOverHttp2) {
  let body = '';
  req.on('data', chunk => (body += chunk));
  req.on('end', () => {
    if (req.url.includes('redirect')) return res.writeHead(302, { Location: '/elsewhere' }).end();
    if (req.url.includes('cookies'))
      res.setHeader('Set-Cookie', ['a=1; Domain=first.test; Path=/a', 'b=2; Path=/c']);
    const headers = JSON.parse(
      JSON.stringify(isOverHttp2 ? sorted(req.headers) : req.headers).replace(
        /(127\.0\.0\.1:|port":")\d+/g,
        '$1<port>',
      ),
    );
    const text = JSON.stringify({ method: req.method, url: req.url, headers, body });
    res.writeHead(req.url.includes('missing') ? 404 : 200, { 'Content-Type': 'application/json' });
    res.end(text);
  });
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
