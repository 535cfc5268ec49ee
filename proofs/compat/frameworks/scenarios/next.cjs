/** Next 14 behind a custom server: a production build, whose pages are served through an Express application. */
'use strict';
const assert = require('node:assert/strict');
const fs = require('node:fs');
const path = require('node:path');
const { client, field, without } = require('../support/client.cjs');
const { commandOf, start, write } = require('../support/program.cjs');

const PROJECT = {
  'next.config.js': `module.exports = {
  generateBuildId: () => 'fixture',
  eslint: { ignoreDuringBuilds: true },
  async rewrites() {
    return [{ source: '/rewritten/:id', destination: '/posts/:id' }];
  },
  async redirects() {
    return [{ source: '/moved', destination: '/', permanent: true }];
  },
};
`,
  'pages/index.js': `import Link from 'next/link';

export default function Home() {
  return (
    <main>
      <h1>home</h1>
      <Link href="/posts/1">first post</Link>
    </main>
  );
}
`,
  'pages/posts/[id].js': `export default function Post({ id, from, query }) {
  return (
    <article>
      post {id} by {from}, {JSON.stringify(query)}
    </article>
  );
}

/** \`req.fromServer\` is set by middleware of the custom server. */
export async function getServerSideProps({ params, query, req, res }) {
  res.setHeader('X-Rendered', params.id);
  if (params.id === 'none') return { notFound: true };
  if (params.id === 'old') return { redirect: { destination: '/posts/1', permanent: false } };
  return { props: { id: params.id, from: req.fromServer ?? null, query } };
}
`,
  'pages/api/echo.js': `export default function echo(req, res) {
  res
    .status(req.method === 'POST' ? 201 : 200)
    .json({ method: req.method, query: req.query, body: req.body ?? null });
}
`,
  'public/public.txt': 'public file\n',
};

module.exports = {
  packages: ['next', 'react', 'react-dom'],
  exercised:
    'next build, then a custom server: middleware and routes before it, a route that renders a page by app.render, everything else by the request handler; static and server-side pages, API routes with and without express.json before them, data requests, assets, rewrites, redirects, 404',
  timeout: 240,
  async run({ listen, request }) {
    process.env.NODE_ENV = 'production';
    process.env.NEXT_TELEMETRY_DISABLED = '1';
    const dir = path.resolve('project');
    write(PROJECT, dir);
    const modules = path.dirname(path.dirname(require.resolve('next/package.json')));
    fs.symlinkSync(modules, path.join(dir, 'node_modules'));
    await start(commandOf('next'), ['build', dir], { ready: /First Load JS shared by all/, seconds: 200 });
    const record = await serve({ listen, request }, dir);
    assert.match(record.home.body, /<h1>home<\/h1>/);
    assert.match(record.post.body, /post <!-- -->7<!-- --> by <!-- -->Express or its like/);
    assert.match(record.rendered.body, /post <!-- -->by-route/);
    assert.equal(record.posted.body, '{"method":"POST","query":{"a":"1"},"body":{"b":2}}');
    assert.match(record.parsedPosted.body, /"body":\{"b":2\}/);
    assert.equal(record.script.status, 200);
    assert.deepEqual(
      [record.homeFresh, record.missing, record.moved].map(({ status }) => status),
      [304, 404, 308],
    );
    return record;
  },
};

async function serve({ listen, request }, dir) {
  const express = require('express');
  const next = require('next')({ dev: false, dir, customServer: true, quiet: true });
  const handle = next.getRequestHandler();
  await next.prepare();
  const app = express();
  app.disable('x-powered-by');
  app.use((req, res, done) => {
    req.fromServer = 'Express or its like';
    res.set('X-Server', 'custom');
    done();
  });
  app.get('/health', (req, res) => res.json({ ok: true }));
  app.get('/p/:id', (req, res) => next.render(req, res, `/posts/${req.params.id}`, { ...req.query }));
  app.post('/api/parsed', express.json(), (req, res) => {
    req.url = '/api/echo';
    return handle(req, res);
  });
  app.all(/.*/, (req, res) => handle(req, res));
  const asked = client(request, await listen(app), ['last-modified']);
  // The names of chunks also depend on the path of the project
  const see = async (line, options) => without(await asked(line, options), /(?<=-)[0-9a-f]{16}(?=\.js)/g);
  const home = await asked('GET /');
  const record = {
    home: await see('GET /'),
    homeFresh: await see('GET /', { headers: { 'If-None-Match': field(home, 'ETag') } }),
    homeHead: await see('HEAD /'),
    gzip: await see('HEAD /', { headers: { 'Accept-Encoding': 'gzip' } }),
    health: await see('GET /health'),
    post: await see('GET /posts/7?a=b'),
    rendered: await see('GET /p/by-route?x=1'),
    rewritten: await see('GET /rewritten/9'),
    none: await see('GET /posts/none'),
    old: await see('GET /posts/old'),
    moved: await see('GET /moved'),
    data: await see('GET /_next/data/fixture/posts/7.json?id=7'),
    echo: await see('GET /api/echo?a=1&a=2'),
    posted: await see('POST /api/echo?a=1', { json: { b: 2 } }),
    parsedPosted: await see('POST /api/parsed', { json: { b: 2 } }),
    malformed: await see('POST /api/echo', { body: '{', headers: { 'Content-Type': 'application/json' } }),
    script: await see('GET /_next/static/fixture/_buildManifest.js'),
    publicFile: await see('GET /public.txt'),
    missing: await see('GET /missing'),
    malformedPath: await see('GET /%E0%A4%A'),
    put: await see('PUT /'),
  };
  await next.close();
  return record;
}
