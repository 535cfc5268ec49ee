/** srvx: an application as a fetch handler, with its own classes of requests and responses, and behind its server. */
'use strict';

const assert = require('node:assert/strict');
const { application, askAll } = require('../support/serverless.cjs');

const BASE = 'http://localhost';

module.exports = {
  packages: ['srvx'],
  exercised:
    'toFetchHandler over the application: responses of all kinds, files, streams, bodies to parse, errors; the same behind its server, and by toNodeHandler beside the application on one server',

  async run({ listen, request }) {
    const http = require('node:http');
    const { serve, toFetchHandler, toNodeHandler } = await import('srvx/node');
    const app = application();
    const fetch = toFetchHandler(app);
    const seen = await askAll(async wanted => contentsOf(await fetch(requestOf(wanted))));
    assert.equal(seen[0].answer.text, 'text');

    const server = serve({ fetch, port: 0, hostname: '127.0.0.1', silent: true, gracefulShutdown: false });
    await server.ready();
    const { port } = new URL(server.url);
    const served = await askAll(wanted => request(Number(port), { ...wanted, path: target(wanted) }));
    await server.close(true);
    assert.equal(served[0].answer.body, 'text');

    const hello = toNodeHandler(({ url }) => new Response(`srvx ${new URL(url).pathname}`));
    app.use('/srvx', hello);
    const both = await listen(
      http.createServer((req, res) => (req.url.startsWith('/beside') ? hello(req, res) : app(req, res))),
    );
    const beside = [];
    for (const path of ['/beside', '/text', '/srvx/mounted', '/beside', '/file/large.txt'])
      beside.push(await request(both, { path }));
    return { seen, served, beside, finished: app.locals.finished };
  },
};

const target = ({ path, query }) => {
  const text = new URLSearchParams(query).toString();
  return text === '' ? path : `${path}?${text}`;
};

const requestOf = wanted => new Request(BASE + target(wanted), wanted);

/** Returns everything that a `Response` contains. */
async function contentsOf(response) {
  const { status, statusText, headers } = response;
  const cookies = headers.getSetCookie();
  return { status, statusText, headers: Object.fromEntries(headers), cookies, text: await response.text() };
}
