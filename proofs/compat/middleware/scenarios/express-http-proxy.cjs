/** express-http-proxy: requests forwarded to another server. */
'use strict';

const assert = require('node:assert/strict');
const http = require('node:http');
const { statuses, visit } = require('../support/visit.cjs');

module.exports = {
  packages: ['express-http-proxy'],
  exercised:
    'host as a string and function, proxyReqPathResolver, filter, userResDecorator, userResHeaderDecorator, proxyReqOptDecorator, proxyReqBodyDecorator, parseReqBody, preserveHostHdr, skipToNextHandlerFilter, proxyErrorHandler, limit, after a body parser, in a router',
  http2: true,

  async run({ listen, request }) {
    const express = require('express');
    const proxy = require('express-http-proxy');
    const target = await listen(http.createServer(answer));
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
    app.use((err, req, res, next) => res.status(err.status ?? 500).json({ code: err.code, type: err.type }));
    const server = await listen(app);
    const seen = await visit(request, server, [
      'GET /plain/a?b=c',
      ['POST /plain', { json: { a: 1 } }],
      ['POST /plain', { form: { a: '1' } }],
      'HEAD /plain/head',
      'DELETE /plain/x',
      'GET /plain/missing',
      'GET /plain/redirect',
      'GET /plain/empty',
      'GET /chosen/x',
      'GET /chosen/x?none=1',
      'GET /path/x?y',
      'GET /filtered/x',
      'POST /filtered/x',
      ['POST /changed/x', { body: 'body', headers: { 'Content-Type': 'text/plain' } }],
      ['POST /json/x', { json: { b: [2] } }],
      ['PATCH /streamed/x', { body: 'streamed', headers: { 'Content-Type': 'text/plain' } }],
      ['POST /limited', { body: 'x'.repeat(50) }],
      'GET /skipped/missing',
      'GET /skipped/x',
      'GET /down',
      'GET /area/north/pole',
      'GET /plain/cut',
    ]);
    assert.equal(JSON.parse(seen[0].body).url, '/a?b=c');
    assert.equal(JSON.parse(seen[1].body).body, '{"a":1}');
    assert.deepEqual(statuses(seen.slice(5, 14)), [404, 302, 204, 200, 500, 200, 200, 404, 202]);
    assert.equal(JSON.parse(seen[13].body).body, 'changed body');
    assert.equal(JSON.parse(seen[20].body).url, '/north/pole');
    return seen;
  },
};

/** The upstream server: responds with the request it received. */
function answer(req, res) {
  let body = '';
  req.on('data', chunk => (body += chunk));
  req.on('end', () => {
    res.setHeader('X-Target', 'yes');
    if (req.url.startsWith('/empty')) return res.writeHead(204).end();
    if (req.url.startsWith('/redirect')) return res.writeHead(302, { Location: '/elsewhere' }).end();
    if (req.url.startsWith('/cut')) return res.destroy();
    const status = req.url.startsWith('/missing') ? 404 : 200;
    const headers = { ...req.headers, host: req.headers.host.replace(/:\d+$/, ':<port>') };
    const text = JSON.stringify({ method: req.method, url: req.url, headers, body });
    res
      .writeHead(status, { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(text) })
      .end(text);
  });
}
