/** React Router's Express adapter with a handwritten build: its requests, responses and contexts. */
'use strict';
const assert = require('node:assert/strict');

module.exports = {
  packages: ['@react-router/express', 'react-router'],
  exercised:
    'createRequestHandler in a wildcard route and below a path: loaders and actions with their request, its headers, body and abort signal, contexts made of req and res, redirects, several cookies, streams, binary bodies, errors that are thrown and those of a loader',
  express: [5],
  warnings: { RISTRETTO_UNTRUSTED_PROXY: 'requests have X-Forwarded-Host, and trust proxy is not set' },

  async run({ listen, request, note }) {
    const express = require('express');
    const { createRequestHandler } = require('@react-router/express');
    const { client } = require('../frameworks/support/client.cjs');
    const handler = createRequestHandler({
      build: build(note),
      mode: 'production',
      getLoadContext: (req, res) => ({ from: [req.baseUrl, req.path, res.locals.who] }),
    });
    const app = express();
    app.use((req, res, next) => {
      res.locals.who = 'ann';
      next();
    });
    app.get('/express', (req, res) => res.send('of express'));
    app.use('/below', handler);
    app.all('*splat', handler);
    app.use((error, req, res, next) => res.status(500).send(`handled: ${error.message}`));
    const see = client(request, await listen(app));
    const record = {
      echo: await see('GET /echo?a=1', { headers: { 'X-Mark': 'yes', Cookie: 'a=b' } }),
      posted: await see('POST /echo', { json: { a: 1 } }),
      form: await see('PUT /echo', { form: { a: 'b' } }),
      below: await see('GET /below/echo'),
      head: await see('HEAD /echo'),
      redirect: await see('GET /redirect'),
      cookies: await see('GET /cookies'),
      stream: await see('GET /stream'),
      none: await see('GET /none'),
      thrown: await see('GET /thrown'),
      broken: await see('GET /broken'),
      context: await see('GET /context'),
      express: await see('GET /express'),
      missing: await see('GET /missing'),
      proxied: await see('GET /echo', { headers: { 'X-Forwarded-Host': 'example.com' } }),
    };
    assert.match(record.posted.body, /"body":"\{\\"a\\":1\}"/);
    assert.equal(record.redirect.status, 302);
    assert.equal(record.stream.body, 'one two');
    return record;
  },
};

/** Routes without components: each loader returns its response. */
function build(note) {
  const echo = async ({ request, context }) =>
    Response.json({
      method: request.method,
      url: request.url.replace(/:\d+/, ''),
      mark: request.headers.get('x-mark'),
      cookie: request.headers.get('cookie'),
      body: await request.text(),
      ...context,
    });
  const loaders = {
    echo: { loader: echo, action: echo },
    context: { loader: ({ context }) => Response.json(context) },
    redirect: { loader: () => new Response(null, { status: 302, headers: { Location: '/echo' } }) },
    cookies: {
      loader: () =>
        new Response('two', {
          headers: [
            ['Set-Cookie', 'a=1'],
            ['Set-Cookie', 'b=2; Path=/'],
          ],
        }),
    },
    stream: {
      loader: () =>
        new Response(
          new ReadableStream({
            async start(controller) {
              controller.enqueue(Buffer.from('one '));
              await new Promise(resolve => setImmediate(resolve));
              controller.enqueue(Buffer.from('two'));
              controller.close();
            },
          }),
          { headers: { 'Content-Type': 'text/event-stream' } },
        ),
    },
    none: { loader: () => new Response(null, { status: 204, statusText: 'Nothing here' }) },
    thrown: {
      loader: () => {
        throw new Response('thrown', { status: 418 });
      },
    },
    broken: {
      loader: () => {
        throw new Error('this loader is broken');
      },
    },
  };
  const routes = Object.entries(loaders).map(([path, module]) => [path, { id: path, path, module }]);
  return {
    entry: {
      module: {
        default: () => new Response('a document'),
        handleError: error => note('error', error.message),
      },
    },
    routes: Object.fromEntries(routes),
    assets: { entry: { imports: [], module: '' }, routes: {}, url: '', version: '1' },
    publicPath: '/',
    assetsBuildDirectory: 'build',
    future: {},
    ssr: true,
    isSpaMode: false,
    prerender: [],
    routeDiscovery: { mode: 'initial', manifestPath: '/__manifest' },
  };
}
