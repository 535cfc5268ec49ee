/** Development servers. */
'use strict';

const assert = require('node:assert/strict');
const fs = require('node:fs');
const path = require('node:path');
const { client } = require('../support/client.cjs');
const { write } = require('../support/program.cjs');

const VITE = {
  'index.html': `<!doctype html>
<html>
  <head>
    <title>fixture</title>
  </head>
  <body>
    <div id="app"><!--app--></div>
    <script type="module" src="/main.js"></script>
  </body>
</html>
`,
  'main.js': `/** The entry of the browser. */
import { render } from './render.js';
import './style.css';

document.querySelector('#app').innerHTML = render(location.pathname);
`,
  'render.js': `/** Rendered by the server and by the browser. */
export const render = url => \`<p>page \${url}</p>\`;
`,
  'style.css': `p {
  color: green;
}
`,
  'public/public.txt': 'public file\n',
};

const WEBPACK = {
  'index.cjs': `/** The entry of a bundle of two modules. */
'use strict';
const { greet } = require('./greet.cjs');

globalThis.greeting = greet('webpack');
`,
  'greet.cjs': `'use strict';
exports.greet = name => \`hello \${name}\`;
`,
};

function viteOptions(more) {
  return {
    configFile: false,
    root: path.resolve('project'),
    logLevel: 'silent',
    optimizeDeps: { noDiscovery: true },
    appType: 'custom',
    ...more,
    server: { middlewareMode: true, hmr: false, ws: false, watch: null, ...more?.server },
  };
}

async function development({ listen, request }) {
  const express = require('express');
  const { createServer } = await import('vite');
  const vite = await createServer(viteOptions());
  const app = express();
  app.get('/api', (req, res) => res.json({ api: true }));
  app.use(vite.middlewares);
  const all = require('express/package.json').version.startsWith('4.') ? '*' : '/{*all}';
  app.use(all, async (req, res, next) => {
    try {
      if (req.originalUrl.startsWith('/nothing')) return next();
      const html = await vite.transformIndexHtml(
        req.originalUrl,
        fs.readFileSync('project/index.html', 'utf8'),
      );
      const { render } = await vite.ssrLoadModule('/render.js');
      res
        .status(200)
        .set({ 'Content-Type': 'text/html' })
        .end(html.replace('<!--app-->', render(req.originalUrl)));
    } catch (error) {
      vite.ssrFixStacktrace(error);
      next(error);
    }
  });
  const see = client(request, await listen(app), ['etag', 'last-modified']);
  const record = {
    api: await see('GET /api'),
    page: await see('GET /any/page?a=1'),
    index: await see('GET /'),
    module: await see('GET /main.js'),
    style: await see('GET /style.css', { headers: { Accept: 'text/css' } }),
    styleModule: await see('GET /style.css?import'),
    raw: await see('GET /style.css?raw'),
    client: (await see('GET /@vite/client')).status,
    publicFile: await see('GET /public.txt'),
    outside: await see('GET /@fs/etc/passwd'),
    options: await see('OPTIONS /main.js', {
      headers: { Origin: 'http://localhost:3', 'Access-Control-Request-Method': 'GET' },
    }),
    nothing: await see('GET /nothing'),
    post: await see('POST /main.js'),
  };
  await vite.close();
  return record;
}

async function mounted({ listen, request }) {
  const express = require('express');
  const { createServer } = await import('vite');
  const vite = await createServer(viteOptions({ base: '/base/', appType: 'spa' }));
  const app = express();
  app.use((req, res, next) => (req.path.startsWith('/base') ? vite.middlewares(req, res, next) : next()));
  app.use('/under/:place', express.Router({ mergeParams: true }).use(vite.middlewares));
  app.get('/behind', (req, res) => res.send('behind'));
  const see = client(request, await listen(app), ['etag', 'last-modified']);
  const record = {
    module: await see('GET /base/main.js'),
    page: await see('GET /base/', { headers: { Accept: 'text/html' } }),
    fallback: await see('GET /base/some/route', { headers: { Accept: 'text/html' } }),
    under: await see('GET /under/a/base/render.js'),
    behind: await see('GET /behind'),
    wrongBase: await see('GET /under/a/main.js', { headers: { Accept: 'text/html' } }),
  };
  await vite.close();
  return record;
}

async function production({ listen, request }) {
  const express = require('express');
  const { build } = await import('vite');
  const root = path.resolve('project');
  await build({ configFile: false, root, logLevel: 'silent', build: { outDir: 'dist' } });
  const app = express();
  app.use(express.static(path.join(root, 'dist'), { index: false, immutable: true, maxAge: '1y' }));
  app.get(/.*/, (req, res) => res.sendFile('index.html', { root: path.join(root, 'dist') }));
  const see = client(request, await listen(app), ['etag', 'last-modified']);
  const page = await see('GET /any/page');
  return {
    page,
    asset: await see(`GET ${page.body.match(/src="([^"]+)"/)[1]}`),
    publicFile: await see('GET /public.txt'),
  };
}

/** Returns a compiler for a copy of the fixture in the working directory. */
function makeCompiler() {
  const webpack = require('webpack');
  const folder = path.resolve('project');
  write(WEBPACK, folder);
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

module.exports = {
  programs: {
    /** Vite in middleware mode: a development server inside an application that renders its own pages. */
    vite: {
      packages: ['vite'],
      exercised:
        'createServer in middleware mode, in front of and behind routes and mounted below a path: transformed modules, CSS, public files, transformIndexHtml, ssrLoadModule; a production build served by express.static',
      timeout: 90,
      express: [4, 5],
      async run({ listen, request }) {
        write(VITE, 'project');
        const record = {
          development: await development({ listen, request }),
          mounted: await mounted({ listen, request }),
          production: await production({ listen, request }),
        };
        const { development: dev } = record;
        assert.match(dev.module.body, /import \{ render \} from "\/render\.js"/);
        assert.match(dev.page.body, /\/@vite\/client/);
        assert.match(dev.page.body, /<p>page \/any\/page\?a=1<\/p>/);
        assert.equal(dev.api.body, '{"api":true}');
        assert.equal(dev.publicFile.body, 'public file\n');
        assert.match(record.mounted.module.body, /"\/base\/render\.js"/);
        assert.equal(record.production.asset.status, 200);
        return record;
      },
    },

    /** webpack-dev-server 4, which creates its application itself and passes it to the configuration. */
    'webpack-dev-server': {
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
    },
  },
};
