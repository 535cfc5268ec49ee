/** @hono/node-server: its listener and ours on one server, and one inside the other. */
'use strict';

const assert = require('node:assert/strict');
const { application, askAll } = require('../support/serverless.cjs');

module.exports = {
  packages: ['@hono/node-server', 'hono'],
  exercised:
    'getRequestListener beside the application on one server, mounted in it, and behind its body parsers; the application in place of Hono’s 404 handler, on the messages in HttpBindings',

  async run({ listen, request }) {
    const http = require('node:http');
    const { getRequestListener } = require('@hono/node-server');
    const { RESPONSE_ALREADY_SENT } = require('@hono/node-server/utils/response');
    const { Hono } = require('hono');
    const app = application();
    const hono = new Hono();
    hono.get('/hono/hello', context => context.text(`hono ${context.req.query('a')}`));
    hono.post('/hono/echo', async context => context.json({ length: (await context.req.text()).length }));
    hono.get('/hono/stream', () => new Response(new Blob(['one,', 'two']).stream()));
    hono.get('/hono/throws', () => {
      throw new Error('thrown');
    });
    hono.onError((error, context) => context.text(`hono ${error.message}`, 500));
    const listener = getRequestListener(hono.fetch);
    const asked = [
      { path: '/hono/hello?a=1' },
      {
        path: '/hono/echo',
        method: 'POST',
        headers: { 'content-type': 'text/html' },
        body: 'x'.repeat(90_000),
      },
      { path: '/hono/stream' },
      { path: '/hono/throws' },
      { path: '/hono/none' },
    ];
    const all = async server => {
      const seen = [];
      for (const wanted of asked) seen.push(await request(server, wanted));
      return seen;
    };

    const isOurs = ({ url }) => !url.startsWith('/hono');
    const beside = await listen(
      http.createServer((req, res) => (isOurs(req) ? app(req, res) : listener(req, res))),
    );
    const both = [await all(beside), await askAll(wanted => request(beside, wanted)), await all(beside)];
    assert.equal(both[0][0].body, 'hono 1');

    app.use((req, res) => listener(req, res));
    const mounted = await all(await listen(app));

    const last = application();
    hono.notFound(({ env }) => {
      last(env.incoming, env.outgoing);
      return RESPONSE_ALREADY_SENT;
    });
    const behind = await listen(http.createServer(getRequestListener(hono.fetch)));
    // For HEAD, Hono replaces its response and loses the flag that one has been sent.
    const inside = await askAll(wanted =>
      request(behind, { ...wanted, method: wanted.method.replace('HEAD', 'GET') }),
    );
    return { both, mounted, inside };
  },
};
