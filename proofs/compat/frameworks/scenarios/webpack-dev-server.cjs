/** webpack-dev-server 4, which creates its application itself and passes it to the configuration. */
'use strict';
const assert = require('node:assert/strict');
const fs = require('node:fs');
const path = require('node:path');
const { client } = require('../support/client.cjs');

module.exports = {
  packages: ['webpack-dev-server', 'webpack'],
  exercised:
    'a project of two modules: bundle from memory with ranges and 304, static directories, directory listing, history fallback, proxy, headers, compression, setupMiddlewares with routes before and after, its own pages, live reload over WebSocket after an edit',
  timeout: 60,
  async run({ listen, request }) {
    const express = require('express');
    const behind = express();
    behind.use((req, res) =>
      res.json({ url: req.originalUrl, host: req.hostname, forwarded: req.get('x-forwarded-for') }),
    );
    const api = await listen(behind);
    const { compiler, entry } = makeCompiler();
    const WebpackDevServer = require('webpack-dev-server');
    const server = new WebpackDevServer(options(api.address().port), compiler);
    const compiled = new Promise(resolve => void compiler.hooks.done.tap('test', resolve));
    await server.start();
    await compiled;
    const record = await requests(client(request, server.server, ['last-modified', 'etag']));
    record.stack = server.app._router.stack.map(layer => layer.name);
    record.reload = await reload(server.server.address().port, compiler, entry);
    await server.stop();
    record.listening = server.server?.listening ?? false;
    assert.match(record.bundle.slice, /hello/);
    assert.equal(record.range.status, 206);
    assert.equal(record.before.body, '{"by":"before"}');
    assert.match(record.proxied.body, /"url":"\/api\/deep\?a=1"/);
    assert.match(record.fallback.body, /<title>fixture<\/title>/);
    assert.match(record.listing.body, /listed\.txt/);
    assert.ok(record.reload.includes('hash') && record.reload.includes('ok'));
    return record;
  },
};

/** Returns a compiler for a copy of the fixture in the working directory. */
function makeCompiler() {
  const webpack = require('webpack');
  const folder = path.resolve('project');
  fs.cpSync(path.resolve(__dirname, '../fixtures/webpack'), folder, { recursive: true });
  fs.mkdirSync('public/folder', { recursive: true });
  fs.writeFileSync(
    'public/index.html',
    '<!doctype html><title>fixture</title><script src="/assets/main.js"></script>\n',
  );
  fs.writeFileSync('public/folder/listed.txt', 'listed\n');
  const entry = path.join(folder, 'index.cjs');
  const compiler = webpack({
    mode: 'development',
    devtool: false,
    context: folder,
    entry,
    output: { path: path.resolve('dist'), publicPath: '/assets/' },
    infrastructureLogging: { level: 'none' },
    stats: 'none',
  });
  return { compiler, entry };
}

/** Returns options of the server, including everything that they add to its application. */
function options(apiPort) {
  return {
    host: '127.0.0.1',
    port: 0,
    hot: false,
    client: false,
    allowedHosts: 'all',
    headers: { 'X-Dev': 'server' },
    historyApiFallback: true,
    static: { directory: path.resolve('public'), publicPath: '/', serveIndex: true },
    proxy: [{ context: '/api', target: `http://127.0.0.1:${apiPort}`, xfwd: false, logLevel: 'silent' }],
    setupMiddlewares(middlewares, devServer) {
      devServer.app.get('/before', (req, res) => res.json({ by: 'before' }));
      middlewares.unshift({
        name: 'first',
        path: '/first',
        middleware: (req, res) => res.send(`first ${req.url}`),
      });
      middlewares.push((req, res, next) => (req.path === '/last' ? res.send('last') : next()));
      return middlewares;
    },
  };
}

async function requests(see) {
  const bundle = await see('GET /assets/main.js');
  const html = { headers: { Accept: 'text/html' } };
  return {
    // The whole bundle contains paths of the working directory
    bundle: { ...bundle, body: undefined, slice: bundle.body.match(/hello \$\{name\}/)?.[0] },
    head: await see('HEAD /assets/main.js'),
    range: await see('GET /assets/main.js', { headers: { Range: 'bytes=0-9' } }),
    badRange: await see('GET /assets/main.js', { headers: { Range: 'bytes=999999999-' } }),
    noBundle: await see('GET /assets/none.js'),
    index: await see('GET /', html),
    fallback: await see('GET /some/route', html),
    noFallback: await see('GET /some/route', { headers: { Accept: 'application/json' } }),
    static: await see('GET /folder/listed.txt'),
    staticFresh: await see('GET /folder/listed.txt', {
      headers: { 'If-Modified-Since': 'Fri, 01 Jan 2100 00:00:00 GMT' },
    }),
    directory: await see('GET /folder'),
    listing: await see('GET /folder/', { headers: { Accept: 'text/plain' } }),
    gzip: await see('HEAD /assets/main.js', { headers: { 'Accept-Encoding': 'gzip' } }),
    before: await see('GET /before'),
    first: await see('GET /first/deep'),
    last: await see('GET /last'),
    proxied: await see('GET /api/deep?a=1'),
    pages: await see('GET /webpack-dev-server'),
    invalidate: await see('GET /webpack-dev-server/invalidate'),
    post: await see('POST /folder/listed.txt'),
  };
}

/** Returns the kinds of messages that a live-reload client gets after an edit. */
async function reload(port, compiler, entry) {
  const WebSocket = require('ws');
  const socket = new WebSocket(`ws://127.0.0.1:${port}/ws`);
  const kinds = new Set();
  await new Promise((resolve, reject) => {
    socket.on('error', reject);
    socket.on('message', data => {
      const { type } = JSON.parse(data);
      if (type === 'ok' && kinds.has('ok')) resolve();
      else if (type === 'ok') fs.appendFileSync(entry, `globalThis.edited = '${'x'.repeat(9)}';\n`);
      kinds.add(type);
    });
  });
  socket.close();
  // Whether a watch event without changes arrives in between depends on the speed of the machine.
  return [...kinds].filter(kind => kind !== 'still-ok').sort();
}
