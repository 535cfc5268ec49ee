/** Vite in middleware mode: a development server inside an application that renders its own pages. */
'use strict';
const assert = require('node:assert/strict');
const fs = require('node:fs');
const path = require('node:path');
const { client } = require('../support/client.cjs');

module.exports = {
  packages: ['vite'],
  exercised:
    'createServer in middleware mode, in front of and behind routes and mounted below a path: transformed modules, CSS, public files, transformIndexHtml, ssrLoadModule; a production build served by express.static',
  timeout: 90,
  express: [4, 5],
  async run({ listen, request }) {
    fs.cpSync(path.resolve(__dirname, '../fixtures/vite'), 'project', { recursive: true });
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
